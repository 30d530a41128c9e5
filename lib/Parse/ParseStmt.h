//===- ParseStmt.h - Statements ---------------------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Statements and lists of them. No function but parseLostWord() gives null:
/// after a report there is an EmptyStmt or an incomplete statement.
///
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_PARSE_PARSESTMT_H
#define ZPL_LIB_PARSE_PARSESTMT_H

#include "Parsing.h"

namespace zpl {

/// { Stmt ';' } up to a word that ends it: `end`, `else` or `until` of an open
/// statement, a declaration no deeper than the procedure. Other declarations
/// and stray clauses are reported. A statement counts \p links of nesting.
ast::StmtList parseStatements(Parsing &p, unsigned links = linksPerLevel);

/// One statement without its `;`, by the token that it begins with; anything
/// else is reported. Counts \p links of nesting, fewer than a level for the
/// next link of `else if`.
ast::Stmt *parseStatement(Parsing &p, unsigned links = linksPerLevel);

/// 'begin' Stmts 'end', and the same with 'interleave' or 'scan'.
ast::Stmt *parseBlock(Parsing &p);

/// A statement that has begun at token \p first and cannot go on, but has a
/// `then`, `do` or `to` before its end: the word before it is missing, which is
/// reported, and it is read once more. Else null.
ast::Stmt *parseLostWord(Parsing &p, size_t first);

} // namespace zpl

#endif // ZPL_LIB_PARSE_PARSESTMT_H
