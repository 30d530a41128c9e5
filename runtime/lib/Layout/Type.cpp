//===- Type.cpp - What a type descriptor says -----------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Look-ups in the zrt_type descriptors that the compiler makes, and their
// spelling for messages and help. The declaration
//
//     type class = (S, W, A);
//          point = record x, y: double; k: array [S..A] of integer; end;
//
// is spelled "point" where it is used, and where it is explained
//
//     record x, y: double; k: array [S..A] of integer; end
//
// Neighbouring fields of one type share a definition. Look-ups are linear: they
// serve the command line and messages.
//
//===----------------------------------------------------------------------===//

#include "Layout/Type.h"

namespace zrt {

const zrt_field *findField(const zrt_type &type, std::string_view name) {
  for (int32_t k = 0; k < type.count; ++k)
    if (name == type.fields[k].name)
      return &type.fields[k];
  return nullptr;
}

const zrt_enumerator *findEnumerator(const zrt_type &type,
                                     std::string_view name) {
  for (int32_t k = 0; k < type.count; ++k)
    if (name == type.enumerators[k].name)
      return &type.enumerators[k];
  return nullptr;
}

const zrt_enumerator *findEnumerator(const zrt_type &type, int64_t value) {
  for (int32_t k = 0; k < type.count; ++k)
    if (value == type.enumerators[k].value)
      return &type.enumerators[k];
  return nullptr;
}

std::string indexText(const zrt_type *enumeration, int64_t index) {
  if (enumeration)
    if (const zrt_enumerator *found = findEnumerator(*enumeration, index))
      return found->name;
  return std::to_string(index);
}

static std::string arrayText(const zrt_type &type) {
  std::string text = "array [";
  for (int32_t d = 0; d < type.count; ++d) {
    text += d == 0 ? "" : ", ";
    const zrt_type *enumeration = indexType(type, d);
    if (boundsKnown(type))
      text += indexText(enumeration, type.bounds[d].lo) + ".." +
              indexText(enumeration, type.bounds[d].hi);
    else
      text += "..";
  }
  return text + "] of " + typeText(*type.element);
}

static std::string fieldsText(const zrt_type &type) {
  std::string text;
  for (int32_t k = 0; k < type.count; ++k) {
    text += type.fields[k].name;
    std::string spelled = typeText(*type.fields[k].type);
    bool shared =
        k + 1 < type.count && spelled == typeText(*type.fields[k + 1].type);
    text += shared ? ", " : ": " + spelled + "; ";
  }
  return text;
}

std::string typeDefinition(const zrt_type &type) {
  if (type.kind != ZRT_ENUM)
    return (type.kind == ZRT_UNION ? "union " : "record ") + fieldsText(type) +
           "end";
  std::string text = "(";
  for (int32_t k = 0; k < type.count; ++k)
    text += (k == 0 ? "" : ", ") + std::string(type.enumerators[k].name);
  return text + ")";
}

std::string typeText(const zrt_type &type) {
  if (type.kind == ZRT_ARRAY)
    return arrayText(type);
  if (type.name && *type.name)
    return type.name;
  return typeDefinition(type);
}

} // namespace zrt
