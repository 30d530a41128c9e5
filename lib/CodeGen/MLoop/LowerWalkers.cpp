//===- LowerWalkers.cpp - M-loops: addresses of elements ------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A walker points at the element that the loops stand at, and a bumper is what
// a step of a loop adds to it:
//
//   A over (dim 0, dim 1), read at (0,0), (-1,0), (0,1):
//
//   start    %A.walker = A.origin + lo0 * A.bump0        (dim 1 left out)
//   per row  %A.row(-1,0) = %A.walker - A.bump0
//   element  row + i1 * 8  [+ 8 for (0,1)]
//
// In outer loops walkers are pointer phis. In the innermost one an element is
// `row + index * size` rather than a pointer phi of its own. Both were measured
// with LLVM 19 on the Jacobi stencil: both vectorize, to the same 28
// instructions for four vectors and in the same time (+-3 %), but phis leave
// longer code around the vector loop, one more value to start and to step per
// row.
//
// An offset along the contiguous dimension is a constant displacement of that
// address; the rest of an offset is a number of bytes, computed once before the
// nest, that makes a row pointer of its own. So accesses that differ only along
// the row share a register.
//
// What changes in dimensions of other kinds:
//
//   A floods d       its pitch is 0: nothing is added, nothing bumps
//   R is Strided     the bump is pitch * stride of R
//   A is Strided     the index x is at the position (x - align) / stride of A.
//                    A walker starts at the position of the first index i, an
//                    offset k is the distance of the positions of i + k and i,
//                    and the bump is pitch * stride of R / stride of A. This is
//                    exact for all indices of A; those of a loop that takes
//                    more than one step are A.stride apart, or a multiple.
//
// If that is so in the dimension of the innermost loop, it counts its steps,
// and an element is `row + count * bump`. Along rows the bump may be an
// element's size, which is asked before the loop (LowerMLoop.cpp).
//
// Views that one shift has made of an array (air::ShiftStmt) have one layout.
// So only the first of them walks; the others are at a distance from it that
// does not change:
//
//   shift {%T by (..), %T.1 by (..)} = %A       27 of them in a stencil
//   before   %T.1.distance = T.1.origin - T.origin
//   per row  %T.1.row = %T.walker + %T.1.distance
//
// Address computations are not `inbounds`, but for rows of which every second
// element is used (LowerSteps.cpp): the origin, element (0,...,0), usually
// lies outside of the storage, and so may the walker's own position when only
// shifted elements are read. LLVM needs no more for unit strides: an access
// that wrapped would pass address 0.
//
//===----------------------------------------------------------------------===//

#include "MLoop/LowerMLoop.h"
#include "MLoop/SkewedRows.h"
#include "zpl/ArrayIR/Lets.h"
#include "zpl/ArrayIR/Walk.h"

using namespace llvm;

namespace zpl::codegen {

/// `(-1,0)`, for names.
static std::string offsetText(const air::Offset &offset) {
  std::string text = "(";
  for (int64_t component : offset)
    text += (text.size() > 1 ? "," : "") + std::to_string(component);
  return text + ")";
}

Value *MLoopLowering::move(Value *pointer, Value *bytes, const Twine &name) {
  return builder.CreateGEP(fn.types.i8, pointer, bytes, name);
}

int MLoopLowering::innerDim(unsigned walker) const {
  return nest.empty() ? -1 : loop.walkers[walker].bumps[nest.back().number];
}

void MLoopLowering::findLeaders() {
  DenseMap<const air::ShiftStmt *, unsigned> first;
  for (auto [w, walker] : enumerate(loop.walkers)) {
    const air::ShiftStmt *shift = fn.shifts.lookup(walker.array);
    leaders.push_back(shift ? first.try_emplace(shift, w).first->second : w);
  }
}

/// Whether the innermost loop moves a walker in the last dimension, in which
/// elements of a known size lie side by side or, if it is Strided, may do so.
bool MLoopLowering::walksRows(unsigned walker) const {
  const air::Array *array = loop.walkers[walker].array;
  if (array->isContracted())
    return innerDim(walker) >= 0;
  return innerDim(walker) == int(array->rank()) - 1 &&
         !array->element.isRunTimeSized();
}

/// Whether an offset along the row is a constant displacement.
bool MLoopLowering::hasDisplacements(unsigned walker) const {
  return walksRows(walker) &&
         kind(walker, innerDim(walker)) != air::DimKind::Strided;
}

/// Whether the innermost loop goes from element to element.
bool MLoopLowering::isUnitStride(unsigned walker) const {
  return hasDisplacements(walker) && !isStrided(nest.back().level->dim);
}

/// Whether it may turn out to, at run time.
bool MLoopLowering::mayBeUnitStride(unsigned walker) const {
  return walksRows(walker) && !isUnitStride(walker);
}

/// What is left of an offset when flooded dimensions and displacements along
/// the row are.
air::Offset MLoopLowering::rowOffset(const air::ElementExpr *element) const {
  air::Offset offset = element->offset;
  for (unsigned d = 0; d < offset.size(); ++d)
    if (isPerProcessor(kind(element->walker, d)))
      offset[d] = 0;
  if (hasDisplacements(element->walker))
    offset[innerDim(element->walker)] = 0;
  return offset;
}

//===----------------------------------------------------------------------===//
// Before the loops
//===----------------------------------------------------------------------===//

/// Bytes between neighbouring positions; in the last dimension the element's
/// size, nearly always a constant, unless that is Strided. Only before the
/// loops.
Value *MLoopLowering::pitch(unsigned walker, unsigned dim) {
  walker = leaders[walker];
  const air::Array *array = loop.walkers[walker].array;
  bool isStridedArray = kind(walker, dim) == air::DimKind::Strided;
  Value *&known = walkers[walker].pitches[dim];
  if (known)
    return known;
  if (dim + 1 == array->rank() && !isStridedArray)
    return known = fn.sizeOf(array->element);
  Value *place = builder.CreateInBoundsGEP(
      fn.types.array, walkers[walker].descriptor,
      {builder.getInt32(0),
       builder.getInt32(static_cast<unsigned>(ArrayField::Pitch)),
       builder.getInt32(dim)});
  bool isBump = !isStridedArray && !isStrided(dim);
  return known = builder.CreateAlignedLoad(
             fn.types.i64, place, Align(8),
             array->name + (isBump ? ".bump" : ".pitch") + Twine(dim));
}

/// The stride or alignment of a Strided dimension of an array. Only before the
/// loops.
Value *MLoopLowering::dimField(unsigned walker, unsigned dim, DimField field) {
  walker = leaders[walker];
  Value *&known = walkers[walker].dimFields[{dim, field}];
  if (!known) {
    const air::Array *array = loop.walkers[walker].array;
    known = fn.readDimField(fn.declaredRegion(array), array->shape[dim], dim,
                            field, array->name);
  }
  return known;
}

/// In an array's dimension, that of the first index, in tiles of the region's
/// first one, plus an offset. Only before the loops.
Value *MLoopLowering::position(unsigned walker, unsigned dim, int64_t offset) {
  walker = leaders[walker];
  Value *&known = walkers[walker].positions[{dim, offset}];
  if (known)
    return known;
  known = isTiled ? regionLow[dim] : first[dim];
  if (offset != 0)
    known = builder.CreateAdd(known, builder.getInt64(offset));
  if (kind(walker, dim) == air::DimKind::Strided) {
    Value *distance =
        builder.CreateSub(known, dimField(walker, dim, DimField::Align));
    known =
        builder.CreateSDiv(distance, dimField(walker, dim, DimField::Stride),
                           arrayName(walker) + ".position" + Twine(dim));
  }
  return known;
}

void MLoopLowering::readBumps(unsigned walker) {
  for (const NestLevel &entry : nest) {
    Value *&bump = walkers[walker].bumps.emplace_back();
    int dim = loop.walkers[walker].bumps[entry.number];
    if (dim < 0)
      continue;
    bump = pitch(walker, dim);
    // A loop over a Range of a Strided array takes one step or its stride is 1.
    Value *positions = strides[entry.level->dim];
    if (positions && kind(walker, dim) == air::DimKind::Strided)
      positions = builder.CreateUDiv(positions,
                                     dimField(walker, dim, DimField::Stride));
    if (positions)
      bump = builder.CreateMul(bump, positions,
                               arrayName(walker) + ".bump" + Twine(dim));
    if (entry.level->down)
      bump = builder.CreateNeg(bump, arrayName(walker) + ".bump" + Twine(dim) +
                                         ".down");
  }
}

/// Puts a walker at the first index of the loops that move it, but at index 0
/// of the innermost one if that does not count.
void MLoopLowering::startWalker(unsigned walker) {
  const air::Array *array = loop.walkers[walker].array;
  WalkerState &state = walkers[walker];
  state.descriptor = fn.address(array);
  static_assert(static_cast<unsigned>(ArrayField::Origin) == 0);
  state.origin = builder.CreateAlignedLoad(
      fn.types.ptr, state.descriptor, Align(8), arrayName(walker) + ".origin");
  if (leaders[walker] != walker) {
    auto number = [&](unsigned w) {
      return builder.CreatePtrToInt(walkers[w].origin, fn.types.i64);
    };
    state.distance = builder.CreateSub(number(walker), number(leaders[walker]),
                                       arrayName(walker) + ".distance");
    return;
  }
  state.pitches.assign(array->rank(), nullptr);
  readBumps(walker);
  Value *start = state.origin;
  for (unsigned d = 0; d < array->rank(); ++d) {
    bool isLeftOut = int(d) == innerDim(walker) && !isCounted;
    if (isLeftOut || isPerProcessor(kind(walker, d)))
      continue;
    Value *distance =
        builder.CreateMul(position(walker, d, 0), pitch(walker, d));
    start = move(start, distance, arrayName(walker) + ".start");
  }
  state.position = state.start = start;
}

/// Computes the row offset of an element in bytes, once for equal ones.
void MLoopLowering::makeOffset(const air::ElementExpr *element) {
  air::Offset offset = rowOffset(element);
  unsigned walker = element->walker;
  part->walkers.insert(leaders[walker]);
  part->rows.insert({element->walker, offset});
  if (element->array->isContracted())
    return;
  auto [it, isNew] = offsets.try_emplace({element->walker, offset}, nullptr);
  if (!isNew)
    return;
  Value *bytes = walkers[walker].distance;
  if (!bytes)
    bytes = builder.getInt64(0);
  for (unsigned d = 0; d < offset.size(); ++d) {
    if (offset[d] == 0)
      continue;
    Value *distance = builder.getInt64(offset[d]);
    if (kind(walker, d) == air::DimKind::Strided)
      distance = builder.CreateSub(position(walker, d, offset[d]),
                                   position(walker, d, 0));
    bytes =
        builder.CreateAdd(bytes, builder.CreateMul(distance, pitch(walker, d)));
  }
  it->second = bytes;
}

void MLoopLowering::startWalkers() {
  walkers.resize(loop.walkers.size());
  for (unsigned w = 0; w < walkers.size(); ++w)
    if (!loop.walkers[w].array->isContracted())
      startWalker(w);
  startLines();
  for (Part &each : parts) {
    part = &each;
    for (const air::ElementOp &op : part->ops)
      air::forEachExpr(op, [&](const air::Expr &e) {
        if (auto *element = dyn_cast<air::ElementExpr>(&e))
          makeOffset(element);
      });
    if (isCounted)
      part->isUnit = walkersHave(InnerStrides::Unit);
    findVersions();
    if (!mayStoreEvery() && mayStorePairs())
      part->pairs = walkersHave(InnerStrides::StoreTwo);
  }
  part = &parts.front();
}

/// Puts the walkers, which stand at the region's first index, at the tile's.
void MLoopLowering::moveToTile() {
  part = &parts.front();
  for (unsigned w = 0; w < walkers.size(); ++w) {
    WalkerState &state = walkers[w];
    state.position = state.start;
    if (leaders[w] != w || !state.start)
      continue;
    for (auto [depth, entry] : enumerate(nest)) {
      Value *bump = state.bumps[depth];
      if (!bump || (isInnermost(depth) && !isCounted))
        continue;
      unsigned dim = entry.level->dim;
      Value *steps = stepsBefore[dim];
      if (entry.level->down) // Its bumps go back.
        steps = builder.CreateNeg(steps);
      state.position = move(state.position, builder.CreateMul(steps, bump),
                            arrayName(w) + ".start");
    }
  }
}

/// Lets the walkers of a part stand as many rows back as it is delayed.
void MLoopLowering::stepBack() {
  if (part->delay == 0)
    return;
  Value *back = builder.getInt64(-int64_t(part->delay));
  for (int w : part->walkers)
    if (Value *bump = walkers[w].bumps.front())
      walkers[w].position =
          move(walkers[w].position, builder.CreateMul(bump, back),
               arrayName(w) + ".after" + Twine(part->delay));
}

/// Makes the row pointers, in front of the innermost loop.
void MLoopLowering::placeRows() {
  for (const RowKey &key : part->rows) {
    if (loop.walkers[key.first].array->isContracted()) {
      rows[key] = placeLine(key.first, key.second);
      continue;
    }
    Value *bytes = offsets.at(key);
    auto *constant = dyn_cast<ConstantInt>(bytes);
    Value *position = walkers[leaders[key.first]].position;
    bool isHere = constant && constant->isZero();
    rows[key] =
        isHere ? position
               : move(position, bytes,
                      arrayName(key.first) + ".row" + offsetText(key.second));
  }
}

//===----------------------------------------------------------------------===//
// In the body
//===----------------------------------------------------------------------===//

Value *MLoopLowering::index(unsigned dim) {
  return builder.CreateTrunc(current[dim], fn.types.i32, "index" + Twine(dim));
}

Value *MLoopLowering::elementAddress(const air::ElementExpr *element) {
  unsigned walker = element->walker;
  Value *row = rows.at({element->walker, rowOffset(element)});
  int dim = innerDim(walker);
  if (dim < 0)
    return row;
  llvm::Type *type =
      walksRows(walker) ? fn.types.memory(element->array->element) : nullptr;
  bool isDense = isUnitStride(walker) || inner == InnerStrides::Blend;
  unsigned step = isDense ? 1 : stepOf(walker, inner);
  // In Unit what the carries of stride 1 say holds, in LoadTwo those of 2.
  auto [next, back] = neighbours.lookup(element);
  if (next && step != 0 && carriedStride == step)
    return builder.CreateGEP(
        type, elementAddress(next),
        builder.getInt64(nest.back().level->down ? back : -back), "",
        step == 2 ? GEPNoWrapFlags::inBounds() : GEPNoWrapFlags::none());
  int64_t displacement = hasDisplacements(walker) ? element->offset[dim] : 0;
  auto displaced = [&](Value *place) {
    return displacement == 0
               ? place
               : builder.CreateGEP(type, place, builder.getInt64(displacement));
  };
  Value *steps = current[dim];
  if (isCounted)
    steps =
        step && nest.back().level->down ? builder.CreateNeg(counter) : counter;
  if (step == 1)
    return displaced(builder.CreateGEP(type, row, steps));
  if (step == 0)
    return displaced(
        move(row,
             builder.CreateMul(steps,
                               isCounted ? walkers[leaders[walker]].bumps.back()
                                         : pitch(walker, dim)),
             ""));
  Value *elements = builder.CreateMul(steps, builder.getInt64(step), "",
                                      /*HasNUW=*/false, /*HasNSW=*/true);
  // From the first element that is used to another one: LLVM loads vectors with
  // gaps only if it knows that addresses do not wrap.
  return builder.CreateInBoundsGEP(type, displaced(row), elements);
}

Value *MLoopLowering::readElement(const air::ElementExpr *element) {
  if (element->array->element.isAggregate())
    return elementAddress(element);
  for (const PreviousElement &known : behind)
    if (isBehind(*element, known.own->array))
      return known.phi;
  if (!skewed)
    return loadElement(element);
  Value *value = skewed->known(element);
  if (!value)
    skewed->isRead(element, value = loadElement(element));
  return value;
}

Value *MLoopLowering::loadElement(const air::ElementExpr *element) {
  const air::Array *array = element->array;
  Value *place = elementAddress(element);
  LoadInst *loaded = fn.loadMemory(array->element, place, array->name);
  aliases.annotate(loaded, array, part->delay);
  if (is_contained(loop.ahead,
                   std::pair(element->array, air::rowOf(*element, loop))))
    aliases.annotateAhead(loaded);
  return fn.fromMemory(array->element, loaded);
}

void MLoopLowering::annotate(Instruction *access,
                             const air::Expr *place) const {
  if (const air::ElementExpr *element = air::rootElement(place))
    aliases.annotate(access, element->array, part->delay);
  else
    aliases.annotateOther(access, part->delay);
}

} // namespace zpl::codegen
