//===- Parse.h - Tokens to the syntax tree ----------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_PARSE_PARSE_H
#define ZPL_PARSE_PARSE_H

#include "zpl/AST/AST.h"
#include "zpl/Lex/Token.h"

namespace zpl {

class DiagnosticEngine;

/// Parses a whole program. Nodes live in \p context, names and literal texts in
/// the source manager of \p diags. Always returns a module; after errors it is
/// incomplete and of no use. No tree is higher than nestingLimit *
/// linksPerLevel, so that later phases may recurse on a stack that is made for
/// it.
ast::Module parse(const TokenBuffer &buffer, ast::Context &context,
                  DiagnosticEngine &diags);

/// Levels of statements and expressions within each other.
inline constexpr unsigned nestingLimit = 1000;

/// How much of a level one more operand of a chain is, or one more `elsif` or
/// `else if`. They nest in the tree only; 1000 levels are as many as 20000 of
/// them, which is also the height of the highest tree.
inline constexpr unsigned linksPerLevel = 20;

} // namespace zpl

#endif // ZPL_PARSE_PARSE_H
