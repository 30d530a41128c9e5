//===- LowerTails.cpp - M-loops: what vectors of bytes leave over ---------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// With vectors of 64 bytes LLVM takes what is left of a row 32 bytes at a time
// and then one by one: of 2000 elements that are bytes (booleans, ubyte) the
// last 16, which take a fifth of the row's time. So where all that an innermost
// loop touches is bytes, it is two loops:
//
//   mloop.L9.body:      steps 0 .. count & -32
//   mloop.L9.tail:      the rest, with vectors of 8 bytes
//
// For wider elements, or narrower vectors, less is left over than this costs.
//
// Cost: a comparison per row; the loop's code twice.
//
//===----------------------------------------------------------------------===//

#include "Rows/LowerTails.h"
#include "Function/FunctionLowering.h"
#include "MLoop/LowerMLoop.h"
#include "zpl/ArrayIR/Walk.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace llvm;

namespace zpl::codegen {

/// What LLVM takes at a time after the vectors of 64 bytes.
static constexpr int64_t Step = 32;

void emitWithTail(MLoopState &m, unsigned depth, BasicBlock *exit) {
  unsigned dim = m.plan.nest[depth].level->dim;
  SaveAndRestore<Value *> rowBegin(m.range.lo[dim]), rowEnd(m.range.hi[dim]);
  SaveAndRestore<Value *> lastOfNest(m.lastStep);
  BasicBlock *head = addBlock(m.fn, m.part->name + ".body");
  BasicBlock *rest = addBlock(m.fn, m.part->name + ".rest");
  BasicBlock *tail = addBlock(m.fn, m.part->name + ".tail");
  Value *begin = m.range.lo[dim], *end = m.range.hi[dim],
        *one = m.builder.getInt64(1);
  Value *count = m.builder.CreateAdd(m.builder.CreateSub(end, begin), one);
  Value *whole = m.builder.CreateAnd(count, m.builder.getInt64(-Step), "whole");
  Value *tailBegin = m.builder.CreateAdd(begin, whole);
  Value *lastOfWhole = m.builder.CreateSub(tailBegin, one);
  BasicBlock *start = m.builder.GetInsertBlock();
  m.builder.CreateCondBr(m.builder.CreateIsNull(whole), rest, head);

  auto emit = [&](BasicBlock *before, Value *first, Value *last,
                  BasicBlock *loopHead, BasicBlock *next) {
    m.range.lo[dim] = first;
    m.range.hi[dim] = last;
    if (depth == 0)
      m.lastStep = last;
    emitVersion(m, m.part->versions.front(), depth, before, loopHead, next);
    startBlock(m.fn, next);
  };
  emit(start, begin, lastOfWhole, head, rest);
  m.builder.CreateCondBr(m.builder.CreateICmpSLE(tailBegin, end), tail, exit);
  SaveAndRestore<bool> inTail(m.isTail, true);
  emit(rest, tailBegin, end, tail, exit);
}

} // namespace zpl::codegen
