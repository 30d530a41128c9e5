//===- LowerRemaps.cpp - M-loops: elements by maps ------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     store @B, add(@B, @A#(index(1), i64 3))
//
//   before   %A.origin, %A.pitch0              (the last pitch is a constant)
//   element  A.origin + i1 * A.pitch0 + 3 * 8
//
// No walker: the loops do not say where the next element is. But the address
// is written in their indices, in 64 bits where the map is, so that LLVM finds
// what is a step of a loop after all.
//
// A checked map is one comparison, for an index that is too low is a large
// number without sign, and a branch that is never taken:
//
//     (m - A.lo0) u< A.extent0
//
// It stands where the element is read, in the order of the indices. A loop with
// one has no tiles and goes upward, so the first wrong index is reported.
//
// One that is checked later goes on with the least index if it is wrong:
//
//     inside: ...  %index = phi [m, before], [A.lo0, wrong]
//
//===----------------------------------------------------------------------===//

#include "MLoop/LowerRemaps.h"
#include "Function/FunctionLowering.h"
#include "Function/LowerAggregates.h"
#include "Function/LowerChecks.h"
#include "Function/LowerRegion.h"
#include "Function/LowerScalar.h"
#include "MLoop/LowerWalkers.h"
#include "zpl/ArrayIR/Walk.h"
#include "llvm/IR/MDBuilder.h"

using namespace llvm;

namespace zpl::codegen {

static Value *remapPitch(MLoopState &m, const air::Array *array,
                         Value *descriptor, unsigned dim) {
  if (dim + 1 == array->rank() && array->shape[dim] != air::DimKind::Strided)
    return sizeOf(m.fn, array->element);
  Value *place = m.builder.CreateInBoundsGEP(
      m.fn.types.array, descriptor,
      {m.builder.getInt32(0),
       m.builder.getInt32(static_cast<unsigned>(ArrayField::Pitch)),
       m.builder.getInt32(dim)});
  return m.builder.CreateAlignedLoad(m.fn.types.i64, place, Align(8),
                                     array->name + ".pitch" + Twine(dim));
}

static void startRemap(MLoopState &m, const air::Array *array) {
  auto [it, isNew] = m.remapped.try_emplace(array);
  if (!isNew)
    return;
  RemapSource &source = it->second;
  source.descriptor = address(m.fn, array);
  source.origin = origin(m.fn, array);
  Value *declared = declaredRegion(m.fn, array);
  for (auto [d, kind] : enumerate(array->shape)) {
    bool isHere = !isPerProcessor(kind);
    auto field = [&](DimField which, bool isNeeded) {
      return isNeeded
                 ? readDimField(m.fn, declared, kind, d, which, array->name)
                 : nullptr;
    };
    bool isStrided = kind == air::DimKind::Strided;
    auto known = m.fn.module.strides.constantLow(array->declared, d);
    Value *low = known && kind == air::DimKind::Range
                     ? m.builder.getInt64(*known)
                     : field(DimField::Lo, isHere);
    Value *extent = field(DimField::Hi, isHere);
    if (isHere) {
      extent = m.builder.CreateAdd(m.builder.CreateSub(extent, low),
                                   m.builder.getInt64(1));
      extent = m.builder.CreateBinaryIntrinsic(
          Intrinsic::smax, extent, m.builder.getInt64(0), nullptr,
          array->name + ".extent" + Twine(d));
    }
    source.lows.push_back(low);
    source.extents.push_back(extent);
    source.strides.push_back(field(DimField::Stride, isStrided));
    source.aligns.push_back(field(DimField::Align, isStrided));
    source.pitches.push_back(isHere ? remapPitch(m, array, source.descriptor, d)
                                    : nullptr);
  }
}

void startRemaps(MLoopState &m) {
  air::forEachExpr(m.loop, [&](const air::Expr &e) {
    if (auto *remap = dyn_cast<air::RemapExpr>(&e))
      startRemap(m, remap->array);
  });
}

//===----------------------------------------------------------------------===//
// In the body
//===----------------------------------------------------------------------===//

static void failMap(MLoopState &m, const air::RemapExpr *expr,
                    const RemapSource &source, unsigned dim, Value *value) {
  FunctionCallee callee = expr->checksLater
                              ? ZRT_CALLEE(m.fn.calls, zrtA_note_map)
                              : ZRT_CALLEE(m.fn.calls, zrtA_fail_map);
  unsigned rank = m.loop.region->rank();
  AllocaInst *at = addAlloca(m.fn, ArrayType::get(m.fn.types.i64, rank), "at");
  for (unsigned d = 0; d < rank; ++d)
    m.builder.CreateAlignedStore(
        m.current[d],
        m.builder.CreateConstInBoundsGEP1_64(m.fn.types.i64, at, d), Align(8));
  m.builder.CreateCall(callee, {source.descriptor, address(m.fn, m.loop.region),
                                at, m.builder.getInt32(dim), value,
                                m.fn.module.string(expr->text),
                                m.fn.module.location(expr->range)});
}

/// Goes on with a value that is an index, whether this one is.
static Value *noteUnless(MLoopState &m, const air::RemapExpr *expr,
                         const RemapSource &source, unsigned dim, Value *value,
                         Value *isInside) {
  BasicBlock *before = m.builder.GetInsertBlock();
  BasicBlock *wrong = addBlock(m.fn, "wrong"), *next = addBlock(m.fn, "inside");
  MDBuilder weights(m.builder.getContext());
  m.builder.CreateCondBr(isInside, next, wrong,
                         weights.createBranchWeights(1 << 20, 1));
  m.builder.SetInsertPoint(wrong);
  failMap(m, expr, source, dim, value);
  m.builder.CreateBr(next);
  startBlock(m.fn, next);
  PHINode *index = m.builder.CreatePHI(value->getType(), 2, "index");
  index->addIncoming(value, before);
  index->addIncoming(source.lows[dim], wrong);
  return index;
}

/// The value, if it is an index; another one if that is checked later.
static Value *checkMap(MLoopState &m, const air::RemapExpr *expr,
                       const RemapSource &source, unsigned dim, Value *value) {
  Value *isInside =
      m.builder.CreateICmpULT(m.builder.CreateSub(value, source.lows[dim]),
                              source.extents[dim], "inside");
  if (Value *stride = source.strides[dim]) {
    Value *rest = m.builder.CreateSRem(
        m.builder.CreateSub(value, source.aligns[dim]), stride);
    isInside = m.builder.CreateAnd(
        isInside, m.builder.CreateICmpEQ(rest, m.builder.getInt64(0)));
  }
  if (expr->checksLater)
    return noteUnless(m, expr, source, dim, value, isInside);
  failUnless(m.fn, isInside, [&] { failMap(m, expr, source, dim, value); });
  return value;
}

/// How far index 1 of dimension \p d is from index 0 where the map is a
/// comparison, as those of windows are, and else nothing; null: it is none.
/// Products of 64 bits would be slow in vectors.
static Value *stepIf(MLoopState &m, const air::RemapExpr *expr, unsigned d,
                     Value *pitch) {
  auto *conversion = dyn_cast<air::CastExpr>(expr->maps[d]);
  auto *compare =
      conversion ? dyn_cast<air::CompareExpr>(conversion->operand) : nullptr;
  if (!compare || (expr->checked >> d & 1))
    return nullptr;
  return m.builder.CreateSelect(lower(m.fn, compare), pitch,
                                m.builder.getInt64(0));
}

Value *remapAddress(MLoopState &m, const air::RemapExpr *expr) {
  const RemapSource &source = m.remapped.find(expr->array)->second;
  const air::Array *array = expr->array;
  Value *place = source.origin;
  unsigned last = array->rank() - 1;
  for (unsigned d = 0; d <= last; ++d) {
    if (!source.pitches[d])
      continue;
    if (Value *step = source.strides[d]
                          ? nullptr
                          : stepIf(m, expr, d, source.pitches[d])) {
      place = move(m, place, step, "");
      continue;
    }
    Value *value = lowerIndex(m.fn, expr->maps[d]);
    if (expr->checked >> d & 1)
      value = checkMap(m, expr, source, d, value);
    if (source.strides[d])
      value = m.builder.CreateSDiv(m.builder.CreateSub(value, source.aligns[d]),
                                   source.strides[d]);
    bool isRow =
        d == last && !source.strides[d] && !array->element.isRunTimeSized();
    place = isRow ? m.builder.CreateGEP(m.fn.types.memory(array->element),
                                        place, value, array->name + ".at")
                  : move(m, place,
                         m.builder.CreateMul(value, source.pitches[d]), "");
  }
  return place;
}

Value *readRemap(MLoopState &m, const air::RemapExpr *expr) {
  const air::Array *array = expr->array;
  Value *place = remapAddress(m, expr);
  if (array->element.isAggregate())
    return place;
  LoadInst *loaded = loadMemory(m.fn, array->element, place, array->name);
  m.aliases.annotate(loaded, array, m.part->delay);
  return fromMemory(m.fn, array->element, loaded);
}

} // namespace zpl::codegen
