//===- ReplicatedValues.cpp - What all processors should hold -------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A value is a tree: records have fields, indexed arrays elements. Its leaves
// are what is compared, from left to right,
//
//     record x: double; tag: array [1..2] of string; end    .x  .tag[1] .tag[2]
//
// because what lies between fields, and after the ten bytes of a long double,
// means nothing. Elements that are all bytes that count are hashed as one piece
// of memory, eight bytes at a time; the hash multiplies by an odd number and
// folds the upper half into the lower one.
//
// Cost: a nanosecond per eight bytes of numbers, some per other leaf.
//
//===----------------------------------------------------------------------===//

#include "Entry/ReplicatedValues.h"

#include "IO/Text/ValueText.h"
#include "Layout/Type.h"

#include <cstring>

namespace zrt {

namespace {

void mix(uint64_t &hash, uint64_t word) {
  constexpr uint64_t Odd = 0x9E3779B97F4A7C15; // 2^64 / the golden ratio
  hash = (hash ^ word) * Odd;
  hash ^= hash >> 32;
}

void mixBytes(uint64_t &hash, const char *bytes, size_t count) {
  for (; count >= sizeof(uint64_t); count -= sizeof(uint64_t)) {
    uint64_t word;
    std::memcpy(&word, bytes, sizeof word);
    mix(hash, word);
    bytes += sizeof word;
  }
  uint64_t rest = count; // "a" and "a\0" differ
  std::memcpy(&rest, bytes, count);
  mix(hash, rest + (static_cast<uint64_t>(count) << 56));
}

/// None while the type has no size yet.
int64_t elements(const zrt_type &array) {
  return array.size == 0 ? 0 : elementCount(array);
}

/// Whether all bytes of a value count, as bytes.
bool isPlain(const zrt_type &type) {
  return (type.kind >= ZRT_BOOL && type.kind <= ZRT_F64) ||
         type.kind == ZRT_C32 || type.kind == ZRT_C64 ||
         type.kind == ZRT_FILE || type.kind == ZRT_ENUM;
}

bool isLeaf(const zrt_type &type) {
  return type.kind != ZRT_RECORD && type.kind != ZRT_ARRAY;
}

void mixLeaf(uint64_t &hash, const zrt_type &type, const char *address) {
  constexpr size_t LongDoubleBytes = 10;
  if (isPlain(type))
    return mixBytes(hash, address, static_cast<size_t>(type.size));
  if (type.kind == ZRT_F80 || type.kind == ZRT_C80) {
    mixBytes(hash, address, LongDoubleBytes);
    if (type.kind == ZRT_C80)
      mixBytes(hash, address + sizeof(long double), LongDoubleBytes);
  } else if (type.kind == ZRT_STR) {
    const char *text;
    std::memcpy(&text, address, sizeof text);
    if (text)
      mixBytes(hash, text, std::strlen(text));
    else
      mixBytes(hash, "", 0);
  }
}

/// Calls \p visit with the type and address of each leaf; stops when it
/// answers false.
template <typename Visit>
bool forEachLeaf(const zrt_type &type, const char *address, Visit &visit) {
  if (isLeaf(type))
    return visit(type, address);
  if (type.kind == ZRT_RECORD) {
    for (int32_t k = 0; k < type.count; ++k)
      if (!forEachLeaf(*type.fields[k].type, address + type.fields[k].offset,
                       visit))
        return false;
    return true;
  }
  for (int64_t k = 0; k < elements(type); ++k)
    if (!forEachLeaf(*type.element, address + k * type.element->size, visit))
      return false;
  return true;
}

void mixValue(uint64_t &hash, const zrt_type &type, const char *address) {
  if (type.kind == ZRT_ARRAY && isPlain(*type.element))
    return mixBytes(hash, address,
                    static_cast<size_t>(elements(type) * type.element->size));
  if (type.kind == ZRT_ARRAY) {
    for (int64_t k = 0; k < elements(type); ++k)
      mixValue(hash, *type.element, address + k * type.element->size);
  } else if (type.kind == ZRT_RECORD) {
    for (int32_t k = 0; k < type.count; ++k)
      mixValue(hash, *type.fields[k].type, address + type.fields[k].offset);
  } else {
    mixLeaf(hash, type, address);
  }
}

/// `[3]`, `[1, 2]`, or `[W]` where an enumeration is the index.
std::string subscript(const zrt_type &array, int64_t element) {
  std::string text;
  for (int32_t d = array.count - 1; d >= 0; --d) {
    const zrt_range &range = array.bounds[d];
    int64_t extent = range.hi - range.lo + 1;
    int64_t index = range.lo + element % extent;
    element /= extent;
    std::string name = std::to_string(index);
    if (const zrt_type *names = indexType(array, d))
      for (int32_t k = 0; k < names->count; ++k)
        if (names->enumerators[k].value == index)
          name = names->enumerators[k].name;
    text = name + (text.empty() ? "" : ", ") + text;
  }
  return "[" + text + "]";
}

} // namespace

uint64_t hashValue(const zrt_type &type, const void *address) {
  uint64_t hash = 0;
  mixValue(hash, type, static_cast<const char *>(address));
  return hash;
}

size_t leafCount(const zrt_type &type) {
  if (isLeaf(type))
    return 1;
  size_t count = 0;
  if (type.kind == ZRT_ARRAY)
    return static_cast<size_t>(elements(type)) * leafCount(*type.element);
  for (int32_t k = 0; k < type.count; ++k)
    count += leafCount(*type.fields[k].type);
  return count;
}

std::vector<uint64_t> hashLeaves(const zrt_type &type, const void *address) {
  std::vector<uint64_t> hashes;
  hashes.reserve(leafCount(type));
  auto add = [&](const zrt_type &leaf, const char *at) {
    hashes.push_back(hashValue(leaf, at));
    return true;
  };
  forEachLeaf(type, static_cast<const char *>(address), add);
  return hashes;
}

Leaf findLeaf(const zrt_type &type, const void *address, size_t number) {
  Leaf leaf = {"", &type, static_cast<const char *>(address)};
  while (!isLeaf(*leaf.type)) {
    if (leaf.type->kind == ZRT_ARRAY) {
      const zrt_type &element = *leaf.type->element;
      size_t each = leafCount(element);
      auto which = static_cast<int64_t>(number / each);
      leaf.path += subscript(*leaf.type, which);
      leaf.address += which * element.size;
      leaf.type = &element;
      number %= each;
      continue;
    }
    const zrt_field *field = leaf.type->fields;
    for (; number >= leafCount(*field->type); ++field)
      number -= leafCount(*field->type);
    leaf.path += std::string(".") + field->name;
    leaf.address += field->offset;
    leaf.type = field->type;
  }
  return leaf;
}

} // namespace zrt
