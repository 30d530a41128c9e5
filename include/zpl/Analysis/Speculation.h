//===- Speculation.h - Values that may be computed in vain ------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_ANALYSIS_SPECULATION_H
#define ZPL_ANALYSIS_SPECULATION_H

#include "zpl/ArrayIR/LoopStatements.h"
#include "zpl/Support/RunTimeChecks.h"

namespace zpl::air {

/// Whether the value of an operation may be computed where its guard is false,
/// or at other indices between those of its loop: it is cheap and cannot fail.
/// \p checks: those of the program.
bool maySpeculate(const ElementOp &op, const RunTimeChecks &checks);

/// Whether evaluating a value may end the run, what it calls aside. Strings
/// count as if they could: making one takes memory.
bool mayFail(const Expr &value, const RunTimeChecks &checks);

/// Whether all subscripts are constants within constant bounds.
bool isInside(const SubscriptExpr &place);

} // namespace zpl::air

#endif // ZPL_ANALYSIS_SPECULATION_H
