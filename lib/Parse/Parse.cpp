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

#include "Cursor.h"
#include "ParseDecl.h"
#include "Parsing.h"
#include "Recovery.h"

using namespace llvm;

namespace zpl {

Token take(Parsing &p) {
  Token taken = token(p);
  taken.kind = kind(p);
  if (p.position + 1 < p.tokens.size())
    ++p.position;
  return taken;
}

bool accept(Parsing &p, TokenKind wanted) {
  if (!is(p, wanted))
    return false;
  take(p);
  return true;
}

SourceRange rangeFrom(const Parsing &p, SourceRange begin) {
  if (p.position == 0 || p.tokens[p.position - 1].range.file != begin.file ||
      p.tokens[p.position - 1].range.end < begin.begin)
    return begin;
  return begin.to(p.tokens[p.position - 1].range);
}

SourceRange endOfPrevious(const Parsing &p) {
  if (p.position == 0)
    return {token(p).range.file, token(p).range.begin, token(p).range.begin};
  SourceRange before = p.tokens[p.position - 1].range;
  return {before.file, before.end, before.end};
}

bool firstOnLine(const Parsing &p, size_t ahead) {
  size_t index = p.position + ahead;
  if (index == 0 || index >= p.tokens.size())
    return true;
  SourceRange before = p.tokens[index - 1].range, here = p.tokens[index].range;
  if (before.file != here.file)
    return true;
  return p.diags.sources()
      .text({here.file, before.end, here.begin})
      .contains('\n');
}

static ast::Module parseModule(Parsing &p) {
  ast::Module module;
  parseHeading(p, module);
  SmallVector<ast::Decl *, 64> decls;
  while (!is(p, TokenKind::End)) {
    size_t before = p.position;
    parseGlobal(p, decls);
    if (p.position == before)
      take(p);
  }
  module.decls.assign(decls.begin(), decls.end());
  // `read(f, S)` of a variable S gives it a pattern.
  module.hasWhere = p.sawWhere || (p.sawRegionType && p.sawRead);
  return module;
}

ast::Module parse(const TokenBuffer &buffer, ast::Context &context,
                  DiagnosticEngine &diags) {
  Parsing parsing(buffer, context, diags);
  return parseModule(parsing);
}

} // namespace zpl
