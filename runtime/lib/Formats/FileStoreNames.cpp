//===- FileStoreNames.cpp - The names of arrays in files ------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     T                    the array T
//     T[*](time, y, x)     one more record of it, with names of its dimensions
//     T@unit               an attribute of T
//
//===----------------------------------------------------------------------===//

#include "Formats/FileStore.h"

#include "Formats/Element.h"

namespace zrt {

std::vector<int64_t> NewArray::shape() const {
  std::vector<int64_t> shape;
  for (const StoredIndices &dimension : indices)
    shape.push_back(dimension.count);
  return shape;
}

int64_t NewArray::bytes() const {
  int64_t bytes = static_cast<int64_t>(sizeOf(element));
  for (const StoredIndices &dimension : indices)
    bytes *= dimension.count;
  return bytes;
}

static std::string_view trimmed(std::string_view text) {
  while (!text.empty() && text.front() == ' ')
    text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ')
    text.remove_suffix(1);
  return text;
}

/// The names between commas; false if one is empty.
static bool parseDimensions(std::string_view text, StorePart &part) {
  while (true) {
    size_t comma = text.find(',');
    std::string_view name = trimmed(text.substr(0, comma));
    if (name.empty())
      return false;
    part.dimensions.emplace_back(name);
    if (comma == text.npos)
      return true;
    text.remove_prefix(comma + 1);
  }
}

/// `4` or `*`.
static bool parseRecord(std::string_view text, StorePart &part) {
  text = trimmed(text);
  if (text == "*") {
    part.record = StorePart::Next;
    return true;
  }
  part.record = 0;
  for (char digit : text) {
    if (digit < '0' || digit > '9' || part.record > 1000000000000)
      return false;
    part.record = part.record * 10 + (digit - '0');
  }
  return part.record > 0;
}

/// Takes `open ... close` off the end of \p text into \p inner, if it is there.
static bool takeBrackets(std::string_view &text, char open, char close,
                         std::string_view &inner) {
  text = trimmed(text);
  size_t begin = text.rfind(open);
  if (text.empty() || text.back() != close || begin == text.npos)
    return false;
  inner = text.substr(begin + 1, text.size() - begin - 2);
  text = text.substr(0, begin);
  return true;
}

std::string parseStorePart(std::string_view text, StorePart &part) {
  size_t at = text.rfind('@');
  if (at != text.npos) {
    part.hasAttribute = true;
    part.attribute = text.substr(at + 1);
    text = text.substr(0, at);
    if (part.attribute.empty())
      return "has a name without anything after the @";
  }
  std::string_view inner;
  if (takeBrackets(text, '(', ')', inner) && !parseDimensions(inner, part))
    return "has a name with an empty dimension in (" + std::string(inner) + ")";
  if (takeBrackets(text, '[', ']', inner) && !parseRecord(inner, part))
    return "has a name with [" + std::string(inner) +
           "], which is neither an index from 1 nor *";
  part.name = trimmed(text);
  return "";
}

} // namespace zrt
