//===- Positions.cpp - Bytes of a text, and what editors count ------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The compiler counts bytes, the protocol UTF-16 code units in a line: in
//
//     writeln("é 𝄞", n);
//
// `n` is at byte 19 and at unit 16. A table of the lines' beginnings finds the
// line by bisection; within it the units are counted from its beginning. A byte
// below 0x80 or above 0xBF begins a character, one of four bytes (0xF0 and
// above) is two units. Bytes that are no UTF-8 are one unit each, as editors
// show them, so that counting never fails.
//
// Cost: linear in the text for the table, then logarithmic in the lines and
// linear in one line.
//
//===----------------------------------------------------------------------===//

#include "zpl/Editor/Positions.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <algorithm>

using namespace llvm;

namespace zpl::editor {

/// How many bytes the character at the beginning of a text has that is not
/// empty, and how many units.
static std::pair<size_t, unsigned> firstCharacter(StringRef text) {
  auto lead = static_cast<unsigned char>(text[0]);
  size_t length = lead < 0xC2 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
  if (lead > 0xF4 || text.size() < length)
    return {1, 1};
  for (size_t at = 1; at < length; ++at)
    if ((static_cast<unsigned char>(text[at]) & 0xC0) != 0x80)
      return {1, 1};
  return {length, length == 4 ? 2 : 1};
}

LineTable::LineTable(StringRef text) : text(text) {
  starts.push_back(0);
  for (size_t at = text.find('\n'); at != StringRef::npos;
       at = text.find('\n', at + 1))
    starts.push_back(static_cast<uint32_t>(at + 1));
}

StringRef LineTable::line(unsigned number) const {
  if (number >= starts.size())
    return "";
  size_t end = number + 1 < starts.size() ? starts[number + 1] : text.size();
  return text.slice(starts[number], end).rtrim("\r\n");
}

uint32_t LineTable::offset(Position position) const {
  if (position.line >= starts.size())
    return static_cast<uint32_t>(text.size());
  StringRef rest = line(position.line);
  uint32_t result = starts[position.line];
  unsigned units = 0;
  while (!rest.empty() && units < position.character) {
    auto [bytes, width] = firstCharacter(rest);
    if (units + width > position.character)
      break;
    units += width;
    result += static_cast<uint32_t>(bytes);
    rest = rest.drop_front(bytes);
  }
  return result;
}

Position LineTable::position(uint32_t offset) const {
  offset = std::min<uint32_t>(offset, static_cast<uint32_t>(text.size()));
  auto after = std::upper_bound(starts.begin(), starts.end(), offset);
  auto line = static_cast<unsigned>(after - starts.begin() - 1);
  return {line, utf16Length(text.slice(starts[line], offset))};
}

unsigned utf16Length(StringRef text) {
  unsigned units = 0;
  while (!text.empty()) {
    auto [bytes, width] = firstCharacter(text);
    units += width;
    text = text.drop_front(bytes);
  }
  return units;
}

void replaceRange(std::string &text, const Range &range,
                  StringRef replacement) {
  LineTable lines(text);
  uint32_t begin = lines.offset(range.start), end = lines.offset(range.end);
  if (begin > end)
    std::swap(begin, end);
  text.replace(begin, end - begin, replacement.data(), replacement.size());
}

std::string pathOfUri(StringRef uri) {
  if (!uri.consume_front("file://"))
    return uri.str();
  uri.consume_front("localhost");
  std::string path;
  for (size_t at = 0; at < uri.size(); ++at) {
    if (uri[at] == '%' && at + 2 < uri.size() && isHexDigit(uri[at + 1]) &&
        isHexDigit(uri[at + 2])) {
      path += static_cast<char>(hexDigitValue(uri[at + 1]) * 16 +
                                hexDigitValue(uri[at + 2]));
      at += 2;
    } else {
      path += uri[at];
    }
  }
  return path;
}

std::string uriOfPath(StringRef path) {
  SmallString<128> absolute(path);
  if (sys::fs::make_absolute(absolute))
    absolute = path;
  sys::path::remove_dots(absolute, /*remove_dot_dot=*/true);
  std::string uri = "file://";
  for (char c : absolute) {
    if (isAlnum(c) || StringRef("/-._~").contains(c))
      uri += c;
    else
      uri += "%" + toHex(StringRef(&c, 1));
  }
  return uri;
}

} // namespace zpl::editor
