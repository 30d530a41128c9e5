//===- CountWork.cpp - What M-loops compute -------------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `[R] New := (A@north + A@south + A@east + A@west) / 4.0` is, per index, four
// reads of elements, three additions, a division that counts for five, and a
// store: 13 operations; and 16 bytes of memory, since the four elements of A are
// in caches when they are read again. With -fcount-work the block in front of
// the nest begins with
//
//     points = (hi0 - lo0 + 1) * (hi1 - lo1 + 1)
//     zrt_work_done.operations += points * 13
//     zrt_work_done.bytes += points * 16
//
// which is what the transport `sim` charges for. Over a sparse region points are
// the indices of its pattern; iterations of time steps count each. What a guard
// leaves out is counted as well: the counts are known before the loop runs.
//
// Cost: some ten instructions per execution of a loop.
//
//===----------------------------------------------------------------------===//

#include "Function/CountWork.h"

#include "ModuleLowering.h"
#include "zpl/ArrayIR/Work.h"

using namespace llvm;

namespace zpl::codegen {

uint64_t bytesOf(const MLoopState &m) {
  uint64_t sum = 0;
  for (const air::Walker &walker : m.loop.walkers)
    if (air::isInMemory(walker))
      sum += m.fn.types.size(walker.array->element);
  return sum;
}

/// How many indices the loops go through.
static Value *pointsOf(MLoopState &m) {
  if (isSparse(m.plan) && m.pattern.descriptor && !m.fn.visits)
    return m.builder.CreateLoad(
        m.fn.types.i64,
        m.builder.CreateStructGEP(m.fn.types.pattern, m.pattern.descriptor, 0),
        "points");
  Value *points = m.builder.getInt64(1);
  for (const NestLevel &entry : m.plan.nest) {
    unsigned dim = entry.level->dim;
    Value *steps = m.builder.CreateSub(m.range.hi[dim], m.range.lo[dim]);
    if (Value *stride = m.range.strides[dim])
      steps = m.builder.CreateSDiv(steps, stride);
    points = m.builder.CreateMul(
        points, m.builder.CreateAdd(steps, m.builder.getInt64(1)), "points");
  }
  return points;
}

void countWork(MLoopState &m) {
  if (!m.fn.module.options.countWork)
    return;
  Value *points = pointsOf(m);
  if (m.iterations)
    points = m.builder.CreateMul(points, m.iterations);
  Type *i64 = m.fn.types.i64;
  StructType *work = m.fn.types.work;
  Constant *done = m.fn.module.module->getOrInsertGlobal("zrt_work_done", work);
  auto add = [&](unsigned field, uint64_t each) {
    Value *place = m.builder.CreateStructGEP(work, done, field);
    Value *more = m.builder.CreateMul(points, m.builder.getInt64(each));
    Value *sum = m.builder.CreateAdd(m.builder.CreateLoad(i64, place), more);
    m.builder.CreateStore(sum, place);
  };
  add(0, air::operationsOf(m.loop));
  add(1, bytesOf(m));
}

} // namespace zpl::codegen
