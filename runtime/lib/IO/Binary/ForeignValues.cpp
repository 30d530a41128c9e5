//===- ForeignValues.cpp - Bytes that others have made --------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A file may hold any bytes. The program counts on 0 and 1 in a boolean, and in
// an enumeration on its values:
//
//     type grade = (low, middle = 5, high);
//     record ok: boolean; g: grade; end
//
//     02 .. .. .. 05 00 00 00     ->  ok is true (1), g is middle
//     01 .. .. .. 03 00 00 00     ->  3 is no grade: offset 4
//
// Nothing is known of a union: which of its fields the bytes belong to is the
// program's business.
//
// Cost: one pass over booleans, another over enumerations, none for other
// types.
//
//===----------------------------------------------------------------------===//

#include "IO/Binary/ForeignValues.h"

#include "Layout/Type.h"

#include <algorithm>
#include <cstring>

namespace zrt {

bool hasForeignValues(const zrt_type &type) {
  int32_t kind = kindOf(type);
  if (kind == ZRT_ARRAY)
    return hasForeignValues(*type.element);
  if (kind != ZRT_RECORD)
    return kind == ZRT_BOOL || kind == ZRT_ENUM;
  return std::any_of(
      type.fields, type.fields + type.count,
      [](const zrt_field &field) { return hasForeignValues(*field.type); });
}

/// \p count enumerators side by side.
static void checkEnumerators(const zrt_type &type, const char *bytes,
                             int64_t count, int64_t offset,
                             ForeignValue &first) {
  int32_t last = 0;
  bool isKnown = false; // the last one
  for (int64_t k = 0; k < count; ++k) {
    int32_t value;
    int64_t place = k * static_cast<int64_t>(sizeof value);
    std::memcpy(&value, bytes + place, sizeof value);
    if (isKnown && value == last)
      continue;
    last = value;
    isKnown = findEnumerator(type, value) != nullptr;
    if (isKnown)
      continue;
    if (offset + place < first.offset)
      first = {offset + place, value};
    return;
  }
}

void adopt(const zrt_type &type, char *bytes, int64_t count, int64_t offset,
           ForeignValue &first) {
  int32_t kind = kindOf(type);
  if (kind == ZRT_BOOL) {
    for (int64_t k = 0; k < count; ++k)
      bytes[k] = bytes[k] != 0;
  } else if (kind == ZRT_ENUM) {
    checkEnumerators(type, bytes, count, offset, first);
  } else if (kind == ZRT_ARRAY && type.element->size > 0) {
    adopt(*type.element, bytes, count * (type.size / type.element->size),
          offset, first);
  } else if (kind == ZRT_RECORD) {
    for (int64_t k = 0; k < count; ++k)
      for (int32_t f = 0; f < type.count; ++f) {
        const zrt_field &field = type.fields[f];
        int64_t place = k * type.size + field.offset;
        if (hasForeignValues(*field.type))
          adopt(*field.type, bytes + place, 1, offset + place, first);
      }
  }
}

const zrt_type &enumerationAt(const zrt_type &type, int64_t offset) {
  if (type.kind == ZRT_ENUM)
    return type;
  offset %= type.size;
  if (type.kind == ZRT_ARRAY)
    return enumerationAt(*type.element, offset);
  const zrt_field *field = type.fields;
  for (int32_t k = 1; k < type.count && type.fields[k].offset <= offset; ++k)
    field = &type.fields[k];
  return enumerationAt(*field->type, offset - field->offset);
}

} // namespace zrt
