//===- Json.cpp - A small reader of JSON ----------------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A machine file is JSON (RFC 8259), and the runtime builds without LLVM, which
// has a reader. This one descends recursively: one function per kind of value,
// each at the first character of its value.
//
//     {"latency": 1.2e-6}      object -> text, value -> number
//
// It keeps texts as they are written, with the escapes of ASCII resolved; \u of
// other characters becomes UTF-8, without pairs of surrogates, which no machine
// file needs. Of members with one name the last counts. Depth is bounded, so a
// file cannot exhaust the stack. Cost: linear.
//
//===----------------------------------------------------------------------===//

#include "Transport/sim/Json.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstddef>

using namespace zrt::sim;

namespace {

class Reader {
public:
  Reader(std::string_view text, std::string &error)
      : text(text), error(error) {}

  bool readAll(JsonValue &value) {
    if (!read(value, 0))
      return false;
    skipBlanks();
    return at == text.size() || fail("something follows the value");
  }

private:
  static constexpr int MostDepth = 64;

  bool fail(const std::string &what) {
    auto line = std::count(text.begin(),
                           text.begin() + static_cast<ptrdiff_t>(at), '\n');
    error = "line " + std::to_string(line + 1) + ": " + what;
    return false;
  }
  void skipBlanks() {
    while (at < text.size() && (text[at] == ' ' || text[at] == '\n' ||
                                text[at] == '\t' || text[at] == '\r'))
      ++at;
  }
  bool take(char c) {
    skipBlanks();
    if (at == text.size() || text[at] != c)
      return false;
    ++at;
    return true;
  }
  bool takeWord(std::string_view word) {
    if (!text.substr(at).starts_with(word))
      return false;
    at += word.size();
    return true;
  }

  bool read(JsonValue &value, int depth);
  bool readObject(JsonValue &value, int depth);
  bool readList(JsonValue &value, int depth);
  bool readNumber(JsonValue &value);
  bool readText(std::string &to);
  bool readEscape(std::string &to);

  std::string_view text;
  std::string &error;
  size_t at = 0;
};

bool Reader::read(JsonValue &value, int depth) {
  skipBlanks();
  if (at == text.size())
    return fail("a value is missing");
  if (depth > MostDepth)
    return fail("values are nested too deeply");
  if (text[at] == '{')
    return readObject(value, depth);
  if (text[at] == '[')
    return readList(value, depth);
  if (text[at] == '"') {
    value.kind = JsonValue::Kind::Text;
    return readText(value.text);
  }
  if (takeWord("null"))
    return true;
  bool isTrue = takeWord("true");
  if (isTrue || takeWord("false")) {
    value.kind = JsonValue::Kind::Boolean;
    value.number = isTrue;
    return true;
  }
  return readNumber(value);
}

bool Reader::readObject(JsonValue &value, int depth) {
  value.kind = JsonValue::Kind::Object;
  ++at;
  if (take('}'))
    return true;
  do {
    skipBlanks();
    std::string name;
    if (at == text.size() || text[at] != '"')
      return fail("a member's name in quotes is missing");
    if (!readText(name))
      return false;
    if (!take(':'))
      return fail("':' is missing after \"" + name + "\"");
    JsonValue member;
    if (!read(member, depth + 1))
      return false;
    value.members.emplace_back(std::move(name), std::move(member));
  } while (take(','));
  return take('}') || fail("',' or '}' is missing");
}

bool Reader::readList(JsonValue &value, int depth) {
  value.kind = JsonValue::Kind::List;
  ++at;
  if (take(']'))
    return true;
  do {
    if (!read(value.items.emplace_back(), depth + 1))
      return false;
  } while (take(','));
  return take(']') || fail("',' or ']' is missing");
}

bool Reader::readNumber(JsonValue &value) {
  const char *first = text.data() + at, *end = text.data() + text.size();
  auto [stop, status] = std::from_chars(first, end, value.number);
  bool isWord = first < end && *first != '-' && (*first < '0' || *first > '9');
  if (status != std::errc() || isWord || !std::isfinite(value.number))
    return fail("this is no value");
  value.kind = JsonValue::Kind::Number;
  at += static_cast<size_t>(stop - first);
  return true;
}

bool Reader::readText(std::string &to) {
  for (++at; at < text.size() && text[at] != '"'; ++at) {
    if (static_cast<unsigned char>(text[at]) < 0x20)
      return fail("a text does not end on its line");
    if (text[at] != '\\')
      to += text[at];
    else if (!readEscape(to))
      return false;
  }
  if (at == text.size())
    return fail("a text does not end");
  ++at;
  return true;
}

/// From the backslash to the last character of the escape.
bool Reader::readEscape(std::string &to) {
  constexpr std::string_view Letters = "\"\\/bfnrt", Meant = "\"\\/\b\f\n\r\t";
  char letter = ++at < text.size() ? text[at] : 0;
  if (size_t k = Letters.find(letter); letter && k != Letters.npos) {
    to += Meant[k];
    return true;
  }
  unsigned code = 0;
  std::string_view digits = text.substr(std::min(at + 1, text.size()), 4);
  auto [stop, status] =
      std::from_chars(digits.data(), digits.data() + digits.size(), code, 16);
  if (letter != 'u' || digits.size() != 4 || status != std::errc() ||
      stop != digits.data() + 4)
    return fail("there is no such escape in a text");
  at += 4;
  if (code < 0x80) {
    to += static_cast<char>(code);
  } else if (code < 0x800) {
    to += static_cast<char>(0xC0 | code >> 6);
    to += static_cast<char>(0x80 | (code & 0x3F));
  } else {
    to += static_cast<char>(0xE0 | code >> 12);
    to += static_cast<char>(0x80 | (code >> 6 & 0x3F));
    to += static_cast<char>(0x80 | (code & 0x3F));
  }
  return true;
}

} // namespace

const JsonValue *JsonValue::find(std::string_view name) const {
  const JsonValue *found = nullptr;
  for (const auto &[key, value] : members)
    if (key == name)
      found = &value;
  return found;
}

bool zrt::sim::readJson(std::string_view text, JsonValue &value,
                        std::string &error) {
  return Reader(text, error).readAll(value);
}
