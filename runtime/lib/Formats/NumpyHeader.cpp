//===- NumpyHeader.cpp - What NumPy's files begin with --------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An array of doubles of shape (3, 5) is preceded by six bytes "\x93NUMPY", the
// version 1.0, the length of the header in two bytes, and the header, a literal
// of Python,
//
//     {'descr': '<f8', 'fortran_order': False, 'shape': (3, 5), }
//
// filled with blanks and a newline so that the elements start at a multiple of
// 64 bytes. As NumPy does, it leaves room for the first extent to grow to 21
// digits. Read are keys in any order, either byte order and either order of the
// dimensions.
//
//===----------------------------------------------------------------------===//

#include "Formats/NumpyHeader.h"

#include <bit>

namespace zrt {

static constexpr std::string_view Magic("\x93NUMPY", 6);
static constexpr size_t Alignment = 64, GrowthDigits = 21;
static constexpr size_t MostHeader = 64 * 1024;

const char *descriptorOf(Element element) {
  switch (element) {
  case Element::Bool:
    return "|b1";
  case Element::U8:
    return "|u1";
  case Element::I8:
    return "|i1";
  case Element::I16:
    return "<i2";
  case Element::U16:
    return "<u2";
  case Element::I32:
    return "<i4";
  case Element::U32:
    return "<u4";
  case Element::I64:
    return "<i8";
  case Element::U64:
    return "<u8";
  case Element::F32:
    return "<f4";
  case Element::F64:
    return "<f8";
  case Element::F80:
    return "<f16";
  case Element::C32:
    return "<c8";
  case Element::C64:
    return "<c16";
  case Element::C80:
    return "<c32";
  }
  __builtin_unreachable();
}

std::string numpyShape(const std::vector<int64_t> &shape) {
  std::string text = "(";
  for (size_t d = 0; d < shape.size(); ++d)
    text += (d > 0 ? ", " : "") + std::to_string(shape[d]);
  return text + (shape.size() == 1 ? ",)" : ")");
}

std::string numpyOrder(std::string_view part, bool &isFortran) {
  isFortran = part == "fortran";
  return part.empty() || isFortran
             ? ""
             : "has ':" + std::string(part) +
                   "' in its name: NumPy's files take ':fortran' only";
}

std::string numpyHeader(Element element, const std::vector<int64_t> &shape,
                        bool isFortran) {
  std::string text = std::string("{'descr': '") + descriptorOf(element) +
                     "', 'fortran_order': " + (isFortran ? "True" : "False") +
                     ", 'shape': " + numpyShape(shape) + ", }";
  // NumPy lets the slowest dimension grow.
  if (!shape.empty())
    text.append(GrowthDigits -
                    std::to_string(isFortran ? shape.back() : shape[0]).size(),
                ' ');
  size_t fixed = Magic.size() + 4;
  size_t end = fixed + text.size() + 1;
  text.append((Alignment - end % Alignment) % Alignment, ' ');
  text += '\n';
  std::string header(Magic);
  header += {'\x01', '\0', static_cast<char>(text.size() & 0xff),
             static_cast<char>(text.size() >> 8)};
  return header + text;
}

namespace {

/// Reads the literal of Python in a header.
class Dictionary {
public:
  Dictionary(std::string_view text, NumpyArray &found)
      : found(found), rest(text) {}

  bool parse() {
    if (!take('{'))
      return false;
    while (!take('}')) {
      std::string key;
      if (!takeString(key) || !take(':') || !takeValue(key))
        return false;
      take(',');
    }
    return seen == 7; // each key once
  }

private:
  bool take(char wanted) {
    while (!rest.empty() && (rest[0] == ' ' || rest[0] == '\n'))
      rest.remove_prefix(1);
    if (rest.empty() || rest[0] != wanted)
      return false;
    rest.remove_prefix(1);
    return true;
  }

  bool takeString(std::string &value) {
    char quote = take('\'') ? '\'' : take('"') ? '"' : 0;
    size_t end = quote ? rest.find(quote) : rest.npos;
    if (end == rest.npos)
      return false;
    value = rest.substr(0, end);
    rest.remove_prefix(end + 1);
    return true;
  }

  bool takeWord(std::string_view word) {
    take(' ');
    if (rest.substr(0, word.size()) != word)
      return false;
    rest.remove_prefix(word.size());
    return true;
  }

  bool takeShape() {
    if (!take('('))
      return false;
    while (!take(')')) {
      int64_t extent = 0;
      bool digits = false;
      for (take(' '); !rest.empty() && '0' <= rest[0] && rest[0] <= '9';
           rest.remove_prefix(1), digits = true)
        if (__builtin_mul_overflow(extent, int64_t(10), &extent) ||
            __builtin_add_overflow(extent, int64_t(rest[0] - '0'), &extent))
          return false;
      if (!digits)
        return false;
      found.shape.push_back(extent);
      take(',');
    }
    return true;
  }

  bool takeValue(const std::string &key) {
    if (key == "shape") {
      seen |= 1;
      return found.shape.empty() && takeShape();
    }
    if (key == "fortran_order") {
      seen |= 2;
      found.isFortran = takeWord("True");
      return found.isFortran || takeWord("False");
    }
    seen |= 4;
    if (key == "descr" && takeString(found.descr))
      return true;
    found.descr = "of several fields";
    return key == "descr" && skipList();
  }

  /// A list in brackets: the fields of a record.
  bool skipList() {
    if (!take('['))
      return false;
    int depth = 1;
    for (; depth > 0 && !rest.empty(); rest.remove_prefix(1))
      depth += rest[0] == '[' ? 1 : rest[0] == ']' ? -1 : 0;
    return depth == 0;
  }

  NumpyArray &found;
  std::string_view rest;
  int seen = 0;
};

/// The element and its byte order: '=' is this machine's, single bytes have
/// none, and bytes are bytes.
void decodeElement(NumpyArray &found) {
  std::string_view name = found.descr;
  if (name.size() < 2)
    return;
  std::string_view kind = name.substr(1);
  if (kind == "S1")
    kind = "u1";
  for (int k = 0; k <= static_cast<int>(Element::C80); ++k) {
    auto element = static_cast<Element>(k);
    if (kind != std::string_view(descriptorOf(element)).substr(1))
      continue;
    bool isLittle = std::endian::native == std::endian::little;
    bool isKnown = sizeOf(element) == 1 ||
                   std::string_view("<>=").find(name[0]) != name.npos;
    if (!isKnown)
      return;
    found.element = element;
    found.isSwapped = sizeOf(element) > 1 && name[0] == (isLittle ? '>' : '<');
    return;
  }
}

} // namespace

bool parseNumpy(std::string_view dictionary, NumpyArray &found) {
  found = {};
  if (!Dictionary(dictionary, found).parse())
    return false;
  decodeElement(found);
  return true;
}

const char *takeNumpyHeader(const ByteSource &source, NumpyArray &found) {
  char start[8];
  if (source(start, sizeof start) < sizeof start ||
      std::string_view(start, Magic.size()) != Magic)
    return "is not in NumPy's format";
  if (start[6] < 1 || start[6] > 3)
    return "is of a version of NumPy's format that is not known";
  unsigned char length[4] = {};
  size_t digits = start[6] == 1 ? 2 : 4;
  if (source(reinterpret_cast<char *>(length), digits) < digits)
    return "ends within its header";
  size_t bytes = length[0] | length[1] << 8 | length[2] << 16;
  if (length[3] != 0 || bytes > MostHeader)
    return "has a header that is too long";
  std::string dictionary(bytes, ' ');
  if (source(dictionary.data(), bytes) < bytes)
    return "ends within its header";
  return parseNumpy(dictionary, found) ? nullptr
                                       : "has a header that is not NumPy's";
}

} // namespace zrt
