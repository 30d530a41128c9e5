//===- JoinedLoops.h - Two M-loops in one sweep -----------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_CODEGEN_MLOOP_JOINEDLOOPS_H
#define ZPL_LIB_CODEGEN_MLOOP_JOINEDLOOPS_H

#include "MLoop/LowerMLoop.h"

namespace zpl::codegen {

/// Two loops of an air::InterleaveStmt that are joined: a nest for the tiles in
/// which what they store lies side by side.
class JoinedLoops {
public:
  JoinedLoops(FunctionLowering &function, const air::MLoopStmt &before,
              const air::MLoopStmt &after);
  /// In front of all tiles. \p mayMove: whether one may come at the other's
  /// place, an i1. False if they never are one.
  bool prepare(llvm::Value *mayMove);
  /// In a tile, to which the two have been clipped: whether this is one for
  /// both, an i1.
  llvm::Value *clip(const MLoopLowering &before, const MLoopLowering &after);
  /// Both, if so.
  void run();

private:
  static AliasInfo aliasesOf(FunctionLowering &fn, const air::MLoopStmt &before,
                             const air::MLoopStmt &after);
  llvm::Value *makePairs();
  void emitLevel(unsigned depth, llvm::BasicBlock *exit);
  void emitRow(unsigned depth, llvm::BasicBlock *exit);
  void emitStep(unsigned depth);
  std::array<MLoopLowering *, 2> both() { return {&before, &after}; }

  FunctionLowering &fn;
  llvm::IRBuilder<> &builder;
  AliasInfo aliases;
  MLoopLowering before, after;
  llvm::Value *fits = nullptr;   ///< in front of all tiles
  llvm::Value *isHere = nullptr; ///< in the tile at hand
};

} // namespace zpl::codegen

#endif // ZPL_LIB_CODEGEN_MLOOP_JOINEDLOOPS_H
