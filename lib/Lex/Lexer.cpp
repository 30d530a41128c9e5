//===- Lexer.cpp - Text to tokens -----------------------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A hand-written scanner, one pass, longest token first. Three marks of ZPL
// mean different things in different places; the token before decides:
//
//     [north of "] writeln(" at d");   -- a quote token, then a string
//     B := A'@west;   c := '@';        -- the prime operator, then a character
//     var r: region<..>=R;             -- '>' '=', but a >= b elsewhere
//
// An operator or a name directly before `<<` or `||` is one token with it:
// `A*+<<B` is `A`, `*`, `+<<`, `B`. Operators of other languages (`==`, `&&`)
// are tokens too, so that the parser can name the right ones.
//
// What is no token is reported here and leaves an Error token, at which the
// parser keeps quiet. The text ends with a zero byte after its last byte, so
// looking at the next byte needs no test for the end; zero bytes inside make
// the file a binary one, which is refused before scanning.
//
// Cost: linear in the length of the text.
//
//===----------------------------------------------------------------------===//

#include "Lexer.h"
#include "zpl/Lex/Lex.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/FileSystem.h"
#include <array>

using namespace llvm;

namespace zpl {

Lexer::Lexer(LexState &state, uint32_t file) : state(state), file(file) {
  StringRef text = state.sources.text(file);
  textBegin = text.begin();
  textEnd = text.end();
  at = textBegin;
}

SourceRange Lexer::rangeOf(const char *begin, const char *end) const {
  return {file, static_cast<uint32_t>(begin - textBegin),
          static_cast<uint32_t>(end - textBegin)};
}

Token &Lexer::add(TokenKind kind, const char *begin) {
  Token token;
  token.kind = kind;
  token.range = rangeFrom(begin);
  state.buffer.tokens.push_back(token);
  lineIsFresh = false;
  return state.buffer.tokens.back();
}

TokenKind Lexer::lastKind() const {
  return state.buffer.tokens.empty() ? TokenKind::End
                                     : state.buffer.tokens.back().kind;
}

void Lexer::run() {
  StringRef text(textBegin, static_cast<size_t>(textEnd - textBegin));
  if (size_t zero = text.find('\0'); zero != StringRef::npos) {
    at = textBegin + zero;
    SourceRange range = rangeOf(at, at + 1);
    state.diags.report(range, Diag::BinaryFile, state.sources.name(file))
        .done();
    add(TokenKind::Error, at);
    return;
  }
  if (text.starts_with("\xEF\xBB\xBF")) // a byte order mark
    at += 3;
  for (skipBlanksAndComments(); !atEnd(); skipBlanksAndComments()) {
    lexToken();
    followAngles();
  }
}

//===----------------------------------------------------------------------===//
// Blanks and comments
//===----------------------------------------------------------------------===//

void Lexer::skipBlanksAndComments() {
  while (!atEnd()) {
    if (*at == '\n') {
      lineIsFresh = true;
      ++at;
    } else if (isSpace(*at)) {
      ++at;
    } else if (at[0] == '-' && at[1] == '-') {
      const char *begin = at + 2;
      while (!atEnd() && *at != '\n')
        ++at;
      noteComment(begin, at);
    } else if (at[0] == '/' && at[1] == '*') {
      blockComment();
    } else if (at[0] == '/' && at[1] == '/' && foreignComment()) {
      continue;
    } else {
      return;
    }
  }
}

void Lexer::blockComment() {
  const char *begin = at;
  at += 2;
  StringRef rest(at, static_cast<size_t>(textEnd - at));
  size_t close = rest.find("*/");
  if (close == StringRef::npos) {
    at = textEnd;
    state.diags.report(rangeOf(begin, begin + 2), Diag::UnterminatedComment)
        .done();
    add(TokenKind::Error, begin);
    return;
  }
  at += close + 2;
  noteComment(begin + 2, at - 2);
  if (rest.take_front(close).contains('\n'))
    lineIsFresh = true;
}

bool Lexer::foreignComment() {
  const char *begin = at;
  StringRef line =
      StringRef(at, static_cast<size_t>(textEnd - at)).take_until([](char c) {
        return c == '\n';
      });
  bool isBehindOperand =
      !lineIsFresh &&
      isOneOf(lastKind(), TokenKind::Name, TokenKind::Integer, TokenKind::Float,
              TokenKind::String, TokenKind::RParen, TokenKind::RBracket);
  if (isBehindOperand && StringRef(line).rtrim().ends_with(";"))
    return false;
  at += line.size();
  if (!hasForeignComments)
    state.diags.report(rangeOf(begin, begin + 2), Diag::ForeignComment, "//")
        .fixIt(rangeOf(begin, begin + 2), "--");
  hasForeignComments = true;
  return true;
}

void Lexer::noteComment(const char *begin, const char *end) {
  std::vector<TokenBuffer::Comment> &comments = state.buffer.comments;
  size_t last = state.buffer.tokens.size() - 1;
  if (lineIsFresh || (!comments.empty() && comments.back().token == last))
    return;
  while (begin != end && isSpace(*begin))
    ++begin;
  while (end != begin && isSpace(end[-1]))
    --end;
  comments.push_back({last, rangeOf(begin, end)});
}

//===----------------------------------------------------------------------===//
// Tokens
//===----------------------------------------------------------------------===//

void Lexer::lexToken() {
  const char *begin = at;
  char next = *at;
  if (isAlpha(next) || next == '_')
    return lexWord();
  if (isDigit(next) || (next == '.' && isDigit(at[1])))
    return lexNumber();
  if (next == '"') {
    if (!quoteTokenFits())
      return lexString();
    ++at;
    add(TokenKind::Quote, begin);
    return;
  }
  if (next == '\'') {
    if (!primeFits())
      return lexCharacter();
    ++at;
    add(TokenKind::Prime, begin);
    return;
  }
  if (next == '#' && lexDirective())
    return;
  if (!isPrint(next))
    return lexInvalidBytes();
  lexOperator();
}

bool Lexer::quoteTokenFits() const {
  return isOneOf(lastKind(), TokenKind::LBracket, TokenKind::Of, TokenKind::In,
                 TokenKind::With, TokenKind::Without, TokenKind::Swith,
                 TokenKind::Swithout);
}

bool Lexer::primeFits() const {
  if (at[1] != '@' || state.buffer.tokens.empty())
    return false;
  const Token &last = state.buffer.tokens.back();
  bool touches = last.range.file == file && textBegin + last.range.end == at;
  if (!touches)
    return false;
  // `T{}'@west`; a list that lacks a comma before '@' has a character.
  if (last.kind == TokenKind::RBrace)
    return at[2] != '\'';
  return isOneOf(last.kind, TokenKind::Name, TokenKind::RBracket,
                 TokenKind::RParen);
}

namespace {
struct Keyword {
  StringLiteral text;
  TokenKind kind;
};
} // namespace

/// In alphabetical order.
static constexpr Keyword keywords[] = {
#define KEYWORD(Id, text) {text, TokenKind::Id},
#include "zpl/Lex/Tokens.def"
};

/// For each letter, the index of the first keyword that does not begin with an
/// earlier one.
static constexpr std::array<uint8_t, 27> firstKeywords = [] {
  std::array<uint8_t, 27> firsts{};
  for (size_t letter = 0; letter < firsts.size(); ++letter)
    for (const Keyword &keyword : keywords)
      firsts[letter] +=
          keyword.text.data()[0] < static_cast<char>('a' + letter);
  return firsts;
}();

static TokenKind wordKind(StringRef word) {
  if (word[0] < 'a')
    return TokenKind::Name;
  size_t letter = static_cast<size_t>(word[0] - 'a');
  for (size_t at = firstKeywords[letter]; at < firstKeywords[letter + 1]; ++at)
    if (keywords[at].text == word)
      return keywords[at].kind;
  return TokenKind::Name;
}

void Lexer::lexWord() {
  const char *begin = at;
  while (isAlnum(*at) || *at == '_')
    ++at;
  StringRef word(begin, static_cast<size_t>(at - begin));
  TokenKind kind = wordKind(word);
  if (kind != TokenKind::Name || !lexOpToken(begin, at))
    add(kind, begin);
}

bool Lexer::lexOpToken(const char *begin, const char *opEnd) {
  bool reduces = opEnd[0] == '<' && opEnd[1] == '<';
  bool scans = opEnd[0] == '|' && opEnd[1] == '|';
  if (!reduces && !scans)
    return false;
  at = opEnd + 2;
  add(reduces ? TokenKind::Reduce : TokenKind::ScanOp, begin);
  return true;
}

static TokenKind operatorKind(StringRef spelling) {
  return StringSwitch<TokenKind>(spelling)
#define PUNCT(Id, text) .Case(text, TokenKind::Id)
#include "zpl/Lex/Tokens.def"
      .Default(TokenKind::Error);
}

/// The operators of one character, by that character.
static constexpr std::array<TokenKind, 128> singleKinds = [] {
  std::array<TokenKind, 128> kinds{};
  kinds.fill(TokenKind::Error);
#define PUNCT(Id, text)                                                        \
  if (sizeof(text) == 2)                                                       \
    kinds[static_cast<size_t>(text[0])] = TokenKind::Id;
#include "zpl/Lex/Tokens.def"
  return kinds;
}();

/// May the character be the second of an operator?
static bool continuesOperator(char c) {
  return c == '=' || c == '.' || c == ':' || c == '^' || c == '>' || c == '&' ||
         c == '|';
}

/// `region`, `direction` ... before `<`: a type with components. `+||`: a scan
/// with options.
static bool takesAngles(TokenKind kind) {
  return isOneOf(kind, TokenKind::Region, TokenKind::Direction, TokenKind::Grid,
                 TokenKind::Distribution, TokenKind::ScanOp);
}

void Lexer::lexOperator() {
  const char *begin = at;
  bool takesOp = *at == '+' || *at == '*' || *at == '&' || *at == '|';
  if (takesOp && lexOpToken(begin, at + 1))
    return;
  bool single =
      !continuesOperator(at[1]) || (*at == '<' && takesAngles(lastKind())) ||
      (*at == '>' && inAngles) ||
      StringRef(at, static_cast<size_t>(textEnd - at)).starts_with("||<<");
  size_t longest = std::min<size_t>(3, static_cast<size_t>(textEnd - at));
  for (size_t length = single ? 1 : longest; length > 1; --length) {
    TokenKind kind = operatorKind(StringRef(begin, length));
    if (kind == TokenKind::Error)
      continue;
    at = begin + length;
    add(kind, begin);
    return;
  }
  ++at;
  TokenKind kind = singleKinds[static_cast<unsigned char>(*begin)];
  if (kind == TokenKind::Error)
    state.diags
        .report(rangeFrom(begin), Diag::InvalidCharacter, StringRef(begin, 1))
        .done();
  add(kind, begin);
}

void Lexer::followAngles() {
  TokenKind last = lastKind();
  if (last == TokenKind::Less) {
    size_t count = state.buffer.tokens.size();
    inAngles = count > 1 && takesAngles(state.buffer.tokens[count - 2].kind);
    return;
  }
  inAngles &= isOneOf(last, TokenKind::DotDot, TokenKind::Dot, TokenKind::Star,
                      TokenKind::ColonColon, TokenKind::Comma, TokenKind::Plus,
                      TokenKind::Minus, TokenKind::Integer, TokenKind::Name,
                      TokenKind::LBracket, TokenKind::RBracket);
}

void Lexer::lexInvalidBytes() {
  const char *begin = at;
  while (!atEnd() && !isPrint(*at) && !isSpace(*at))
    ++at;
  size_t count = static_cast<size_t>(at - begin);
  std::string what = std::to_string(count) +
                     (count == 1 ? " byte that is" : " bytes that are");
  state.diags.report(rangeFrom(begin), Diag::InvalidBytes, what).done();
  add(TokenKind::Error, begin);
}

//===----------------------------------------------------------------------===//
// Entry
//===----------------------------------------------------------------------===//

TokenBuffer lex(uint32_t file, SourceManager &sources, DiagnosticEngine &diags,
                ArrayRef<std::string> includePaths, StringRef library) {
  LexState state{sources, diags, includePaths, library, {}, {}, {}};
  SmallString<128> path;
  if (sys::fs::real_path(sources.name(file), path))
    path = sources.name(file);
  state.openFiles.push_back(path.str().str());
  state.buffer.tokens.reserve(sources.text(file).size() / 4 + 16);

  Lexer(state, file).run();

  Token end;
  uint32_t size = static_cast<uint32_t>(sources.text(file).size());
  end.range = {file, size, size};
  state.buffer.tokens.push_back(end);
  return std::move(state.buffer);
}

} // namespace zpl
