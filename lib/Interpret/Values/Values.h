//===- Values.h - Values and their memory -----------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_INTERPRET_VALUES_VALUES_H
#define ZPL_LIB_INTERPRET_VALUES_VALUES_H

#include "zpl/Sema/Program.h"
#include <cstdint>
#include <string>
#include <vector>

namespace zpl::interpreter {

using sema::Type;

/// A value of any type; the type says which member counts.
struct Value {
  /// Boolean, Char, integers, Enum, File: sign-extended from the type's width,
  /// or with zeros above if the type is unsigned.
  int64_t integer = 0;
  /// Floating and complex types, rounded to the type.
  long double re = 0, im = 0;
  const std::string *text = nullptr; ///< String; null: ""
  std::vector<char> bytes; ///< aggregates, Timer, Opaque: their memory
};

/// The value of an integer, boolean, character, enumeration or file.
Value integerValue(int64_t integer);

/// The value of a floating number, which is rounded to its type already.
Value floatingValue(long double number);

/// The text of a string.
inline const std::string &textOf(const Value &value) {
  static const std::string Empty;
  return value.text ? *value.text : Empty;
}

/// Bytes of what is not an aggregate.
int64_t scalarSize(Type type);

/// Bits of it.
inline int scalarBits(Type type) { return int(scalarSize(type)) * 8; }

/// What its address is a multiple of.
inline int64_t scalarAlignment(Type type) {
  return type.isComplex() ? scalarSize(type) / 2 : scalarSize(type);
}

/// Whether values of an integer type, boolean or char are never negative.
bool isUnsigned(Type type);

/// The floating type of the parts of a complex type.
Type componentOf(Type complex);

/// \p integer modulo the width of \p type.
int64_t wrapTo(Type type, uint64_t integer);

/// \p number rounded to the floating type.
long double roundTo(Type type, long double number);

/// The value of a type that is not an aggregate, at \p address.
Value loadScalar(Type type, const char *address);

/// Puts such a value at \p address.
void storeScalar(Type type, char *address, const Value &value);

} // namespace zpl::interpreter

#endif // ZPL_LIB_INTERPRET_VALUES_VALUES_H
