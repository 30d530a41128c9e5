//===- WaitingUpdates.h - The code of updates that wait ---------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_TRANSFORMS_LOOPS_DELAY_WAITINGUPDATES_H
#define ZPL_LIB_TRANSFORMS_LOOPS_DELAY_WAITINGUPDATES_H

#include "Loops/Delay/DelayedLoop.h"

namespace zpl::air {

/// An integer as large as an element, or half of a complex one; 8 bytes for
/// larger ones.
Type counterOf(Type element);

/// Appends to \p result what does the work of the loop, with updates that wait
/// (DelayUpdates.cpp) if it has \p least iterations or more, else as it is; \p most
/// of them wait at a time. The loop becomes a part of that. Returns the new loop.
ForStmt *delayIn(const DelayedLoop &delayed, int64_t least, int64_t most,
                 Procedure &procedure, Module &module, StmtList &result);

} // namespace zpl::air

#endif // ZPL_LIB_TRANSFORMS_LOOPS_DELAY_WAITINGUPDATES_H
