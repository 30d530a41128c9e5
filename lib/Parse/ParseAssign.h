//===- ParseAssign.h - Scopes, borders, assignments, calls ------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Scopes, `wrap` and `reflect`, `modify`, assignments and calls. Each function
/// that parses gives a statement, after an error an EmptyStmt or an incomplete
/// one, never null. The `;` is left to the caller.
///
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_PARSE_PARSEASSIGN_H
#define ZPL_LIB_PARSE_PARSEASSIGN_H

#include "Parsing.h"

namespace zpl {

/// ( 'wrap' | 'reflect' ) Ref { ',' Ref }, with the cursor at the word.
ast::Stmt *parseWrapOrReflect(Parsing &p);

/// At `[`: Dims in brackets and the statement that they are the scope of, `[R
/// by [2,2]] A := B`.
ast::Stmt *parseScope(Parsing &p);

/// Is it `modify R`, where `modify` is a keyword, and no assignment to a
/// variable of that name?
bool atModify(const Parsing &p);

/// Designator Op Expr, `A@d max= B`, NAME '(' Args ')' or `modify R begin ...
/// end`. Reports `++` and `--`, an assignment to a call, and an expression that
/// is no statement.
ast::Stmt *parseAssignmentOrCall(Parsing &p);

/// Does an assignment's operator stand here? A `=` only looks like one.
bool atAssignOp(const Parsing &p);

} // namespace zpl

#endif // ZPL_LIB_PARSE_PARSEASSIGN_H
