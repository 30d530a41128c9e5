//===- ParseExpr.h - Primary and postfix expressions ------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Primary and postfix expressions. No function gives null: after a report
/// there is a dummy, an integer literal of no text, to go on with. Each leaves
/// the height of what it gave in Parsing::height.
///
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_PARSE_PARSEEXPR_H
#define ZPL_LIB_PARSE_PARSEEXPR_H

#include "Parsing.h"

namespace zpl {

/// An expression that is a value. A region or a direction in its place is
/// reported (requireValue). Counts a level of nesting.
ast::Expr *parseExpr(Parsing &p);

/// A primary and all its suffixes: `A@d`, `f(x)`, `a[i].x{k}`, `B#[I, J]`, a
/// literal, parentheses or brackets.
ast::Expr *parsePostfix(Parsing &p);

/// Reads the suffixes that follow \p base, `[i]`, `.x`, `{k}`, `@d`, `@^d`,
/// `'@d`, `#[I]`, and gives the whole; regions and directions have none.
ast::Expr *parseSuffixes(Parsing &p, ast::Expr *base);

/// Reads one of `[i, j]`, `.field` and `{i}` and hangs \p base under it. False
/// if none is there, after a literal, and at a `[` on a new line that opens a
/// scope.
bool parseDesignatorSuffix(Parsing &p, ast::Expr *&base);

/// '[' [ Expr ] { ',' [ Expr ] } ']': null where one is blank. Without the `[`
/// reports that \p what is missing.
ast::ExprList parseBlankList(Parsing &p, llvm::StringRef what);

/// NAME with subscripts, fields and braces, `a[i].x`. Anything else is reported
/// as not being \p what ("a variable") and starts a panic.
ast::Expr *parseDesignator(Parsing &p, llvm::StringRef what);

/// At a name or a keyword that is used as one: NAME [ '(' Args ')' ].
ast::Expr *parseNameOrCall(Parsing &p);

/// At the opening bracket: [ Arg { ',' Arg } ] and \p closer. Sets the height
/// to that of the highest argument.
ast::ExprList parseList(Parsing &p, TokenKind closer);

/// \p expr, if it is a value. A region or a direction cannot be an operand, a
/// condition or a bound: it is reported, and a dummy takes its place.
ast::Expr *requireValue(Parsing &p, ast::Expr *expr);

/// Something of height 1 to go on with after an error; it reports nothing.
ast::Expr *dummy(Parsing &p, SourceRange range);

/// Sets the height to that of an expression \p links above operands of height
/// \p below. Above the limit that is reported, and the rest of the program left
/// unread (giveUp).
void setHeight(Parsing &p, unsigned below, unsigned links = linksPerLevel);

} // namespace zpl

#endif // ZPL_LIB_PARSE_PARSEEXPR_H
