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
/// incomplete and of no use. No tree is deeper than `nestingLimit`, so that
/// later phases may recurse.
ast::Module parse(const TokenBuffer &buffer, ast::Context &context,
                  DiagnosticEngine &diags);

/// Levels of statements and expressions within each other, and the height of
/// an expression: a sum of so many terms is still one.
inline constexpr unsigned nestingLimit = 1000;

} // namespace zpl

#endif // ZPL_PARSE_PARSE_H
