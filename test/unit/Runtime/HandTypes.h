//===- HandTypes.h - Type descriptors of hand-written programs --*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Descriptors as the compiler emits them, for tests.
///
//===----------------------------------------------------------------------===//

#ifndef ZRT_TEST_HANDTYPES_H
#define ZRT_TEST_HANDTYPES_H

#include "zrt/Abi.h"

namespace hand {

constexpr zrt_type scalar(zrt_kind kind, int64_t size, const char *name) {
  zrt_type type = {};
  type.kind = kind;
  type.size = size;
  type.name = name;
  return type;
}

template <int32_t Count>
constexpr zrt_type record(const char *name, int64_t size,
                          const zrt_field (&fields)[Count],
                          zrt_kind kind = ZRT_RECORD) {
  zrt_type type = scalar(kind, size, name);
  type.count = Count;
  type.fields = fields;
  return type;
}

template <int32_t Count>
constexpr zrt_type enumeration(const char *name,
                               const zrt_enumerator (&enumerators)[Count]) {
  zrt_type type = scalar(ZRT_ENUM, 4, name);
  type.count = Count;
  type.enumerators = enumerators;
  return type;
}

/// \p size is 0 while the bounds are not known.
template <int32_t Count>
constexpr zrt_type array(const zrt_type &element, int64_t size,
                         const zrt_range (&bounds)[Count],
                         const zrt_type *const *index = nullptr) {
  zrt_type type = scalar(ZRT_ARRAY, size, "");
  type.count = Count;
  type.element = &element;
  type.bounds = bounds;
  type.index = index;
  return type;
}

inline constexpr zrt_type Boolean = scalar(ZRT_BOOL, 1, "boolean");
inline constexpr zrt_type Char = scalar(ZRT_CHAR, 1, "char");
inline constexpr zrt_type SByte = scalar(ZRT_I8, 1, "sbyte");
inline constexpr zrt_type UByte = scalar(ZRT_U8, 1, "ubyte");
inline constexpr zrt_type ShortInt = scalar(ZRT_I16, 2, "shortint");
inline constexpr zrt_type UShortInt = scalar(ZRT_U16, 2, "ushortint");
inline constexpr zrt_type Integer = scalar(ZRT_I32, 4, "integer");
inline constexpr zrt_type UInteger = scalar(ZRT_U32, 4, "uinteger");
inline constexpr zrt_type LongInt = scalar(ZRT_I64, 8, "longint");
inline constexpr zrt_type ULongInt = scalar(ZRT_U64, 8, "ulongint");
inline constexpr zrt_type Float = scalar(ZRT_F32, 4, "float");
inline constexpr zrt_type Double = scalar(ZRT_F64, 8, "double");
inline constexpr zrt_type Quad = scalar(ZRT_F80, 16, "quad");
inline constexpr zrt_type Complex = scalar(ZRT_C32, 8, "complex");
inline constexpr zrt_type DComplex = scalar(ZRT_C64, 16, "dcomplex");
inline constexpr zrt_type QComplex = scalar(ZRT_C80, 32, "qcomplex");
inline constexpr zrt_type String = scalar(ZRT_STR, 8, "string");
inline constexpr zrt_type File = scalar(ZRT_FILE, 8, "file");

} // namespace hand

#endif // ZRT_TEST_HANDTYPES_H
