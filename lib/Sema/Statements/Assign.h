//===- Assign.h - Assignments -----------------------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Assignments, `A := e` and `A += e`, and what other statements need to assign
/// and to evaluate places once.
///
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_SEMA_STATEMENTS_ASSIGN_H
#define ZPL_LIB_SEMA_STATEMENTS_ASSIGN_H

#include "Check/Checking.h"

namespace zpl::sema {

/// `[R] A := e`, `x += e`, `A#[I] := e`, `R := [1..n]`, with the loops of its
/// blank references. After a report, an empty statement.
Stmt *checkAssign(Checking &c, const ast::AssignStmt &s);

/// `target := value`, both checked, converted and of conforming ranks: an array
/// statement, a region's or a scalar's. Fixes the order of sums in array
/// statements.
Stmt *assignment(Checking &c, const Expr *target, const Expr *value,
                 SourceRange range);

/// What `target op= value` (\p s) stores: `old op value` in the type of \p old,
/// the target's value. It narrows only if \p value does, for `b += 1` is meant
/// to stay a byte. \p written: the value as it stands in the program, for
/// warnings.
const Expr *combinedValue(Checking &c, const ast::AssignStmt &s,
                          const Expr *old, const Expr *value,
                          const Expr *written);

/// Whether \p target can take a value of this rank and freedom; reports at
/// \p place otherwise.
bool checkAssigned(Checking &c, const Expr *value, const Expr *target,
                   SourceRange place);

/// \p place with what its subscripts and its direction compute kept in
/// variables, which \p before sets. Array-valued subscripts have no effects and
/// stay.
const Expr *onceOnly(Checking &c, const Expr *place, StmtList &before);

/// A new hidden variable \p name that has \p value; \p before sets it.
const Expr *keptOnce(Checking &c, const Expr *value, llvm::StringRef name,
                     StmtList &before);

} // namespace zpl::sema

#endif // ZPL_LIB_SEMA_STATEMENTS_ASSIGN_H
