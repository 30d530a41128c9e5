//===- LowerTails.h - M-loops: what vectors leave over ----------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_CODEGEN_ROWS_LOWERTAILS_H
#define ZPL_LIB_CODEGEN_ROWS_LOWERTAILS_H

#include "MLoop/MLoopState.h"

namespace zpl::codegen {

/// The innermost loop, at \p depth, and one for what its vectors leave over;
/// goes on in \p exit. Requires PlannedPart::hasTail, and that the part has one version.
void emitWithTail(MLoopState &m, unsigned depth, llvm::BasicBlock *exit);

} // namespace zpl::codegen

#endif // ZPL_LIB_CODEGEN_ROWS_LOWERTAILS_H
