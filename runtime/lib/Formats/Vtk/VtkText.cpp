//===- VtkText.cpp - Elements that are written as text --------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// VTK writes elements in four ways. Raw bytes lie together in the file; numbers as
// text and bytes as text are decoded here:
//
//     <DataArray ... format="ascii"> 1 2.5 -3 </DataArray>
//     <DataArray ... format="binary"> GAAAAAAAAAAAAPA/... </DataArray>
//
// the second in base64: four letters are three bytes, of which the first are the
// length of the elements.
//
//===----------------------------------------------------------------------===//

#include "Formats/Vtk/VtkText.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>

namespace zrt {

/// Stores what \p from begins with; where it ends, or null.
static const char *takeNumber(const char *from, Element element, char *to) {
  char *end;
  errno = 0;
  if (isFloating(element)) {
    double value = std::strtod(from, &end);
    if (end == from)
      return nullptr;
    convert(Element::F64, reinterpret_cast<const char *>(&value), element, to);
    return end;
  }
  bool isNegative =
      std::strchr(" \n\t\r-", *from) && std::strtod(from, &end) < 0;
  bool fits;
  if (isNegative) {
    int64_t value = std::strtoll(from, &end, 10);
    fits = convert(Element::I64, reinterpret_cast<const char *>(&value),
                   element, to);
  } else {
    uint64_t value = std::strtoull(from, &end, 10);
    fits = convert(Element::U64, reinterpret_cast<const char *>(&value),
                   element, to);
  }
  return end == from || errno != 0 || !fits ? nullptr : end;
}

std::string decodeNumbers(std::string_view text, Element element, int64_t count,
                          std::vector<char> &decoded) {
  std::string numbers(text); // ends with a zero
  size_t each = sizeOf(element);
  // A number and a blank are two bytes at least.
  if (static_cast<uint64_t>(count) > text.size())
    return "ends within its elements";
  decoded.resize(static_cast<size_t>(count) * each);
  const char *at = numbers.c_str();
  for (int64_t k = 0; k < count; ++k) {
    at =
        takeNumber(at, element, decoded.data() + static_cast<size_t>(k) * each);
    if (!at)
      return "has no number of its type as element " + std::to_string(k);
  }
  return "";
}

static int base64Value(char c) {
  if ('A' <= c && c <= 'Z')
    return c - 'A';
  if ('a' <= c && c <= 'z')
    return c - 'a' + 26;
  if ('0' <= c && c <= '9')
    return c - '0' + 52;
  return c == '+' ? 62 : c == '/' ? 63 : -1;
}

std::string decodeBase64(std::string_view text, int lengthBytes, size_t bytes,
                         std::vector<char> &decoded) {
  size_t wanted = static_cast<size_t>(lengthBytes) + bytes;
  if (wanted / 4 > text.size())
    return "ends within its elements";
  decoded.clear();
  uint32_t pending = 0;
  int bits = 0;
  for (char c : text) {
    if (decoded.size() == wanted)
      break;
    if (c == ' ' || c == '\n' || c == '\t' || c == '\r')
      continue;
    int value = base64Value(c);
    if (value < 0)
      break;
    pending = pending << 6 | static_cast<uint32_t>(value);
    bits += 6;
    if (bits >= 8) {
      bits -= 8;
      decoded.push_back(static_cast<char>(pending >> bits));
    }
  }
  if (decoded.size() < wanted)
    return "ends within its elements";
  decoded.erase(decoded.begin(), decoded.begin() + lengthBytes);
  return "";
}

void copyStoredBox(const char *elements, const std::vector<int64_t> &shape,
                   size_t elementSize, const int64_t *first,
                   const int64_t *count, char *to) {
  size_t rank = shape.size();
  int64_t total = 1;
  for (size_t d = 0; d < rank; ++d)
    total *= count[d];
  std::vector<int64_t> at(rank, 0);
  for (int64_t k = 0; k < total; ++k) {
    int64_t place = 0;
    for (size_t d = 0; d < rank; ++d)
      place = place * shape[d] + first[d] + at[d];
    std::memcpy(to + static_cast<size_t>(k) * elementSize,
                elements + static_cast<size_t>(place) * elementSize,
                elementSize);
    for (size_t d = rank; d-- > 0;) {
      if (++at[d] < count[d])
        break;
      at[d] = 0;
    }
  }
}

} // namespace zrt
