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

#include "MLoop/LowerMLoop.h"
#include "zpl/ArrayIR/Walk.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace llvm;

namespace zpl::codegen {

/// What LLVM takes at a time after the vectors of 64 bytes.
static constexpr int64_t Step = 32;

/// Whether the part only computes bytes from bytes, in an upward loop.
bool MLoopLowering::hasTail() const {
  if (!is_contained(fn.module.options.cpuFeatures, "avx512bw") || isCounted ||
      nest.back().level->down || !accumulators.empty() ||
      fn.module.options.optLevel < 2)
    return false;
  auto isByte = [&](const air::Expr &e) {
    return !isa<air::ElementExpr>(e) || fn.types.size(e.type) == 1;
  };
  return all_of(part->ops, [&](const air::ElementOp &op) {
    bool isPlain = op.kind == air::ElementOp::Store ||
                   (op.kind == air::ElementOp::Let && op.carries.empty());
    bool isOfBytes = isPlain && fn.types.size(op.value->type) == 1;
    air::forEachExpr(
        op, [&](const air::Expr &e) { isOfBytes = isOfBytes && isByte(e); });
    return isOfBytes;
  });
}

/// The innermost loop; goes on in \p exit.
void MLoopLowering::emitWithTail(unsigned depth, BasicBlock *exit) {
  unsigned dim = nest[depth].level->dim;
  SaveAndRestore<Value *> rowBegin(lo[dim]), rowEnd(hi[dim]);
  SaveAndRestore<Value *> lastOfNest(lastStep);
  BasicBlock *head = fn.addBlock(part->name + ".body");
  BasicBlock *rest = fn.addBlock(part->name + ".rest");
  BasicBlock *tail = fn.addBlock(part->name + ".tail");
  Value *begin = lo[dim], *end = hi[dim], *one = builder.getInt64(1);
  Value *count = builder.CreateAdd(builder.CreateSub(end, begin), one);
  Value *whole = builder.CreateAnd(count, builder.getInt64(-Step), "whole");
  Value *tailBegin = builder.CreateAdd(begin, whole);
  Value *lastOfWhole = builder.CreateSub(tailBegin, one);
  BasicBlock *start = builder.GetInsertBlock();
  builder.CreateCondBr(builder.CreateIsNull(whole), rest, head);

  auto emit = [&](BasicBlock *before, Value *first, Value *last,
                  BasicBlock *loopHead, BasicBlock *next) {
    lo[dim] = first;
    hi[dim] = last;
    if (depth == 0)
      lastStep = last;
    emitVersion(part->versions.front(), depth, before, loopHead, next);
    fn.startBlock(next);
  };
  emit(start, begin, lastOfWhole, head, rest);
  builder.CreateCondBr(builder.CreateICmpSLE(tailBegin, end), tail, exit);
  SaveAndRestore<bool> inTail(isTail, true);
  emit(rest, tailBegin, end, tail, exit);
}

} // namespace zpl::codegen
