//===- Lexer.h - Tokens of the array IR's text form -------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Tokens of the array IR's text form. Names and strings keep their quotes
/// until unquote(); nothing is reported, an Error token has the message.
///
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_ARRAYIR_TEXT_LEXER_H
#define ZPL_LIB_ARRAYIR_TEXT_LEXER_H

#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <string>
#include <vector>

namespace zpl::air {

struct Token {
  enum Kind : uint8_t {
    End,    ///< of the text; always the last token
    Error,  ///< bytes that are no token; `text` is the message
    Word,   ///< a keyword, type, operator
    Local,  ///< %name
    Global, ///< @name
    Number, ///< 12, -3.5e7, -inf, 0x7FF8000000000001
    String, ///< "..." with its quotes
    Punct   ///< ( ) [ ] { } < > , : = . .. -> @ # *
  } kind = End;
  bool startsLine = false;     ///< nothing but blanks before it on its line
  uint32_t begin = 0, end = 0; ///< byte offsets
  llvm::StringRef text;        ///< as written

  /// Is it the word or the mark \p wanted? Names, numbers and strings never
  /// are.
  bool is(llvm::StringRef wanted) const {
    return (kind == Word || kind == Punct) && text == wanted;
  }
};

/// All tokens of \p text, which must outlive them. An Error token may stand
/// anywhere, with its message as text; End is last.
std::vector<Token> lex(llvm::StringRef text);

/// Does \p name need no quotes after % or @?
bool isPlainName(llvm::StringRef name);

/// \p text as `"..."`, with escapes.
std::string quote(llvm::StringRef text);

/// What \p token, a whole String token with its quotes, means.
std::string unquote(llvm::StringRef token);

} // namespace zpl::air

#endif // ZPL_LIB_ARRAYIR_TEXT_LEXER_H
