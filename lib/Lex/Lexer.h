//===- Lexer.h - The scanner of one file ------------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_LEX_LEXER_H
#define ZPL_LIB_LEX_LEXER_H

#include "zpl/Lex/Token.h"
#include "zpl/Support/Diagnostic.h"
#include "llvm/ADT/ArrayRef.h"

namespace zpl {

/// What the lexers of a program and of its included files share.
struct LexState {
  SourceManager &sources;
  DiagnosticEngine &diags;
  llvm::ArrayRef<std::string> includePaths;
  TokenBuffer buffer;
  std::vector<std::string> openFiles; ///< real paths, the main file first
  unsigned includes = 0;              ///< so far
};

/// Scans one file; its cursor is a pointer into a text that ends with a zero
/// byte (which may also stand inside).
class Lexer {
public:
  Lexer(LexState &state, uint32_t file);

  /// Appends the file's tokens to the buffer, without an End.
  void run();

private:
  // Lexer.cpp
  void lexToken();
  void lexWord();
  void lexOperator();
  bool lexOpToken(const char *begin, const char *opEnd);
  void lexInvalidBytes();
  void skipBlanksAndComments();
  void blockComment();
  bool foreignComment();
  void noteComment(const char *begin, const char *end);
  bool quoteTokenFits() const;
  bool primeFits() const;
  void followAngles();

  // Literals.cpp
  void lexNumber();
  void lexHex();
  void lexFloat(const char *begin);
  void lexString();
  void lexCharacter();
  void badCharacter(SourceRange range, const std::string &bytes);
  bool lexEscape(std::string &bytes);
  bool lexNumericEscape(std::string &bytes, const char *begin);
  void unterminated(const char *begin, DiagWith<> id);

  // Includes.cpp
  bool lexDirective();
  bool isFirstOnLine() const;
  void include(llvm::StringRef path, SourceRange range);
  llvm::ErrorOr<uint32_t> openInclude(llvm::StringRef path);

  // Helpers.
  Token &add(TokenKind kind, const char *begin);
  SourceRange rangeOf(const char *begin, const char *end) const;
  SourceRange rangeFrom(const char *begin) const { return rangeOf(begin, at); }
  bool atEnd() const { return at == textEnd; }
  TokenKind lastKind() const;

  LexState &state;
  uint32_t file;
  const char *textBegin;
  const char *textEnd;
  const char *at;
  /// No token of this file stands before the cursor on its line.
  bool hasForeignComments = false; ///< one was reported
  bool lineIsFresh = true;
  /// Inside `region<...>` or `+||<...>`, where `>` is a token of its own.
  bool inAngles = false;
};

} // namespace zpl

#endif // ZPL_LIB_LEX_LEXER_H
