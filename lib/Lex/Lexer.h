//===- Lexer.h - The scanner of one file ------------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The lexer of one file. Included files have lexers of their own, which add to
/// the same buffer (LexState). Errors are reported at once and leave an Error
/// token or a value to go on with; nothing ends the scan before the text ends.
///
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_LEX_LEXER_H
#define ZPL_LIB_LEX_LEXER_H

#include "zpl/Lex/Token.h"
#include "zpl/Support/Diagnostic.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringSet.h"

namespace zpl {

/// What the lexers of a program and of its included files share.
struct LexState {
  SourceManager &sources;
  DiagnosticEngine &diags;
  llvm::ArrayRef<std::string> includePaths;
  llvm::StringRef library; ///< the folder of `#include <...>`
  TokenBuffer buffer;
  std::vector<std::string> openFiles; ///< real paths, the main file first
  llvm::StringSet<> libraryFiles;     ///< included: each once
  unsigned includes = 0;              ///< so far
};

/// Scans one file; its cursor is a pointer into a text that ends with a zero
/// byte (which may also stand inside).
class Lexer {
public:
  /// Before the first byte of the file numbered \p file in the sources of
  /// \p state, which must outlive it.
  Lexer(LexState &state, uint32_t file);

  /// Appends the file's tokens to the buffer, without an End.
  void run();

private:
  // Lexer.cpp

  /// At a byte that is no blank: one token, or `#include` and all tokens of
  /// that file. Bytes that begin none are reported and give an Error token.
  void lexToken();

  /// A keyword, a name, or with `<<` or `||` directly after it the fold
  /// operator of that name, `max<<`.
  void lexWord();

  /// The longest operator that begins here, except where its parts belong apart
  /// (`>` in `region<..,*>`).
  void lexOperator();

  /// Makes one token of the operator or name between \p begin and \p opEnd and
  /// the `<<` or `||` after it, if there is one.
  bool lexOpToken(const char *begin, const char *opEnd);

  /// One message for a run of control characters and bytes above 127.
  void lexInvalidBytes();

  /// Up to the next token, also over `-- ...` to the end of the line and
  /// `/* ... */`.
  void skipBlanksAndComments();

  /// At `/*`: skips to after the `*/`. If there is none that is reported, and
  /// an Error token stands for the rest of the file.
  void blockComment();

  /// At `//`: skips a comment of other languages, of which the first in a file
  /// is reported. After an operand it may be an operator, `k // 2;`: then the
  /// line ends as a statement does. Returns false if so.
  bool foreignComment();

  /// Keeps the comment between \p begin and \p end if it is the first one after
  /// a token on its line.
  void noteComment(const char *begin, const char *end);

  /// At `"`: is it the enclosing region, as in `with "`, and no string? The
  /// token before it tells: `[`, `of`, `in`, `with` and the like.
  bool quoteTokenFits() const;

  /// At `'`: is it the prime of `A'@west`, and no character? Only directly
  /// after a name or a closing bracket and in front of `@`.
  bool primeFits() const;

  /// Keeps track of `region<..,*>` and `+||<segment m[1]>` after a token has
  /// been added.
  void followAngles();

  // Literals.cpp

  /// At a digit: `12`, `0x1F`, `1.5e-3`. A number that is too large is
  /// reported.
  void lexNumber();

  /// At `0x`: reports missing digits and a number that is too large.
  void lexHex();

  /// After the first digits of a number that has a point or an exponent.
  void lexFloat(const char *begin);

  /// At `"`: a string up to the next one on the line, its escapes replaced. A
  /// missing end is reported.
  void lexString();

  /// At `'`: one character or escape, `'a'`, `'\n'`. A missing end, nothing,
  /// and more than one are reported.
  void lexCharacter();

  /// What is longer than a character was meant as a string.
  void badCharacter(SourceRange range, const std::string &bytes);

  /// At a backslash: adds to \p bytes what it and the next byte, or digits,
  /// stand for. False if the line ends after it. A wrong escape is reported and
  /// stands for some byte.
  bool lexEscape(std::string &bytes);

  /// After the backslash of `\101` or `\x41`.
  bool lexNumericEscape(std::string &bytes, const char *begin);

  /// Drops the rest of the line and leaves an Error token for it.
  void unterminated(const char *begin, DiagWith<> id);

  // Includes.cpp

  /// At `#`: handles a line `#word ...` and returns true, or leaves the `#`
  /// alone (a remap may begin a line: `#[I, J]`).
  bool lexDirective();

  /// Do only blanks stand before the cursor on its line?
  bool isFirstOnLine() const;

  /// Reads the tokens of the file at \p path here, if it is not being read
  /// already. Reports at \p range a file that cannot be read, one that includes
  /// itself, and too many.
  void include(llvm::StringRef path, SourceRange range);

  /// The same for the library file \p name, unless it was included before.
  /// Reports at \p range one that is not there.
  void includeLibrary(llvm::StringRef name, SourceRange range);

  /// The number of the file for \p path: tries the places in order, that of the
  /// including file first. The first file that is there counts, readable or
  /// not; else the error.
  llvm::ErrorOr<uint32_t> openInclude(llvm::StringRef path);

  // Helpers.

  /// Appends a token from \p begin to the cursor; the reference holds until the
  /// next one.
  Token &add(TokenKind kind, const char *begin);

  /// From \p begin to before \p end, pointers into this file's text.
  SourceRange rangeOf(const char *begin, const char *end) const;

  /// From \p begin to the cursor.
  SourceRange rangeFrom(const char *begin) const { return rangeOf(begin, at); }

  /// Is the whole text read? A zero byte in it is not its end.
  bool atEnd() const { return at == textEnd; }

  /// The kind of the last token, of whatever file; End if there is none.
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
