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
//     call @zrtA_tiles_begin(regions, count, bytes, isApart)
//   tiles.next:
//     %tile = call @zrtA_tiles_next()
//     br %tile == null, tiles.end, tiles.loops
//   tiles.loops:
//     the M-loops over their parts of the tile
//     br tiles.next
//
// Joined loops come as one where they store elements side by side
// (LowerJoined.cpp), at the place of the first of them: what lies between may
// be passed over if no index is in two of the regions.
//
// What a loop does before its first index is once in front of all tiles if it
// is the same for them, which is most of it: walkers stand at the region's
// first index there, and are moved to the tile's, by whole steps. What is left
// takes two divisions per dimension.
//
//===----------------------------------------------------------------------===//

#include "Waves/LowerInterleave.h"
#include "Function/FunctionLowering.h"
#include "Function/LowerRuntime.h"
#include "MLoop/LowerMLoop.h"
#include "Waves/JoinedLoops.h"
#include "zpl/ArrayIR/LoopOrder.h"
#include "zpl/ArrayIR/Walk.h"
#include <deque>

using namespace llvm;

namespace zpl::codegen {

/// How many bytes the loops go through per index, not counting what lies in the
/// storage of others.
static int64_t bytesPerIndex(const FunctionState &fn,
                             const air::InterleaveStmt &loops) {
  int64_t bytes = 0;
  DenseSet<const air::Array *> seen;
  for (const air::Stmt *loop : loops.body)
    air::forEachArray(*loop, [&](const air::Array &array) {
      if (seen.insert(&array).second && !array.isContracted() &&
          !fn.shifts.contains(&array) && !array.element.isRunTimeSized())
        bytes += fn.types.size(array.element);
    });
  return bytes;
}

/// Whether no loop reads at other indices what one of them stores.
static bool areApart(const air::InterleaveStmt &loops) {
  return none_of(loops.body, [&](const air::Stmt *reader) {
    return any_of(loops.body, [&](const air::Stmt *writer) {
      return air::readsStored(*cast<air::MLoopStmt>(reader),
                              *cast<air::MLoopStmt>(writer), nullptr);
    });
  });
}

/// The loops of a tile, for each of its places in turn.
static void emitLoops(const air::InterleaveStmt &stmt,
                      std::deque<MLoopState> &loops,
                      std::deque<JoinedLoops> &joined, Value *tile) {
  for (MLoopState &loop : loops)
    clip(loop, tile);
  SmallVector<Value *, 8> isDone(loops.size(), nullptr);
  for (auto [join, both] : zip(stmt.joins, joined))
    isDone[join.before] = isDone[join.after] =
        both.clip(loops[join.before], loops[join.after]);
  for (auto [i, loop] : enumerate(loops)) {
    for (auto [join, both] : zip(stmt.joins, joined))
      if (std::min(join.before, join.after) == i)
        both.run();
    lowerMLoop(loop, isDone[i]);
  }
}

void lowerInterleave(FunctionState &fn, const air::InterleaveStmt *stmt) {
  std::vector<SmallVector<Value *, 5>> regions;
  for (const air::Stmt *loop : stmt->body)
    regions.push_back({address(fn, cast<air::MLoopStmt>(loop)->region)});
  auto *entry = StructType::get(fn.builder.getContext(),
                                ArrayRef<llvm::Type *>(fn.types.ptr));
  Value *list = table(fn, entry, regions, "tiled");
  Value *count = fn.builder.getInt64(regions.size());
  Value *areDisjoint =
      stmt->joins.empty()
          ? nullptr
          : fn.builder.CreateIsNotNull(fn.builder.CreateCall(
                ZRT_CALLEE(fn.calls, zrtA_regions_disjoint), {list, count}));
  fn.builder.CreateCall(ZRT_CALLEE(fn.calls, zrtA_tiles_begin),
                        {list, count,
                         fn.builder.getInt64(bytesPerIndex(fn, *stmt)),
                         fn.builder.getInt32(areApart(*stmt))});
  BasicBlock *next = addBlock(fn, "tiles.next");
  BasicBlock *inside = addBlock(fn, "tiles.loops");
  BasicBlock *end = addBlock(fn, "tiles.end");
  std::deque<MLoopState> loops;
  for (const air::Stmt *loop : stmt->body)
    prepare(
        loops.emplace_back(fn, *cast<air::MLoopStmt>(loop), /*isTiled=*/true));
  std::deque<JoinedLoops> joined;
  for (const auto &[before, after] : stmt->joins)
    if (joined
            .emplace_back(fn, *cast<air::MLoopStmt>(stmt->body[before]),
                          *cast<air::MLoopStmt>(stmt->body[after]))
            .prepare(areDisjoint))
      for (unsigned number : {before, after})
        leavePairs(loops[number]);
  startBlock(fn, next);
  setPlace(fn, stmt->range);
  Value *tile =
      fn.builder.CreateCall(ZRT_CALLEE(fn.calls, zrtA_tiles_next), {}, "tile");
  fn.builder.CreateCondBr(fn.builder.CreateIsNull(tile), end, inside);
  startBlock(fn, inside);
  emitLoops(*stmt, loops, joined, tile);
  fn.builder.CreateBr(next);
  startBlock(fn, end);
}

} // namespace zpl::codegen
