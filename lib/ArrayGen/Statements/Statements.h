//===- Statements.h - Statements --------------------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The code of a statement is appended to the current list. Array temporaries
/// that it needs are freed at its end.
///
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_ARRAYGEN_STATEMENTS_STATEMENTS_H
#define ZPL_LIB_ARRAYGEN_STATEMENTS_STATEMENTS_H

#include "ProcedureState.h"

namespace zpl::arraygen {

/// Appends the code of \p stmt.
void statement(ProcedureState &p, const sema::Stmt *stmt);

/// Appends the code of all statements up to the first that control does not
/// come past.
void statements(ProcedureState &p, const sema::StmtList &list);

/// False if control never comes past \p stmt; loops are not looked into.
bool fallsThrough(const sema::Stmt *stmt);

/// Appends a call of a function of the runtime, `open`, `random` and so on.
/// \p result takes what it gives; null if that is not wanted.
void builtinStatement(ProcedureState &p, const sema::BuiltinExpr *call,
                      air::Variable *result);

/// `[over] call`: appends a promoted call as a whole statement, or as an
/// operation of the wave that is open.
void callElements(ProcedureState &p, const air::CallExpr *call, Cover over,
                  SourceRange range);

} // namespace zpl::arraygen

#endif // ZPL_LIB_ARRAYGEN_STATEMENTS_STATEMENTS_H
