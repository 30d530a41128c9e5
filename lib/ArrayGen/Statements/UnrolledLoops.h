//===- UnrolledLoops.h - Loops over members of families ---------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// `for` loops with constant bounds whose bodies are generated once for each
/// value of the loop variable, and what is known of expressions then.
///
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_ARRAYGEN_STATEMENTS_UNROLLEDLOOPS_H
#define ZPL_LIB_ARRAYGEN_STATEMENTS_UNROLLEDLOOPS_H

#include "ProcedureState.h"

namespace zpl::arraygen {

/// Generates \p loop unrolled, the value that its variable has after it
/// included. False, with nothing appended, where it is to stay a loop.
bool unroll(ProcedureState &p, const sema::ForStmt &loop);

/// The value of the integer expression \p expr where variables of unrolled
/// loops and elements of constants are all that it consists of; else nothing.
std::optional<int64_t> knownInteger(const ProcedureState &p,
                                    const sema::Expr &expr);

/// The element that \p expr is, of a constant, with subscripts that are known:
/// a Literal or a DirectionValue of Literals. Null: something else.
const sema::Expr *knownElement(const ProcedureState &p,
                               const sema::SubscriptExpr &expr);

} // namespace zpl::arraygen

#endif // ZPL_LIB_ARRAYGEN_STATEMENTS_UNROLLEDLOOPS_H
