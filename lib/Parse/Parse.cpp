//===- Parse.cpp - Tokens to the syntax tree ------------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Recursive descent over the token buffer, with one token of look-ahead nearly
// everywhere. What brackets hold (a region, a direction, an element's index)
// depends on names, so the parser keeps it open: `[R]` and `[k]` are both a
// RegionLit with one dimension, and a bracketed list becomes a direction when
// `of`, `in` or the context say so.
//
// Depth: programs may be generated, or hostile. Every recursive rule counts its
// levels (Nesting) and every expression its height, because a sum of a million
// terms is parsed by a loop and yet makes a tree a million levels high. Above
// nestingLimit the parser says so and stops. Such chains, of operands and of
// `elsif` and `else if`, are no nesting to their author: a link counts for a
// twentieth of a level (linksPerLevel). All phases recurse over the tree; the
// driver gives them the stack that its greatest height takes.
//
// Cost: linear in the number of tokens; skipping after errors looks at each
// token a bounded number of times.
//
//===----------------------------------------------------------------------===//

#include "Parser.h"

using namespace llvm;

namespace zpl {

/// The End token stays under the cursor. A misspelt keyword is taken as what it
/// stands for.
Token Parser::take() {
  Token taken = token();
  taken.kind = kind();
  if (position + 1 < tokens.size())
    ++position;
  return taken;
}

bool Parser::accept(TokenKind wanted) {
  if (!is(wanted))
    return false;
  take();
  return true;
}

SourceRange Parser::rangeFrom(SourceRange begin) const {
  if (position == 0 || tokens[position - 1].range.file != begin.file ||
      tokens[position - 1].range.end < begin.begin)
    return begin;
  return begin.to(tokens[position - 1].range);
}

SourceRange Parser::endOfPrevious() const {
  if (position == 0)
    return {token().range.file, token().range.begin, token().range.begin};
  SourceRange before = tokens[position - 1].range;
  return {before.file, before.end, before.end};
}

bool Parser::firstOnLine(size_t ahead) const {
  size_t index = position + ahead;
  if (index == 0 || index >= tokens.size())
    return true;
  SourceRange before = tokens[index - 1].range, here = tokens[index].range;
  if (before.file != here.file)
    return true;
  return diags.sources()
      .text({here.file, before.end, here.begin})
      .contains('\n');
}

ast::Module Parser::parseModule() {
  ast::Module module;
  parseHeading(module);
  SmallVector<ast::Decl *, 64> decls;
  while (!is(TokenKind::End)) {
    size_t before = position;
    parseGlobal(decls);
    if (position == before)
      take();
  }
  module.decls.assign(decls.begin(), decls.end());
  return module;
}

ast::Module parse(const TokenBuffer &buffer, ast::Context &context,
                  DiagnosticEngine &diags) {
  return Parser(buffer, context, diags).parseModule();
}

} // namespace zpl
