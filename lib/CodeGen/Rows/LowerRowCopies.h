//===- LowerRowCopies.h - M-loops that copy rows ----------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_CODEGEN_ROWS_LOWERROWCOPIES_H
#define ZPL_LIB_CODEGEN_ROWS_LOWERROWCOPIES_H

#include "MLoop/MLoopState.h"

namespace zpl::codegen {

/// Copies the row, by memcpy or past the caches, instead of the loop at \p
/// depth, the innermost one; goes on in \p exit. Requires PlannedPart::copiesRows, and that
/// the row pointers are placed.
void copyRow(MLoopState &m, unsigned depth, llvm::BasicBlock *exit);

} // namespace zpl::codegen

#endif // ZPL_LIB_CODEGEN_ROWS_LOWERROWCOPIES_H
