//===- Pieces.cpp - A text as tokens, comments and blanks -----------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     A := B;  -- so far      ->   A   :=   B   ;   -- so far
//
// The tokens are the lexer's, the rest is what it left between them. Lines
// `#include` are kept as they are and not followed: the lexer sees blanks in
// their place, so a text can be formatted without the files that it includes.
//
// Cost: linear in the text.
//
//===----------------------------------------------------------------------===//

#include "Pieces.h"
#include "zpl/Format/Trivia.h"
#include "zpl/Lex/Lex.h"
#include "zpl/Support/Diagnostic.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace zpl {

/// The text with blanks for the lines `#word`, as many bytes.
static std::string withoutDirectives(StringRef text) {
  std::string result = text.str();
  for (size_t at = 0; at < text.size();) {
    size_t end = std::min(text.find('\n', at), text.size());
    StringRef line = text.slice(at, end).ltrim(" \t");
    bool isDirective = line.consume_front("#") && !line.ltrim(" \t").empty() &&
                       isAlpha(line.ltrim(" \t")[0]);
    if (isDirective)
      std::fill(result.begin() + static_cast<long>(at),
                result.begin() + static_cast<long>(end), ' ');
    at = end + 1;
  }
  return result;
}

static bool continuesCharacter(char c) {
  return (static_cast<unsigned char>(c) & 0xC0) == 0x80;
}

/// Moves over text and counts columns.
static unsigned columnAfter(StringRef text, unsigned column) {
  for (char c : text) {
    if (c == '\n')
      column = 0;
    else if (c == '\t')
      column = column / 8 * 8 + 8;
    else
      column += !continuesCharacter(c) && c != '\r';
  }
  return column;
}

namespace {
struct Cutting {
  StringRef text;
  std::vector<Piece> pieces;
  uint32_t at = 0;     ///< what is cut
  unsigned column = 0; ///< there
};
} // namespace

static void addPiece(Cutting &c, Piece piece, uint32_t begin, uint32_t end) {
  StringRef blanks = c.text.slice(c.at, begin);
  unsigned before = c.column;
  piece.newlines = static_cast<unsigned>(blanks.count('\n'));
  piece.column = columnAfter(blanks, before);
  piece.gap = piece.newlines ? piece.column : piece.column - before;
  piece.text = c.text.slice(begin, end);
  piece.width =
      columnAfter(piece.text.take_until([](char x) { return x == '\n'; }),
                  piece.column) -
      piece.column;
  c.column = columnAfter(piece.text, piece.column);
  c.at = end;
  c.pieces.push_back(piece);
}

static void addGap(Cutting &c, uint32_t end) {
  for (const Trivia &trivia : triviaBetween(c.text, c.at, end)) {
    Piece piece{trivia.kind == Trivia::LineComment    ? Piece::LineComment
                : trivia.kind == Trivia::BlockComment ? Piece::BlockComment
                                                      : Piece::Directive};
    addPiece(c, piece, trivia.begin, trivia.end);
  }
}

/// What a token is to the style: `export` before what it exports is laid out
/// like `extern`.
static TokenKind kindOf(const Cutting &c, ArrayRef<Token> tokens, size_t at) {
  const Token &token = tokens[at];
  bool isExport =
      token.kind == TokenKind::Name && at + 1 < tokens.size() &&
      isOneOf(tokens[at + 1].kind, TokenKind::Var, TokenKind::Procedure) &&
      c.text.slice(token.range.begin, token.range.end) == "export";
  return isExport ? TokenKind::Extern : token.kind;
}

Expected<std::vector<Piece>> cut(StringRef name, StringRef text) {
  SourceManager sources;
  DiagnosticEngine diags(sources);
  uint32_t file = sources.add(name, withoutDirectives(text));
  TokenBuffer tokens = lex(file, sources, diags);
  for (const auto &message : diags.messages())
    if (message->severity == Severity::Error) {
      LineColumn place = sources.lineColumn(message->range);
      return createStringError(inconvertibleErrorCode(),
                               name + ":" + Twine(place.line) + ":" +
                                   Twine(place.column) +
                                   ": error: " + message->text);
    }
  Cutting c{text, {}};
  if (text.starts_with("\xEF\xBB\xBF"))
    c.at = 3;
  for (const auto &[at, token] : enumerate(tokens.tokens)) {
    addGap(c, token.range.begin);
    if (token.kind != TokenKind::End)
      addPiece(c, {Piece::IsToken, kindOf(c, tokens.tokens, at)},
               token.range.begin, token.range.end);
  }
  return std::move(c.pieces);
}

bool haveSamePieces(const std::vector<Piece> &a, const std::vector<Piece> &b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const Piece &x, const Piece &y) {
                      return x.kind == y.kind && x.token == y.token &&
                             x.text == y.text;
                    });
}

} // namespace zpl
