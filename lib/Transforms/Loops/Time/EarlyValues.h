//===- EarlyValues.h - Delayed operations that only copy --------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_TRANSFORMS_LOOPS_TIME_EARLYVALUES_H
#define ZPL_LIB_TRANSFORMS_LOOPS_TIME_EARLYVALUES_H

#include "zpl/ArrayIR/ArrayIR.h"
#include "zpl/ArrayIR/Names.h"

namespace zpl::air {

/// Computes what delayed operations of an M-loop store when the operations
/// without delay are executed, into arrays contracted to rows that they copy,
/// if arrays and rows may take turns then (findSwaps); else leaves it as it is.
/// Arrays of \p procedure whose rows are not needed any more become elements per
/// index. The loop has no walkers yet.
void computeEarly(MLoopStmt &loop, Procedure &procedure, Module &module,
                  NameAllocator &names);

} // namespace zpl::air

#endif // ZPL_LIB_TRANSFORMS_LOOPS_TIME_EARLYVALUES_H
