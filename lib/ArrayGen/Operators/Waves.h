//===- Waves.h - Scan blocks ------------------------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_ARRAYGEN_OPERATORS_WAVES_H
#define ZPL_LIB_ARRAYGEN_OPERATORS_WAVES_H

#include "ProcedureState.h"

namespace zpl::arraygen {

/// Appends a `wave` for a scan block, after the checks of all its statements
/// and copies of what it reads from the time before it.
void waveStatement(ProcedureState &p, const sema::WaveStmt *stmt);

/// Appends \p op, under the mask of \p over, to the wave that is open.
void addOperation(ProcedureState &p, air::ElementOp op, Cover over);

/// Notes that the open wave reads \p array at \p offset, where it has been
/// already: `A'@north`.
void addPrimed(StatementScope &statement, air::Array *array,
               const air::Offset &offset);

} // namespace zpl::arraygen

#endif // ZPL_LIB_ARRAYGEN_OPERATORS_WAVES_H
