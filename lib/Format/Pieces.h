//===- Pieces.h - A text as tokens, comments and blanks ---------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_FORMAT_PIECES_H
#define ZPL_LIB_FORMAT_PIECES_H

#include "zpl/Lex/Token.h"
#include "llvm/Support/Error.h"

namespace zpl {

/// A token, a comment or a line `#include`, and the blanks before it.
struct Piece {
  enum Kind : uint8_t { IsToken, LineComment, BlockComment, Directive } kind;
  TokenKind token = TokenKind::End; ///< IsToken
  llvm::StringRef text = {};        ///< lives as long as the source
  unsigned newlines = 0;            ///< before it, since the piece before
  unsigned column = 0;              ///< where it begins, from 0
  unsigned gap = 0;                 ///< blanks before it on its line
  unsigned width = 0;               ///< characters, up to its first line's end

  /// Of either kind.
  bool isComment() const { return kind == LineComment || kind == BlockComment; }
  /// Whether it is a token of that kind.
  bool is(TokenKind wanted) const { return kind == IsToken && token == wanted; }
  unsigned end() const { return column + width; } ///< the column behind it
};

/// Cuts \p text, which must outlive the pieces. Fails with the first message of
/// the lexer, if there is one.
llvm::Expected<std::vector<Piece>> cut(llvm::StringRef name,
                                       llvm::StringRef text);

/// Whether both have the same pieces, blanks apart.
bool haveSamePieces(const std::vector<Piece> &a, const std::vector<Piece> &b);

/// How many blanks, 0 or 1, are between two tokens on a line; none: either is
/// right. For operators \p isSpaced says whether the author has blanks around.
std::optional<unsigned> blanksBetween(const Piece &before, const Piece &after);

/// Whether tokens of this kind, that stand behind \p before, have operands on
/// both sides.
bool isBinary(TokenKind kind, const Piece &before);

} // namespace zpl

#endif // ZPL_LIB_FORMAT_PIECES_H
