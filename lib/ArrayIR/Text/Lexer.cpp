//===- Lexer.cpp - Tokens of the array IR's text form ---------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Cuts
//
//     [%R] %B = add(%A@(-1,0), f64 4.0)  -- a comment
//
// into `[` `%R` `]` `%B` `=` `add` `(` `%A` `@` `(` `-1` ... One pass over the
// bytes; the tokens point into the text.
//
// A name may contain points but neither two in a row nor one at its end, so
// that `%lo..%hi` is three tokens. An at-sign is the start of a global name if
// a name or a quote follows, else it stands alone (`@(`). A word may contain
// single hyphens (`missing-return`); two start a comment.
//
//===----------------------------------------------------------------------===//

#include "Text/Lexer.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace zpl::air {
namespace {

bool isNameByte(char c) { return isAlnum(c) || c == '_' || c == '$'; }

class Lexer {
public:
  explicit Lexer(StringRef text) : text(text) {}

  std::vector<Token> run() {
    while (skipBlanks()) {
      start = at;
      token(text[at]);
    }
    start = at;
    push(Token::End);
    return std::move(tokens);
  }

private:
  char peek(size_t ahead = 0) const {
    return at + ahead < text.size() ? text[at + ahead] : '\0';
  }

  /// False at the end of the text.
  bool skipBlanks() {
    for (; at < text.size(); ++at) {
      if (text[at] == '\n')
        freshLine = true;
      else if (text.substr(at, 2) == "--")
        at = std::min(text.find('\n', at), text.size()) - 1;
      else if (!isSpace(text[at]))
        return true;
    }
    return false;
  }

  void push(Token::Kind kind) {
    tokens.push_back({kind, freshLine, uint32_t(start), uint32_t(at),
                      text.slice(start, at)});
    freshLine = false;
  }

  void error(StringRef message) {
    push(Token::Error);
    tokens.back().text = message;
  }

  void token(char c) {
    if (c == '%' ||
        (c == '@' && (peek(1) == '"' || peek(1) == '.' || isNameByte(peek(1)))))
      return name(c == '%' ? Token::Local : Token::Global);
    if (c == '"')
      return string();
    if (isAlpha(c) || c == '_')
      return word();
    if (isDigit(c) || (c == '-' && (isDigit(peek(1)) || peek(1) == 'i')))
      return number();
    if (StringRef("()[]{}<>,:=.-@#*").contains(c)) {
      at += is_contained({"..", "->", "::"}, text.substr(at, 2)) ? 2 : 1;
      return push(Token::Punct);
    }
    ++at;
    error("no token begins with this character");
  }

  void name(Token::Kind kind) {
    ++at;
    if (peek() == '"') {
      if (scanString())
        push(kind);
      return;
    }
    while (isNameByte(peek()) || (peek() == '.' && isNameByte(peek(1))))
      ++at;
    if (at == start + 1)
      return error("a name must follow");
    push(kind);
  }

  void string() {
    if (scanString())
      push(Token::String);
  }

  /// Stands on the opening quote; false after an error.
  bool scanString() {
    for (++at; at < text.size() && text[at] != '\n'; ++at) {
      if (text[at] == '"') {
        ++at;
        return true;
      }
      if (text[at] != '\\')
        continue;
      if (StringRef("\\\"nt").contains(peek(1)) && peek(1) != '\0')
        at += 1;
      else if (isHexDigit(peek(1)) && isHexDigit(peek(2)))
        at += 2;
      else
        break;
    }
    bool ended = at >= text.size() || text[at] == '\n';
    if (!ended)
      ++at;
    error(ended ? "a string does not end on its line"
                : "an unknown escape in a string");
    return false;
  }

  void word() {
    while (isAlnum(peek()) || peek() == '_' ||
           (peek() == '-' && isAlpha(peek(1))))
      ++at;
    push(Token::Word);
  }

  void number() {
    if (peek() == '-')
      ++at;
    if (text.substr(at).starts_with("0x")) {
      at += 2;
      skipWhile([](char c) { return isHexDigit(c); });
    } else if (peek() == 'i') {
      skipWhile([](char c) { return isAlpha(c); });
    } else {
      skipWhile([](char c) { return isDigit(c); });
      if (peek() == '.' && isDigit(peek(1))) {
        ++at;
        skipWhile([](char c) { return isDigit(c); });
      }
      bool sign = peek(1) == '-' || peek(1) == '+';
      if (peek() == 'e' && isDigit(peek(sign ? 2 : 1))) {
        at += sign ? 2 : 1;
        skipWhile([](char c) { return isDigit(c); });
      }
    }
    if (isNameByte(peek())) {
      skipWhile(isNameByte);
      return error("a malformed number");
    }
    push(Token::Number);
  }

  template <typename Test> void skipWhile(Test test) {
    while (at < text.size() && test(text[at]))
      ++at;
  }

  StringRef text;
  size_t at = 0, start = 0;
  bool freshLine = true;
  std::vector<Token> tokens;
};

} // namespace

std::vector<Token> lex(StringRef text) { return Lexer(text).run(); }

bool isPlainName(StringRef name) {
  return !name.empty() && !name.contains("..") && !name.ends_with(".") &&
         all_of(name, [](char c) { return isNameByte(c) || c == '.'; });
}

std::string quote(StringRef text) {
  std::string result = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\')
      result += {'\\', c};
    else if (c == '\n')
      result += "\\n";
    else if (c == '\t')
      result += "\\t";
    else if (isPrint(c))
      result += c;
    else
      result += {'\\', hexdigit(uint8_t(c) >> 4), hexdigit(uint8_t(c) & 15)};
  }
  return result + '"';
}

std::string unquote(StringRef token) {
  StringRef inner = token.drop_front().drop_back();
  std::string result;
  for (size_t i = 0; i < inner.size(); ++i) {
    if (inner[i] != '\\') {
      result += inner[i];
      continue;
    }
    char c = inner[++i];
    if (c == 'n')
      result += '\n';
    else if (c == 't')
      result += '\t';
    else if (c == '"' || c == '\\')
      result += c;
    else
      result += char(hexFromNibbles(c, inner[++i]));
  }
  return result;
}

} // namespace zpl::air
