//===- Types.cpp - Rules of the scalar types ------------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Arithmetic follows C: of
//
//     var i: integer; l: longint; f: float; b: boolean;
//
// b + b is an integer, i + l a longint, l + f a float: the later of the two in
// the order integer < longint < float < double wins, and boolean counts as
// integer. The enumeration ScalarType lists them in this order, so the common
// type is a maximum.
//
//===----------------------------------------------------------------------===//

#include "Types.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/ErrorHandling.h"

#include <algorithm>

namespace zpl::sema {

llvm::StringRef text(ScalarType type) {
  switch (type) {
  case ScalarType::Error:
    return "error";
  case ScalarType::Void:
    return "void";
  case ScalarType::Boolean:
    return "boolean";
  case ScalarType::Integer:
    return "integer";
  case ScalarType::Longint:
    return "longint";
  case ScalarType::Float:
    return "float";
  case ScalarType::Double:
    return "double";
  case ScalarType::String:
    return "string";
  case ScalarType::Timer:
    return "timer";
  }
  llvm_unreachable("scalar type");
}

std::optional<ScalarType> typeNamed(llvm::StringRef name) {
  return llvm::StringSwitch<std::optional<ScalarType>>(name)
      .Case("boolean", ScalarType::Boolean)
      .Case("integer", ScalarType::Integer)
      .Case("longint", ScalarType::Longint)
      .Case("float", ScalarType::Float)
      .Case("double", ScalarType::Double)
      .Case("string", ScalarType::String)
      .Case("timer", ScalarType::Timer)
      .Default(std::nullopt);
}

bool isLaterType(llvm::StringRef name) {
  return llvm::StringSwitch<bool>(name)
      .Cases("char", "file", "opaque", "generic", true)
      .Cases("sbyte", "ubyte", "shortint", "ushortint", true)
      .Cases("uinteger", "ulongint", "quad", true)
      .Cases("complex", "dcomplex", "qcomplex", true)
      .Cases("region", "direction", "grid", "distribution", true)
      .Default(false);
}

bool isNumeric(ScalarType type) {
  return ScalarType::Boolean <= type && type <= ScalarType::Double;
}

bool isFloating(ScalarType type) {
  return type == ScalarType::Float || type == ScalarType::Double;
}

bool isIntegral(ScalarType type) {
  return isNumeric(type) && !isFloating(type);
}

ScalarType promoted(ScalarType type) {
  return type == ScalarType::Boolean ? ScalarType::Integer : type;
}

ScalarType commonType(ScalarType a, ScalarType b) {
  static_assert(ScalarType::Integer < ScalarType::Longint &&
                ScalarType::Longint < ScalarType::Float &&
                ScalarType::Float < ScalarType::Double);
  return std::max(promoted(a), promoted(b));
}

bool converts(ScalarType from, ScalarType to) {
  if (isNumeric(from) && isNumeric(to))
    return true;
  return from == to && from == ScalarType::String;
}

} // namespace zpl::sema
