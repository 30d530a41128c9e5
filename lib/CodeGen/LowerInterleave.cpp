//===- LowerInterleave.cpp - Loops in turn --------------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The runtime cuts what the loops run over into tiles; each M-loop is lowered
// as if the tile were this processor's block:
//
//     call @zrtA_tiles_begin(regions, count, bytes)
//   tiles.next:
//     %tile = call @zrtA_tiles_next()
//     br %tile == null, tiles.end, tiles.loops
//   tiles.loops:
//     the M-loops over their parts of the tile
//     br tiles.next
//
// What a loop does before its first index, it does once per tile: that is why
// tiles are as large as the second cache allows, and not rows.
//
//===----------------------------------------------------------------------===//

#include "LowerMLoop.h"
#include "zpl/ArrayIR/Walk.h"

using namespace llvm;

namespace zpl::codegen {

/// How many bytes the loops go through per index, not counting what lies in the
/// storage of others.
int64_t
FunctionLowering::bytesPerIndex(const air::InterleaveStmt &loops) const {
  int64_t bytes = 0;
  DenseSet<const air::Array *> seen;
  for (const air::Stmt *loop : loops.body)
    air::forEachArray(*loop, [&](const air::Array &array) {
      if (seen.insert(&array).second && !array.isContracted() &&
          !shifts.contains(&array) && !array.element.isRunTimeSized())
        bytes += types.size(array.element);
    });
  return bytes;
}

void FunctionLowering::lowerInterleave(const air::InterleaveStmt *stmt) {
  std::vector<SmallVector<Value *, 5>> regions;
  for (const air::Stmt *loop : stmt->body)
    regions.push_back({address(cast<air::MLoopStmt>(loop)->region)});
  auto *entry =
      StructType::get(builder.getContext(), ArrayRef<llvm::Type *>(types.ptr));
  Value *list = table(entry, regions, "tiled");
  builder.CreateCall(ZRT_CALLEE(calls, zrtA_tiles_begin),
                     {list, builder.getInt64(regions.size()),
                      builder.getInt64(bytesPerIndex(*stmt))});
  BasicBlock *next = addBlock("tiles.next");
  BasicBlock *inside = addBlock("tiles.loops");
  BasicBlock *end = addBlock("tiles.end");
  startBlock(next);
  setPlace(stmt->range);
  Value *tile =
      builder.CreateCall(ZRT_CALLEE(calls, zrtA_tiles_next), {}, "tile");
  builder.CreateCondBr(builder.CreateIsNull(tile), end, inside);
  startBlock(inside);
  for (const air::Stmt *loop : stmt->body)
    MLoopLowering(*this, *cast<air::MLoopStmt>(loop), tile).run();
  builder.CreateBr(next);
  startBlock(end);
}

} // namespace zpl::codegen
