//===- ParseOperators.h - Unary and binary operators ------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Operators between and in front of operands, by precedence climbing.
/// Operators of other languages (`&&`, `mod`, `**`) are reported with the one
/// that was meant and taken for it. No function gives null.
///
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_PARSE_PARSEOPERATORS_H
#define ZPL_LIB_PARSE_PARSEOPERATORS_H

#include "Parsing.h"

namespace zpl {

/// A chain of operands and operators above the precedence \p minimum; 0 is any.
/// A single operand may also be a region or a direction, which the caller
/// judges (requireValue).
ast::Expr *parseBinary(Parsing &p, unsigned minimum);

/// Reports that what stands at \p range is written \p instead here, with the
/// fix-it; reads nothing.
void foreignOperator(Parsing &p, SourceRange range, llvm::StringRef instead);

/// { `+` | `-` | `!` } Operand, a reduction, a scan or a flood, or an operand
/// with its powers.
ast::Expr *parseUnary(Parsing &p);

/// After the first operand, \p left: { '^' { prefix } Postfix }, from left to
/// right. Gives \p left without one.
ast::Expr *parsePower(Parsing &p, ast::Expr *left);

} // namespace zpl

#endif // ZPL_LIB_PARSE_PARSEOPERATORS_H
