//===- Literals.cpp - Numbers, strings, characters ------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Numbers stop as early as the language demands: `1..n` is `1`, `..`, `n`;
// `1to` is `1`, `to`; `1e` is `1`, `e`. A `.` after digits belongs to the
// number unless another one follows, an exponent only if it has digits.
//
// Strings and characters have the escapes of C and end on their line. Their
// bytes go to the buffer's strings. A wrong escape is reported, left out, and
// the literal goes on.
//
//===----------------------------------------------------------------------===//

#include "Lexer.h"
#include "llvm/ADT/StringExtras.h"
#include <charconv>
#include <cmath>
#include <cstdlib>

using namespace llvm;

namespace zpl {

/// Long literals are quoted in part.
static std::string shortened(StringRef text) {
  constexpr size_t limit = 40;
  return text.size() <= limit ? text.str()
                              : (text.take_front(limit) + "...").str();
}

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

void Lexer::lexNumber() {
  const char *begin = at;
  if (at[0] == '0' && (at[1] == 'x' || at[1] == 'X'))
    return lexHex();
  uint64_t value = 0;
  bool overflow = false;
  for (; isDigit(*at); ++at) {
    overflow |= __builtin_mul_overflow(value, uint64_t(10), &value);
    overflow |= __builtin_add_overflow(value, uint64_t(*at - '0'), &value);
  }
  const char *exponent = at;
  if (*exponent == 'e' || *exponent == 'E') {
    ++exponent;
    exponent += *exponent == '+' || *exponent == '-';
  }
  if ((*at == '.' && at[1] != '.') || (exponent != at && isDigit(*exponent)))
    return lexFloat(begin);
  Token &token = add(TokenKind::Integer, begin);
  token.integer = overflow ? ~uint64_t(0) : value;
  if (overflow)
    state.diags
        .report(token.range, Diag::IntegerTooLarge,
                shortened(state.sources.text(token.range)))
        .done();
}

void Lexer::lexHex() {
  const char *begin = at;
  at += 2;
  const char *digits = at;
  uint64_t value = 0;
  bool overflow = false;
  for (; isHexDigit(*at); ++at) {
    overflow |= (value >> 60) != 0;
    value = value << 4 | hexDigitValue(*at);
  }
  Token &token = add(TokenKind::Integer, begin);
  token.integer = overflow ? ~uint64_t(0) : value;
  StringRef text = state.sources.text(token.range);
  if (at == digits)
    state.diags.report(token.range, Diag::HexWithoutDigits, text).done();
  if (overflow)
    state.diags.report(token.range, Diag::IntegerTooLarge, shortened(text))
        .done();
}

void Lexer::lexFloat(const char *begin) {
  if (*at == '.') {
    ++at;
    while (isDigit(*at))
      ++at;
  }
  if (*at == 'e' || *at == 'E') {
    const char *digits = at + 1;
    digits += *digits == '+' || *digits == '-';
    if (isDigit(*digits)) {
      at = digits;
      while (isDigit(*at))
        ++at;
    }
  }
  double value = 0;
  if (std::from_chars(begin, at, value).ec != std::errc())
    value = std::strtod(std::string(begin, at).c_str(), nullptr);
  Token &token = add(TokenKind::Float, begin);
  token.floating = value;
  if (std::isinf(value))
    state.diags
        .report(token.range, Diag::FloatTooLarge,
                shortened(state.sources.text(token.range)))
        .done();
}

//===----------------------------------------------------------------------===//
// Strings and characters
//===----------------------------------------------------------------------===//

void Lexer::unterminated(const char *begin, DiagWith<> id) {
  while (!atEnd() && *at != '\n')
    ++at;
  const char *end = at;
  while (end != begin && isSpace(end[-1]))
    --end;
  state.diags.report(rangeOf(begin, end), id).done();
  add(TokenKind::Error, begin);
}

void Lexer::lexString() {
  const char *begin = at++;
  std::string bytes;
  while (*at != '"') {
    if (atEnd() || *at == '\n')
      return unterminated(begin, Diag::UnterminatedString);
    if (*at != '\\')
      bytes += *at++;
    else if (!lexEscape(bytes))
      return unterminated(begin, Diag::UnterminatedString);
  }
  ++at;
  add(TokenKind::String, begin).string = state.buffer.strings.size();
  state.buffer.strings.push_back(std::move(bytes));
}

void Lexer::lexCharacter() {
  const char *begin = at++;
  std::string bytes;
  while (*at != '\'') {
    if (atEnd() || *at == '\n')
      return unterminated(begin, Diag::UnterminatedCharacter);
    if (*at != '\\')
      bytes += *at++;
    else if (!lexEscape(bytes))
      return unterminated(begin, Diag::UnterminatedCharacter);
  }
  ++at;
  Token &token = add(TokenKind::Character, begin);
  token.string = state.buffer.strings.size();
  if (bytes.size() != 1)
    badCharacter(token.range, bytes);
  state.buffer.strings.push_back(std::move(bytes));
}

void Lexer::badCharacter(SourceRange range, const std::string &bytes) {
  bool isString = bytes.size() > 1 && !StringRef(bytes).contains('"');
  auto report =
      state.diags.report(range, Diag::BadCharacter, bytes.size(),
                         isString ? "; a string stands in double quotes" : "");
  if (isString)
    report.fixIt({range.file, range.begin, range.begin + 1}, "\"")
        .fixIt({range.file, range.end - 1, range.end}, "\"");
}

bool Lexer::lexEscape(std::string &bytes) {
  static constexpr StringLiteral letters = "ntabfrv\\\"'?";
  static constexpr StringLiteral meanings = "\n\t\a\b\f\r\v\\\"'?";
  const char *begin = at++;
  if (atEnd() || *at == '\n' || (*at == '\r' && at[1] == '\n'))
    return false;
  if (*at == 'x' || (*at >= '0' && *at <= '7'))
    return lexNumericEscape(bytes, begin);
  size_t which = letters.find(*at++);
  bytes += which != StringRef::npos ? meanings[which] : '?';
  if (which == StringRef::npos)
    state.diags
        .report(rangeFrom(begin), Diag::UnknownEscape,
                StringRef(begin, static_cast<size_t>(at - begin)))
        .done();
  return true;
}

bool Lexer::lexNumericEscape(std::string &bytes, const char *begin) {
  unsigned value = 0;
  size_t digits = 0;
  if (*at == 'x') {
    for (++at; isHexDigit(*at); ++at, ++digits)
      value = std::min(value * 16 + hexDigitValue(*at), 256u);
  } else {
    for (; digits < 3 && *at >= '0' && *at <= '7'; ++at, ++digits)
      value = value * 8 + static_cast<unsigned>(*at - '0');
  }
  std::string text =
      shortened(StringRef(begin, static_cast<size_t>(at - begin)));
  if (digits == 0)
    state.diags.report(rangeFrom(begin), Diag::UnknownEscape, text).done();
  else if (value > 255)
    state.diags.report(rangeFrom(begin), Diag::EscapeTooLarge, text).done();
  bytes += static_cast<char>(value);
  return true;
}

} // namespace zpl
