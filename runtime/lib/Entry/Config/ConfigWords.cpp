//===- ConfigWords.cpp - NAME=VALUE words of a file -----------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What -fFILE reads:
//
//     -- the large problem                         # comments, to the line's
//     end n=4096 epsilon=1e-9 origin.x=1  size[W]=64 title="two \"words\" and
//     a\ttab"
//
// Words are separated by blanks and line ends. A comment starts with -- or # at
// the start of a word. Between double quotes, which may stand anywhere in a
// word, blanks and -- and # are ordinary and C's escapes count; outside of
// them a backslash is itself.
//
//===----------------------------------------------------------------------===//

#include "Entry/Config/ConfigWords.h"

#include <algorithm>
#include <cstring>

namespace zrt {

std::string trimmed(const std::string &text) {
  size_t first = text.find_first_not_of(' ');
  if (first == text.npos)
    return "";
  return text.substr(first, text.find_last_not_of(' ') - first + 1);
}

static bool isOctal(char c) { return '0' <= c && c <= '7'; }

/// The value of a hexadecimal digit, or -1.
static int hexDigit(char c) {
  if ('0' <= c && c <= '9')
    return c - '0';
  c = static_cast<char>(c | 0x20);
  return 'a' <= c && c <= 'f' ? c - 'a' + 10 : -1;
}

bool takeEscape(std::string_view &text, char &value) {
  if (text.size() < 2 || text[0] != '\\')
    return false;
  size_t end = 1;
  int code = 0;
  if (isOctal(text[1])) {
    for (; end < text.size() && end < 4 && isOctal(text[end]); ++end)
      code = code * 8 + (text[end] - '0');
  } else if (text[1] == 'x') {
    for (end = 2; end < text.size() && hexDigit(text[end]) >= 0; ++end)
      if ((code = code * 16 + hexDigit(text[end])) > 255)
        return false;
    if (end == 2)
      return false;
  } else {
    static const char letters[] = "abfnrtv\\'\"?";
    static const char values[] = "\a\b\f\n\r\t\v\\'\"?";
    const char *letter = std::strchr(letters, text[1]);
    if (!letter || !*letter)
      return false;
    code = static_cast<unsigned char>(values[letter - letters]);
    end = 2;
  }
  if (code > 255)
    return false;
  value = static_cast<char>(code);
  text.remove_prefix(end);
  return true;
}

/// Takes a quoted part from the front of \p rest and puts it after \p word.
static bool takeQuoted(std::string_view &rest, std::string &word,
                       std::string &error) {
  rest.remove_prefix(1);
  while (!rest.empty() && rest[0] != '\n') {
    if (rest[0] == '"') {
      rest.remove_prefix(1);
      return true;
    }
    char c = rest[0];
    if (c != '\\') {
      rest.remove_prefix(1);
    } else if (!takeEscape(rest, c)) {
      error = "'" + std::string(rest.substr(0, 2)) + "' is not an escape";
      return false;
    }
    word += c;
  }
  error = "a '\"' has no partner on its line";
  return false;
}

static bool isBlank(char c) {
  return c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == '\v' ||
         c == '\f';
}

bool splitWords(std::string_view contents, std::vector<ConfigWord> &words,
                std::string &error, int &line) {
  line = 1;
  for (std::string_view rest = contents; !rest.empty();) {
    if (isBlank(rest[0])) {
      line += rest[0] == '\n';
      rest.remove_prefix(1);
      continue;
    }
    if (rest[0] == '#' || rest.starts_with("--")) {
      rest.remove_prefix(std::min(rest.find('\n'), rest.size()));
      continue;
    }
    ConfigWord word;
    word.line = line;
    while (!rest.empty() && !isBlank(rest[0])) {
      if (rest[0] == '"') {
        if (!takeQuoted(rest, word.text, error))
          return false;
        continue;
      }
      word.text += rest[0];
      rest.remove_prefix(1);
    }
    words.push_back(std::move(word));
  }
  return true;
}

} // namespace zrt
