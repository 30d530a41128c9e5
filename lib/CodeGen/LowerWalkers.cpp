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
// No address computation is `inbounds`: the origin, element (0,...,0), usually
// lies outside of the storage, and so may the walker's own position when only
// shifted elements are read. LLVM needs no more for unit strides: an access
// that wrapped would pass address 0.
//
//===----------------------------------------------------------------------===//

#include "LowerMLoop.h"
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

bool MLoopLowering::isUnitStride(unsigned walker) const {
  const air::Array *array = loop.walkers[walker].array;
  return innerDim(walker) == int(array->rank()) - 1 &&
         !array->element.isRunTimeSized();
}

air::Offset MLoopLowering::rowOffset(const air::ElementExpr *element) const {
  air::Offset offset = element->offset;
  if (isUnitStride(element->walker))
    offset.back() = 0;
  return offset;
}

//===----------------------------------------------------------------------===//
// Before the loops
//===----------------------------------------------------------------------===//

/// Bytes between neighbours; in the last dimension the element's size, nearly
/// always a constant. Only before the loops.
Value *MLoopLowering::pitch(unsigned walker, unsigned dim) {
  const air::Array *array = loop.walkers[walker].array;
  Value *&known = walkers[walker].pitches[dim];
  if (known)
    return known;
  if (dim + 1 == array->rank())
    return known = fn.sizeOf(array->element);
  Value *place = builder.CreateInBoundsGEP(
      fn.types.array, walkers[walker].descriptor,
      {builder.getInt32(0),
       builder.getInt32(static_cast<unsigned>(ArrayField::Pitch)),
       builder.getInt32(dim)});
  return known = builder.CreateAlignedLoad(fn.types.i64, place, Align(8),
                                           Twine(array->name) + ".bump" +
                                               Twine(dim));
}

void MLoopLowering::readBumps(unsigned walker) {
  for (const NestLevel &step : nest) {
    int dim = loop.walkers[walker].bumps[step.number];
    Value *bump = dim < 0 ? nullptr : pitch(walker, dim);
    if (bump && step.level->down)
      bump = builder.CreateNeg(bump, arrayName(walker) + ".bump" + Twine(dim) +
                                         ".down");
    walkers[walker].bumps.push_back(bump);
  }
}

/// Puts a walker at the first index of the loops that move it, but at index 0
/// of the innermost one.
void MLoopLowering::startWalker(unsigned walker) {
  const air::Array *array = loop.walkers[walker].array;
  WalkerState &state = walkers[walker];
  state.descriptor = fn.address(array);
  state.pitches.assign(array->rank(), nullptr);
  readBumps(walker);
  static_assert(static_cast<unsigned>(ArrayField::Origin) == 0);
  Value *position = builder.CreateAlignedLoad(
      fn.types.ptr, state.descriptor, Align(8), arrayName(walker) + ".origin");
  SmallVector<Value *, 6> first(lo);
  for (const NestLevel &step : nest)
    if (step.level->down)
      first[step.level->dim] = hi[step.level->dim];
  for (unsigned d = 0; d < array->rank(); ++d)
    if (int(d) != innerDim(walker))
      position = move(position, builder.CreateMul(first[d], pitch(walker, d)),
                      arrayName(walker) + ".start");
  state.position = position;
}

/// Computes the row offset of an element in bytes, once for equal ones.
void MLoopLowering::makeOffset(const air::ElementExpr *element) {
  air::Offset offset = rowOffset(element);
  part->walkers.insert(element->walker);
  part->rows.insert({element->walker, offset});
  auto [it, isNew] = offsets.try_emplace({element->walker, offset}, nullptr);
  if (!isNew)
    return;
  Value *bytes = builder.getInt64(0);
  for (unsigned d = 0; d < offset.size(); ++d)
    if (offset[d] != 0)
      bytes = builder.CreateAdd(bytes,
                                builder.CreateMul(builder.getInt64(offset[d]),
                                                  pitch(element->walker, d)));
  it->second = bytes;
}

void MLoopLowering::startWalkers() {
  walkers.resize(loop.walkers.size());
  for (unsigned w = 0; w < walkers.size(); ++w)
    startWalker(w);
  for (Part &each : parts) {
    part = &each;
    for (const air::ElementOp &op : part->ops)
      air::forEachExpr(op, [&](const air::Expr &e) {
        if (auto *element = dyn_cast<air::ElementExpr>(&e))
          makeOffset(element);
      });
  }
  part = &parts.front();
}

/// Lets the walkers of a part stand as many rows back as it is delayed.
void MLoopLowering::stepBack() {
  if (part->delay == 0)
    return;
  Value *steps = builder.getInt64(-int64_t(part->delay));
  for (int w : part->walkers)
    if (Value *bump = walkers[w].bumps.front())
      walkers[w].position =
          move(walkers[w].position, builder.CreateMul(bump, steps),
               arrayName(w) + ".after" + Twine(part->delay));
}

/// Makes the row pointers, in front of the innermost loop.
void MLoopLowering::placeRows() {
  for (const RowKey &key : part->rows) {
    Value *bytes = offsets.at(key);
    auto *constant = dyn_cast<ConstantInt>(bytes);
    Value *position = walkers[key.first].position;
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
  if (!isUnitStride(walker))
    return move(row, builder.CreateMul(current[dim], pitch(walker, dim)), "");
  llvm::Type *type = fn.types.memory(element->array->element);
  Value *place = builder.CreateGEP(type, row, current[dim]);
  int64_t displacement = element->offset.back();
  if (displacement == 0)
    return place;
  return builder.CreateGEP(type, place, builder.getInt64(displacement));
}

Value *MLoopLowering::readElement(const air::ElementExpr *element) {
  const air::Array *array = element->array;
  Value *place = elementAddress(element);
  if (array->element.isAggregate())
    return place;
  LoadInst *loaded = fn.loadMemory(array->element, place, array->name);
  aliases.annotate(loaded, array, part->delay);
  return fn.fromMemory(array->element, loaded);
}

} // namespace zpl::codegen
