//===- LeaveOut.h - Runs without the work on elements -----------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_CODEGEN_FUNCTION_LEAVEOUT_H
#define ZPL_LIB_CODEGEN_FUNCTION_LEAVEOUT_H

#include "MLoop/MLoopState.h"

namespace zpl::codegen {

/// With -fcount-work, of a loop that may be left out: counts its work, and gives
/// whether it is to be executed: if \p owns (null: always), and unless the run
/// leaves it out. Else gives \p owns.
llvm::Value *leaveOut(MLoopState &m, llvm::Value *owns);
/// Whether `leaveOut` has counted the work of a loop.
bool isCounted(const MLoopState &m);

/// \p condition, but false where the run leaves one of the loops out, so that
/// each is asked for itself.
llvm::Value *unlessLeftOut(const MLoopState &a, const MLoopState &b,
                           llvm::Value *condition);

/// Between them the array is made. Nothing unless its elements do not matter.
void beginAllocation(FunctionState &fn, const air::Array &array);
void endAllocation(FunctionState &fn, const air::Array &array);

/// Goes on only where the run does not leave the output out; in the block that
/// it gives both go on, null if there is but one way.
llvm::BasicBlock *branchAround(FunctionState &fn, const air::WriteStmt &output);

/// The last fields of zrt_program: whether work is counted, and the table of
/// what may be left out.
llvm::SmallVector<llvm::Constant *, 4> leavingFields(ModuleLowering &module);

} // namespace zpl::codegen

#endif // ZPL_LIB_CODEGEN_FUNCTION_LEAVEOUT_H
