//===- LowerWays.h - M-loops: ways that the run chooses among ---*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Which of the ways that an M-loop has (MLoopStmt::ways) an execution takes.
///
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_CODEGEN_ROWS_LOWERWAYS_H
#define ZPL_LIB_CODEGEN_ROWS_LOWERWAYS_H

#include "MLoop/MLoopState.h"

namespace zpl::codegen {

/// Sets `way` and `isMeasured`, in front of the nest; leaves them null if the
/// loop has one way. The bounds are counted; nothing has asked for ways yet.
void chooseWay(MLoopState &m);

/// After the nest: tells the runtime if the execution was measured.
void noteWay(MLoopState &m);

/// Whether this execution takes \p way, i1; null if the loop has no such way.
llvm::Value *takesWay(MLoopState &m, air::LoopWay way);

/// The extent of a tile, i64, of \p size by the models' choice.
llvm::Value *tileOfWay(MLoopState &m, llvm::Value *size);

/// The last fields of the program's zrt_program, those about ways: after all
/// functions are lowered.
llvm::SmallVector<llvm::Constant *, 4> wayFields(ModuleLowering &module);

} // namespace zpl::codegen

#endif // ZPL_LIB_CODEGEN_ROWS_LOWERWAYS_H
