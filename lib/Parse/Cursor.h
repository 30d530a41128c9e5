//===- Cursor.h - The tokens ahead ------------------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Looking at tokens and going past them. Nothing here reports anything. Tokens
/// are named by how far ahead of the cursor they stand, 0 being the current
/// one.
///
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_PARSE_CURSOR_H
#define ZPL_LIB_PARSE_CURSOR_H

#include "Habits/ForeignDecls.h"
#include "Parsing.h"

namespace zpl {

/// The token \p ahead of the cursor; the last one, Eof, from the end on.
inline const Token &token(const Parsing &p, size_t ahead = 0) {
  size_t index = p.position + ahead;
  return p.tokens[index < p.tokens.size() ? index : p.tokens.size() - 1];
}

/// Its kind: what a misspelt keyword stands for, Name for a keyword that the
/// program uses as one.
inline TokenKind kind(const Parsing &p, size_t ahead = 0) {
  if (p.position + ahead == p.correctedPosition)
    return p.correctedKind;
  TokenKind own = token(p, ahead).kind;
  bool isName =
      p.namedKeywords[static_cast<size_t>(own)] && isUsedAsName(p, ahead);
  return isName ? TokenKind::Name : own;
}

/// Whether the current token is that.
inline bool is(const Parsing &p, TokenKind wanted) { return kind(p) == wanted; }

/// Whether it is one of those.
template <typename... Kinds> bool isAny(const Parsing &p, Kinds... kinds) {
  return isOneOf(kind(p), kinds...);
}

/// The token as it is written.
inline llvm::StringRef textOf(const Parsing &p, const Token &t) {
  return p.diags.sources().text(t.range);
}

/// Is the current token the name \p word, a keyword only here?
inline bool isWord(const Parsing &p, llvm::StringRef word) {
  return is(p, TokenKind::Name) && textOf(p, token(p)) == word;
}

/// Where \p range begins in its line, from 1.
inline unsigned columnOf(const Parsing &p, SourceRange range) {
  return p.diags.sources().lineColumn(range).column;
}

/// A node of the tree, which the context owns.
template <typename T, typename... Args> T *make(Parsing &p, Args &&...args) {
  return p.context.make<T>(std::forward<Args>(args)...);
}

/// The current token with the kind that it counts as; goes past it. The End
/// token stays under the cursor.
Token take(Parsing &p);

/// Goes past the current token if it is \p wanted; says whether.
bool accept(Parsing &p, TokenKind wanted);

/// From \p begin to the end of the token before the cursor.
SourceRange rangeFrom(const Parsing &p, SourceRange begin);

/// Empty, at the end of the token before the cursor.
SourceRange endOfPrevious(const Parsing &p);

/// Whether the token is the first one of its line.
bool firstOnLine(const Parsing &p, size_t ahead = 0);

/// The region that stands alone in \p region's brackets, `[R]` being R only if
/// R is region syntax; else \p region itself.
ast::Expr *unwrap(ast::RegionLit *region);

/// Is it the keyword of a type that values are converted to?
bool isScalarType(TokenKind kind);

} // namespace zpl

#endif // ZPL_LIB_PARSE_CURSOR_H
