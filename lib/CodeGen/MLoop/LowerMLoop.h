//===- LowerMLoop.h - M-loops -----------------------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// An M-loop as a whole and its nest: levels, versions of the innermost loop,
/// parts. MLoopState says what a loop is made of, and what of it is being made
/// (`part`, `current`, `inner`). Depths count from the outermost loop, 0.
///
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_CODEGEN_MLOOP_LOWERMLOOP_H
#define ZPL_LIB_CODEGEN_MLOOP_LOWERMLOOP_H

#include "MLoop/MLoopState.h"

namespace zpl::codegen {

/// Gives up the version for pairs of elements: they are rare, as JoinedLoops
/// sees to them. After prepare, before lowerMLoop.
inline void leavePairs(MLoopState &m) { m.parts.front().pairs = nullptr; }
/// The value of a scalar variable that hoistScalars has read, or a let has
/// made; null if neither.
inline llvm::Value *hoisted(const MLoopState &m,
                            const air::Variable *variable) {
  return m.hoisted.variables.lookup(variable);
}
/// The address of an aggregate variable that hoistScalars has found; null if it
/// has not.
inline llvm::Value *hoistedMemory(const MLoopState &m,
                                  const air::Variable *variable) {
  return m.hoisted.memories.lookup(variable);
}
/// The subscripts that were tested before the loops.
inline const SubscriptRanges &ranges(const MLoopState &m) {
  return m.hoisted.subscripts;
}
/// The value of a part of a variable that hoistScalars has read; null if it has
/// not.
inline llvm::Value *hoistedPlace(const MLoopState &m, const air::Expr *place) {
  return m.hoisted.places.lookup(place);
}
/// True if the loop at \p depth is over rows that are worked on together.
inline bool isSkewed(const MLoopState &m, unsigned depth) {
  return m.loop.rows > 1 && depth + 2 == m.plan.nest.size();
}
/// True of the loop inside all others.
inline bool isInnermost(const MLoopState &m, unsigned depth) {
  return depth + 1 == m.plan.nest.size();
}
/// True if the loop at \p depth is around several parts, or iterations.
inline bool isShared(const MLoopState &m, unsigned depth) {
  return depth == 0 && (m.parts.size() > 1 || m.iterations);
}
/// The name of that array, for values' names.
inline llvm::StringRef arrayName(const MLoopState &m, unsigned walker) {
  return m.loop.walkers[walker].array->name;
}

/// What is the same for all tiles, in front of them: bounds of the region and
/// walkers at its first index. Only for loops in tiles, once.
void prepare(MLoopState &m);

/// Clips a loop in tiles to one of them. \p tile: the address of the zrt_domain
/// at hand.
void clip(MLoopState &m, llvm::Value *tile);

/// The whole loop, over this processor's part of the region, box by box if it
/// waits for transfers, or over the tile that was clipped to; goes on after it.
/// \p isDone: an i1, whether there is nothing left to do; null: there is.
void lowerMLoop(MLoopState &m, llvm::Value *isDone = nullptr);

/// What is in the loop at \p depth - 1: the loop at \p depth, or the body of
/// the current part. Goes on in the block after it.
void emitFrom(MLoopState &m, unsigned depth);

/// One version of the innermost loop, at \p depth, with \p head for its first
/// block, from \p before (null: from here) to a jump to \p exit: in strips or
/// over all elements if it is one for these.
void emitVersion(MLoopState &m, const Version &version, unsigned depth,
                 llvm::BasicBlock *before, llvm::BasicBlock *head,
                 llvm::BasicBlock *exit);

/// Like emitVersion, the loop itself.
void emitRow(MLoopState &m, const Version &version, unsigned depth,
             llvm::BasicBlock *before, llvm::BasicBlock *head,
             llvm::BasicBlock *exit);

/// A step of the outermost loop, of one iteration: the rows that the parts have
/// in it, in the block at hand.
void emitParts(MLoopState &m);

/// The name of the block after the loop at \p depth.
std::string exitName(const MLoopState &m, unsigned depth);

/// Starts \p head with the phis of the loop at \p depth, which become the
/// current values. Their first values come from \p before, which jumps there
/// already or is the current block.
LevelPhis openLevel(MLoopState &m, unsigned depth, llvm::BasicBlock *before,
                    llvm::BasicBlock *head);

/// The end of a step of that loop, here: moves what the level moves, and jumps
/// back to \p head or out to \p exit. Says of the loop what is known of its
/// steps.
void closeLevel(MLoopState &m, unsigned depth, llvm::BasicBlock *head,
                llvm::BasicBlock *exit, const LevelPhis &phis);

/// False if the steps of the loop at \p depth touch the same elements by its
/// nature: it is around several parts, or accumulates or stores in memory along
/// a dimension in which the target does not move. AliasInfo knows what the
/// accesses themselves say.
bool stepsAreIndependent(const MLoopState &m, unsigned depth);

} // namespace zpl::codegen

#endif // ZPL_LIB_CODEGEN_MLOOP_LOWERMLOOP_H
