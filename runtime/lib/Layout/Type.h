//===- Type.h - What a type descriptor says ---------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_LAYOUT_TYPE_H
#define ZRT_LAYOUT_TYPE_H

#include "zrt/Abi.h"

#include <string>
#include <string_view>

namespace zrt {

inline zrt_kind kindOf(const zrt_type &type) {
  return static_cast<zrt_kind>(type.kind);
}

/// The field or enumerator called \p name; null if there is none.
const zrt_field *findField(const zrt_type &type, std::string_view name);
const zrt_enumerator *findEnumerator(const zrt_type &type,
                                     std::string_view name);

/// The enumerator with \p value; null if there is none.
const zrt_enumerator *findEnumerator(const zrt_type &type, int64_t value);

/// The enumeration that dimension \p dim of an array type is indexed by, or
/// null.
inline const zrt_type *indexType(const zrt_type &array, int32_t dim) {
  return array.index ? array.index[dim] : nullptr;
}

/// True once the bounds of an array type are known: those that depend on config
/// variables are filled in when the program gets there, and an array type
/// without elements counts as not known.
inline bool boundsKnown(const zrt_type &array) { return array.size > 0; }

/// An index as the user writes it: a number, or the name of a value of
/// \p enumeration if that is not null.
std::string indexText(const zrt_type *enumeration, int64_t index);

/// A type as a declaration of the language spells it. Enumerations, records and
/// unions are called by their names, or written out where they have none:
/// "array [1..3, S..A] of point", "record x, y: double; end".
std::string typeText(const zrt_type &type);

/// An enumeration, record or union written out: "(S, W, A)".
std::string typeDefinition(const zrt_type &type);

} // namespace zrt

#endif // ZRT_LAYOUT_TYPE_H
