//===- LowerTimeSteps.h - M-loops: several iterations -----------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Loops that execute iterations of the loop around them (MLoopStmt::time). All
/// functions do nothing, or give back what they get, for others.
///
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_CODEGEN_MLOOP_LOWERTIMESTEPS_H
#define ZPL_LIB_CODEGEN_MLOOP_LOWERTIMESTEPS_H

#include "MLoop/MLoopState.h"

namespace zpl::codegen {

/// Sets `iterations`, and the variable that says how many they are. In front of
/// the loop, where all processors come by: arrays may move, and processors
/// exchange what is beside their blocks.
void chooseTimeSteps(MLoopState &m);

/// Makes the bounds those of all iterations together. After clipBounds, where
/// this processor has a part of the region.
void widenBounds(MLoopState &m);

/// Lets the way that the run has chosen (LowerWays.h) have fewer, where there is
/// one processor. After chooseWay.
void takeStepsOfWay(MLoopState &m);

/// The last step of the outermost loop, of that of one iteration.
llvm::Value *lastOfAll(MLoopState &m, llvm::Value *last);

/// A step of the outermost loop: the rows of all iterations, in turn.
void emitTimeSteps(MLoopState &m);

/// In `rows`, which are placed, lets arrays and the rows that take turns with
/// them change their places if the iteration at hand is odd.
void takeTurns(MLoopState &m);

/// How many rows of a contracted array must have room, of the \p lines that one
/// iteration needs: a power of two, i64.
llvm::Value *linesOfAll(MLoopState &m, unsigned lines);

} // namespace zpl::codegen

#endif // ZPL_LIB_CODEGEN_MLOOP_LOWERTIMESTEPS_H
