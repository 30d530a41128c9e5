//===- JoinedLoops.h - Two M-loops in one sweep -----------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_CODEGEN_WAVES_JOINEDLOOPS_H
#define ZPL_LIB_CODEGEN_WAVES_JOINEDLOOPS_H

#include "MLoop/MLoopState.h"

namespace zpl::codegen {

/// Two loops of an air::InterleaveStmt that are joined: a nest for the tiles in
/// which what they store lies side by side.
class JoinedLoops {
public:
  /// \p before: the loop whose elements come first. Each has one operation, a
  /// store. All must live as long as this.
  JoinedLoops(FunctionState &function, const air::MLoopStmt &before,
              const air::MLoopStmt &after);
  /// In front of all tiles. \p mayMove: whether one may come at the other's
  /// place, an i1. False if they never are one.
  bool prepare(llvm::Value *mayMove);
  /// In a tile, to which the two have been clipped: whether this is one for
  /// both, an i1.
  llvm::Value *clip(const MLoopState &before, const MLoopState &after);
  /// Both, if so.
  void run();

private:
  /// The aliases among the accesses of both, as if they were of one loop.
  static AliasInfo aliasesOf(FunctionState &fn, const air::MLoopStmt &before,
                             const air::MLoopStmt &after);
  /// An i1, whether elements of both lie side by side, if they are as many;
  /// null: never.
  llvm::Value *makePairs();
  /// One level and what is in it, from here to a jump to \p exit.
  void emitLevel(unsigned depth, llvm::BasicBlock *exit);
  /// The innermost loop, likewise.
  void emitRow(unsigned depth, llvm::BasicBlock *exit);
  /// What both store, then the stores.
  void emitStep(unsigned depth);
  /// In the order of their elements.
  std::array<MLoopState *, 2> both() { return {&before, &after}; }

  FunctionState &fn;
  llvm::IRBuilder<> &builder;
  AliasInfo aliases;
  MLoopState before, after;
  llvm::Value *fits = nullptr;   ///< in front of all tiles
  llvm::Value *isHere = nullptr; ///< in the tile at hand
};

} // namespace zpl::codegen

#endif // ZPL_LIB_CODEGEN_WAVES_JOINEDLOOPS_H
