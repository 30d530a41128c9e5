//===- LoopShapes.h - The rules of how M-loops are executed -----*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_ARRAYIR_VERIFY_LOOPSHAPES_H
#define ZPL_LIB_ARRAYIR_VERIFY_LOOPSHAPES_H

#include "Verify/Verifying.h"

namespace zpl::air {

/// What is streamed is not seen before the loop is over: its array is named
/// once, as the target of every index, and written along its rows.
bool verifyStreams(Verifying &state, const MLoopStmt &s);

/// Unrolled and tiled loops, and those of repetitions, are over elements that
/// their innermost loop moves through, and nothing that is carried through the
/// nest. Loops without repetitions read no panels.
bool verifyBlocks(Verifying &state, const MLoopStmt &s);

/// Loops over sparse regions go over patterns, row by row, and are shaped in no
/// other way; what accumulates anew has an element for each row.
bool verifyPatternLoop(Verifying &state, const MLoopStmt &s);

} // namespace zpl::air

#endif // ZPL_LIB_ARRAYIR_VERIFY_LOOPSHAPES_H
