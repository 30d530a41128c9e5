//===- LowerRowCopies.cpp - M-loops that copy rows ------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     [R] B := A@east;
//     [R] B := >>[1, ] A;
//
// store rows of elements that lie side by side as they are, so the innermost
// loop is one call of memcpy:
//
//   mloop.L9.dim0:
//     call @llvm.memcpy(%B.row + lo1, %A.row + lo1, (hi1 - lo1 + 1) * 8)
//
// LLVM finds such loops in C, but not here: it asks whether the rows overlap
// without looking at the alias scopes that say they do not. The library's
// memcpy knows ways to write long rows without reading them first.
//
// What streams (LowerStreams.cpp) goes straight from row to row, by zpl.stream.
//
// It takes two arrays with storage of their own, no mask, and one operation per
// part; bytes are copied, so the element's type does not matter.
//
// Cost: a call per row instead of a loop.
//
//===----------------------------------------------------------------------===//

#include "Rows/LowerRowCopies.h"
#include "Function/FunctionLowering.h"
#include "Function/LowerAggregates.h"
#include "MLoop/LowerMLoop.h"
#include "MLoop/LowerWalkers.h"
#include "Rows/LowerStreams.h"

using namespace llvm;
using llvm::cast;

namespace zpl::codegen {

void copyRow(MLoopState &m, unsigned depth, BasicBlock *exit) {
  const air::ElementOp &op = m.part->ops.front();
  unsigned dim = m.plan.nest[depth].level->dim;
  setPlace(m.fn, m.loop.range);
  m.current[dim] = m.range.lo[dim];
  Value *target = elementAddress(m, cast<air::ElementExpr>(op.target));
  Value *source = elementAddress(m, cast<air::ElementExpr>(op.value));
  Value *count =
      m.builder.CreateAdd(m.builder.CreateSub(m.range.hi[dim], m.range.lo[dim]),
                          m.builder.getInt64(1), "count");
  Value *bytes = m.builder.CreateMul(count, sizeOf(m.fn, op.value->type));
  if (op.streams) {
    BasicBlock *stream = addBlock(m.fn, m.part->name + ".stream");
    BasicBlock *copy = addBlock(m.fn, m.part->name + ".copy");
    m.builder.CreateCondBr(m.streams, stream, copy);
    startBlock(m.fn, stream);
    streamTo(m, target, source, bytes);
    m.builder.CreateBr(exit);
    startBlock(m.fn, copy);
  }
  Align align = m.fn.types.align(op.value->type);
  m.builder.CreateMemCpy(target, align, source, align, bytes);
  m.builder.CreateBr(exit);
  startBlock(m.fn, exit);
}

} // namespace zpl::codegen
