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

#include "MLoop/LowerWalkers.h"
#include "Function/FunctionLowering.h"
#include "Function/LowerAggregates.h"
#include "Function/LowerRegion.h"
#include "Function/LowerScalar.h"
#include "MLoop/LowerElementOps.h"
#include "MLoop/LowerLets.h"
#include "MLoop/LowerLines.h"
#include "MLoop/LowerMLoop.h"
#include "MLoop/LowerRemaps.h"
#include "MLoop/LowerSteps.h"
#include "MLoop/LowerTimeSteps.h"
#include "Sparse/PatternLoops.h"
#include "Waves/SkewedRows.h"
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

Value *move(MLoopState &m, Value *pointer, Value *bytes, const Twine &name) {
  return m.builder.CreateGEP(m.fn.types.i8, pointer, bytes, name);
}

//===----------------------------------------------------------------------===//
// Before the loops
//===----------------------------------------------------------------------===//

/// Bytes between neighbouring positions; in the last dimension the element's
/// size, nearly always a constant, unless that is Strided or leads from slot to
/// slot. Only before the loops.
static Value *pitch(MLoopState &m, unsigned walker, unsigned dim) {
  walker = m.plan.leaders[walker];
  const air::Array *array = m.loop.walkers[walker].array;
  bool isStridedArray = kind(m.plan, walker, dim) == air::DimKind::Strided;
  Value *&known = m.walkers[walker].pitches[dim];
  if (known)
    return known;
  bool isSlots = array->hasSlots && array->panel == int(dim);
  if (dim + 1 == array->rank() && !isStridedArray && !isSlots)
    return known = sizeOf(m.fn, array->element);
  Value *place = m.builder.CreateInBoundsGEP(
      m.fn.types.array, m.walkers[walker].descriptor,
      {m.builder.getInt32(0),
       m.builder.getInt32(static_cast<unsigned>(ArrayField::Pitch)),
       m.builder.getInt32(dim)});
  bool isBump = !isStridedArray && !isStrided(m.plan, dim);
  return known = m.builder.CreateAlignedLoad(
             m.fn.types.i64, place, Align(8),
             array->name + (isBump ? ".bump" : ".pitch") + Twine(dim));
}

/// The stride or alignment of the positions of a Strided dimension of an array;
/// those of a scattered domain are places. Only before the loops.
static Value *dimField(MLoopState &m, unsigned walker, unsigned dim,
                       DimField field) {
  walker = m.plan.leaders[walker];
  Value *&known = m.walkers[walker].dimFields[{dim, field}];
  const air::Array *array = m.loop.walkers[walker].array;
  if (air::isScattered(*array))
    return m.builder.getInt64(field == DimField::Stride);
  if (!known) {
    known = readDimField(m.fn, declaredRegion(m.fn, array), array->shape[dim],
                         dim, field, array->name);
  }
  return known;
}

/// In an array's dimension, that of the first index, in tiles of the region's
/// first one, plus an offset. Only before the loops.
static Value *position(MLoopState &m, unsigned walker, unsigned dim,
                       int64_t offset) {
  walker = m.plan.leaders[walker];
  Value *&known = m.walkers[walker].positions[{dim, offset}];
  if (known)
    return known;
  known = m.plan.isTiled ? m.range.regionLow[dim] : m.range.first[dim];
  if (offset != 0)
    known = m.builder.CreateAdd(known, m.builder.getInt64(offset));
  if (kind(m.plan, walker, dim) == air::DimKind::Strided) {
    Value *distance =
        m.builder.CreateSub(known, dimField(m, walker, dim, DimField::Align));
    known = m.builder.CreateSDiv(
        distance, dimField(m, walker, dim, DimField::Stride),
        arrayName(m, walker) + ".position" + Twine(dim));
  }
  return known;
}

static void readBumps(MLoopState &m, unsigned walker) {
  for (const NestLevel &entry : m.plan.nest) {
    Value *&bump = m.walkers[walker].bumps.emplace_back();
    int dim = m.loop.walkers[walker].bumps[entry.number];
    if (dim < 0)
      continue;
    bump = pitch(m, walker, dim);
    // A loop over a Range of a Strided array takes one step or its stride is 1.
    Value *positions = m.range.strides[entry.level->dim];
    if (positions && kind(m.plan, walker, dim) == air::DimKind::Strided)
      positions = m.builder.CreateUDiv(
          positions, dimField(m, walker, dim, DimField::Stride));
    if (positions)
      bump = m.builder.CreateMul(bump, positions,
                                 arrayName(m, walker) + ".bump" + Twine(dim));
    if (entry.level->down)
      bump = m.builder.CreateNeg(bump, arrayName(m, walker) + ".bump" +
                                           Twine(dim) + ".down");
  }
}

/// Puts a walker at the first index of the loops that move it, but at index 0
/// of the innermost one if that does not count.
static void startWalker(MLoopState &m, unsigned walker) {
  const air::Array *array = m.loop.walkers[walker].array;
  WalkerState &state = m.walkers[walker];
  state.descriptor = address(m.fn, array);
  static_assert(static_cast<unsigned>(ArrayField::Origin) == 0);
  state.origin =
      m.builder.CreateAlignedLoad(m.fn.types.ptr, state.descriptor, Align(8),
                                  arrayName(m, walker) + ".origin");
  if (m.plan.leaders[walker] != walker) {
    auto number = [&](unsigned w) {
      return m.builder.CreatePtrToInt(m.walkers[w].origin, m.fn.types.i64);
    };
    state.distance =
        m.builder.CreateSub(number(walker), number(m.plan.leaders[walker]),
                            arrayName(m, walker) + ".distance");
    return;
  }
  state.pitches.assign(array->rank(), nullptr);
  readBumps(m, walker);
  Value *start = state.origin;
  for (unsigned d = 0; d < array->rank(); ++d) {
    bool isLeftOut = int(d) == innerDim(m.plan, walker) && !m.plan.isCounted;
    if (isLeftOut || isPerProcessor(kind(m.plan, walker, d)))
      continue;
    Value *distance =
        m.builder.CreateMul(position(m, walker, d, 0), pitch(m, walker, d));
    start = move(m, start, distance, arrayName(m, walker) + ".start");
  }
  state.position = state.start = start;
}

/// Computes the row offset of an element in bytes, once for equal ones.
static void makeOffset(MLoopState &m, const air::ElementExpr *element) {
  air::Offset offset = rowOffset(m.plan, element);
  unsigned walker = element->walker;
  if (element->array->isContracted())
    return;
  auto [it, isNew] = m.offsets.try_emplace({element->walker, offset}, nullptr);
  if (!isNew)
    return;
  Value *bytes = m.walkers[walker].distance;
  if (!bytes)
    bytes = m.builder.getInt64(0);
  for (unsigned d = 0; d < offset.size(); ++d) {
    if (offset[d] == 0)
      continue;
    Value *distance = m.builder.getInt64(offset[d]);
    if (kind(m.plan, walker, d) == air::DimKind::Strided)
      distance = m.builder.CreateSub(position(m, walker, d, offset[d]),
                                     position(m, walker, d, 0));
    bytes = m.builder.CreateAdd(
        bytes, m.builder.CreateMul(distance, pitch(m, walker, d)));
  }
  it->second = bytes;
}

void startWalkers(MLoopState &m) {
  m.walkers.resize(m.loop.walkers.size());
  if (isSparse(m.plan))
    startPatternWalkers(m);
  for (unsigned w = 0; w < m.walkers.size(); ++w)
    if (!m.loop.walkers[w].array->isContracted() && !isSparse(m.plan))
      startWalker(m, w);
  startLines(m);
  startRemaps(m);
  for (Part &each : m.parts) {
    m.part = &each;
    for (const air::ElementOp &op : m.part->ops)
      air::forEachExpr(op, [&](const air::Expr &e) {
        auto *element = dyn_cast<air::ElementExpr>(&e);
        if (element && !isSparse(m.plan))
          makeOffset(m, element);
      });
    makeVersions(m);
  }
  m.part = &m.parts.front();
}

void moveToTile(MLoopState &m) {
  m.part = &m.parts.front();
  for (unsigned w = 0; w < m.walkers.size(); ++w) {
    WalkerState &state = m.walkers[w];
    state.position = state.start;
    if (m.plan.leaders[w] != w || !state.start)
      continue;
    for (auto [depth, entry] : enumerate(m.plan.nest)) {
      Value *bump = state.bumps[depth];
      if (!bump || (isInnermost(m, depth) && !m.plan.isCounted))
        continue;
      unsigned dim = entry.level->dim;
      Value *steps = m.range.stepsBefore[dim];
      if (entry.level->down) // Its bumps go back.
        steps = m.builder.CreateNeg(steps);
      state.position = move(m, state.position, m.builder.CreateMul(steps, bump),
                            arrayName(m, w) + ".start");
    }
  }
}

void stepBack(MLoopState &m) {
  if (m.part->delay == 0)
    return;
  Value *back = m.builder.getInt64(-int64_t(m.part->delay));
  for (int w : m.part->walkers)
    if (Value *bump = m.walkers[w].bumps.front())
      m.walkers[w].position =
          move(m, m.walkers[w].position, m.builder.CreateMul(bump, back),
               arrayName(m, w) + ".after" + Twine(m.part->delay));
}

void placeRows(MLoopState &m) {
  for (const RowKey &key : m.part->rows) {
    if (m.loop.walkers[key.first].array->isContracted()) {
      m.rows[key] = placeLine(m, key.first, key.second);
      continue;
    }
    Value *bytes = m.offsets.at(key);
    auto *constant = dyn_cast<ConstantInt>(bytes);
    Value *position = m.walkers[m.plan.leaders[key.first]].position;
    bool isHere = constant && constant->isZero();
    m.rows[key] =
        isHere
            ? position
            : move(m, position, bytes,
                   arrayName(m, key.first) + ".row" + offsetText(key.second));
  }
  takeTurns(m);
}

//===----------------------------------------------------------------------===//
// In the body
//===----------------------------------------------------------------------===//

Value *wideIndex(MLoopState &m, unsigned dim) {
  bool isPlace = dim < m.range.indices.size() && m.range.indices[dim];
  if (!isPlace)
    return m.current[dim];
  Value *place =
      m.builder.CreateGEP(m.fn.types.i64, m.range.indices[dim], m.current[dim]);
  LoadInst *index =
      m.builder.CreateAlignedLoad(m.fn.types.i64, place, Align(8));
  // A place has the same index until the domain is distributed anew.
  index->setMetadata(LLVMContext::MD_invariant_load,
                     MDNode::get(m.builder.getContext(), {}));
  return index;
}

Value *index(MLoopState &m, unsigned dim) {
  return m.builder.CreateTrunc(wideIndex(m, dim), m.fn.types.i32,
                               "index" + Twine(dim));
}

Value *elementAddress(MLoopState &m, const air::ElementExpr *element) {
  if (isSparse(m.plan))
    return patternAddress(m, element);
  unsigned walker = element->walker;
  Value *row = m.rows.at({element->walker, rowOffset(m.plan, element)});
  int dim = innerDim(m.plan, walker);
  if (dim < 0)
    return row;
  llvm::Type *type = walksRows(m.plan, walker)
                         ? m.fn.types.memory(element->array->element)
                         : nullptr;
  bool isDense = isUnitStride(m.plan, walker) || m.inner == InnerStrides::Blend;
  unsigned step = isDense ? 1 : stepOf(m.plan, *m.part, walker, m.inner);
  // In Unit what the carries of stride 1 say holds, in LoadTwo those of 2.
  auto [next, back] = m.carries.neighbours.lookup(element);
  if (next && step != 0 && m.carriedStride == step)
    return m.builder.CreateGEP(
        type, elementAddress(m, next),
        m.builder.getInt64(m.plan.nest.back().level->down ? back : -back), "",
        step == 2 ? GEPNoWrapFlags::inBounds() : GEPNoWrapFlags::none());
  int64_t displacement =
      hasDisplacements(m.plan, walker) ? element->offset[dim] : 0;
  auto displaced = [&](Value *place) {
    return displacement == 0
               ? place
               : m.builder.CreateGEP(type, place,
                                     m.builder.getInt64(displacement));
  };
  Value *steps = m.current[dim];
  if (m.plan.isCounted)
    steps = step && m.plan.nest.back().level->down
                ? m.builder.CreateNeg(m.count.now)
                : m.count.now;
  if (step == 1)
    return displaced(m.builder.CreateGEP(type, row, steps));
  if (step == 0)
    return displaced(
        move(m, row,
             m.builder.CreateMul(
                 steps, m.plan.isCounted
                            ? m.walkers[m.plan.leaders[walker]].bumps.back()
                            : pitch(m, walker, dim)),
             ""));
  Value *elements = m.builder.CreateMul(steps, m.builder.getInt64(step), "",
                                        /*HasNUW=*/false, /*HasNSW=*/true);
  // From the first element that is used to another one: LLVM loads vectors with
  // gaps only if it knows that addresses do not wrap.
  return m.builder.CreateInBoundsGEP(type, displaced(row), elements);
}

Value *readElement(MLoopState &m, const air::ElementExpr *element) {
  if (element->array->element.isAggregate())
    return elementAddress(m, element);
  if (Value *carried = carriedValue(m, element))
    return carried;
  for (const PreviousElement &known : m.behind)
    if (isBehind(m, *element, known.own->array))
      return known.phi;
  if (!m.skewed)
    return loadElement(m, element);
  Value *value = m.skewed->known(element);
  if (!value)
    m.skewed->isRead(element, value = loadElement(m, element));
  return value;
}

Value *loadElement(MLoopState &m, const air::ElementExpr *element) {
  const air::Array *array = element->array;
  Value *place = elementAddress(m, element);
  LoadInst *loaded = loadMemory(m.fn, array->element, place, array->name);
  m.aliases.annotate(loaded, array, m.part->delay);
  if (m.madeWay != air::LoopWay::Unasked &&
      is_contained(m.loop.ahead,
                   std::pair(element->array, air::rowOf(*element, m.loop))))
    m.aliases.annotateAhead(loaded, m.madeWay == air::LoopWay::Ahead);
  return fromMemory(m.fn, array->element, loaded);
}

void annotate(const MLoopState &m, Instruction *access,
              const air::Expr *place) {
  if (const air::ElementExpr *element = air::rootElement(place))
    m.aliases.annotate(access, element->array, m.part->delay);
  else if (auto *remap = dyn_cast<air::RemapExpr>(air::rootOf(place)))
    m.aliases.annotate(access, remap->array, m.part->delay);
  else
    m.aliases.annotateOther(access, m.part->delay);
}

} // namespace zpl::codegen
