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

#include "MLoop/LowerMLoop.h"

using namespace llvm;
using llvm::cast;

namespace zpl::codegen {

/// Whether the innermost loop of the part copies a row to a row.
bool MLoopLowering::copiesRows() const {
  if (part->ops.size() != 1 || isCounted)
    return false;
  const air::ElementOp &op = part->ops.front();
  if (op.kind != air::ElementOp::Store || op.guard)
    return false;
  auto *target = dyn_cast<air::ElementExpr>(op.target);
  auto *source = dyn_cast<air::ElementExpr>(op.value);
  return target && source && aliases.areApart(target->array, source->array) &&
         isUnitStride(target->walker) && isUnitStride(source->walker);
}

/// Goes on in \p exit.
void MLoopLowering::copyRow(unsigned depth, BasicBlock *exit) {
  const air::ElementOp &op = part->ops.front();
  unsigned dim = nest[depth].level->dim;
  fn.setPlace(loop.range);
  current[dim] = lo[dim];
  Value *target = elementAddress(cast<air::ElementExpr>(op.target));
  Value *source = elementAddress(cast<air::ElementExpr>(op.value));
  Value *count = builder.CreateAdd(builder.CreateSub(hi[dim], lo[dim]),
                                   builder.getInt64(1), "count");
  Value *bytes = builder.CreateMul(count, fn.sizeOf(op.value->type));
  if (op.streams) {
    BasicBlock *stream = fn.addBlock(part->name + ".stream");
    BasicBlock *copy = fn.addBlock(part->name + ".copy");
    builder.CreateCondBr(streams, stream, copy);
    fn.startBlock(stream);
    streamTo(target, source, bytes);
    builder.CreateBr(exit);
    fn.startBlock(copy);
  }
  Align align = fn.types.align(op.value->type);
  builder.CreateMemCpy(target, align, source, align, bytes);
  builder.CreateBr(exit);
  fn.startBlock(exit);
}

} // namespace zpl::codegen
