//===- Token.h - Tokens and their buffer ------------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_LEX_TOKEN_H
#define ZPL_LEX_TOKEN_H

#include "zpl/Support/SourceManager.h"
#include <deque>
#include <string>
#include <vector>

namespace zpl {

enum class TokenKind : uint8_t {
#define TOKEN(Id, description) Id,
#define PUNCT(Id, text) Id,
#define KEYWORD(Id, text) Id,
#include "zpl/Lex/Tokens.def"
};

/// The text of a keyword or punctuation; else what the kind is: "a name".
llvm::StringRef text(TokenKind kind);
/// "Name", "LParen": for --dump-tokens.
llvm::StringRef kindName(TokenKind kind);
/// Is it a reserved word?
bool isKeyword(TokenKind kind);
template <typename... Kinds> bool isOneOf(TokenKind kind, Kinds... kinds) {
  return ((kind == kinds) || ...);
}

struct Token {
  TokenKind kind = TokenKind::End;
  SourceRange range;
  union {
    uint64_t integer = 0; ///< Integer
    double floating;      ///< Float
    size_t string;        ///< String, Character: index of its bytes
  };
};

/// The tokens of a program, those of included files in their places; the last
/// one is End, with an empty range at the end of the main file.
struct TokenBuffer {
  std::vector<Token> tokens;
  /// Contents of string and character literals, escapes resolved.
  std::deque<std::string> strings;

  /// A comment that follows a token on its line, without its marks and the
  /// blanks around.
  struct Comment {
    size_t token; ///< index of the token before it
    SourceRange range;
  };
  std::vector<Comment> comments; ///< ascending; at most one per token

  /// The comment that follows the token on its line; invalid if there is none.
  SourceRange commentAfter(size_t token) const;
};

} // namespace zpl

#endif // ZPL_LEX_TOKEN_H
