//===- Types.cpp - Rules of the types -------------------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Arithmetic follows C: of
//
//     var i: integer; l: longint; f: float; q: quad; b: boolean; z: complex;
//
// b + b is an integer, i + l a longint, l + f a float, z + q a qcomplex: the
// later of the two in the order of section 3 wins, and what is shorter than an
// integer counts as integer. Type::Kind lists the types in this order, so the
// common type is a maximum; only of a complex and a real type it is the complex
// type whose parts are as wide as either.
//
//===----------------------------------------------------------------------===//

#include "Types/Types.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/FormatVariadic.h"

#include <algorithm>

namespace zpl::sema {

Type::Type(const TypeInfo *info) : theKind(info->kind), theInfo(info) {}

namespace {

std::string arrayText(const TypeInfo &info) {
  return "array [" + info.boundsText + "] of " + text(info.element);
}

std::string regionText(const TypeInfo &info) {
  std::string result;
  for (DimKind kind : info.shape) {
    result += result.empty() ? "region<" : ", ";
    result += componentText(kind);
  }
  return result.empty() ? "region" : result + ">";
}

std::string directionText(const TypeInfo &info) {
  std::string result;
  for (const TypeComponent &component : info.components) {
    result += result.empty() ? "direction<" : ", ";
    switch (component.kind) {
    case TypeComponent::Unknown:
      break;
    case TypeComponent::Plus:
      result += '+';
      break;
    case TypeComponent::Minus:
      result += '-';
      break;
    case TypeComponent::Value:
      result += std::to_string(component.value);
      break;
    }
  }
  return result.empty() ? "direction" : result + ">";
}

std::string declaredText(const TypeInfo &info, llvm::StringRef what) {
  return info.name.empty() ? what.str() : info.name;
}

std::string dealtText(const TypeInfo &info) {
  return llvm::formatv("{0} of rank {1}",
                       info.deals == TypeInfo::Grids ? "grid" : "distribution",
                       info.dealtRank);
}

} // namespace

bool isDistributionValue(Type type) {
  return type == Type::Enum && type.info()->deals != TypeInfo::NoPlaces;
}

bool isRunTimeSized(Type type) {
  if (!type.isAggregate())
    return false;
  const TypeInfo &info = *type.info();
  auto isVariable = [](const TypeBound &b) { return b.variable; };
  return llvm::any_of(info.lo, isVariable) ||
         llvm::any_of(info.hi, isVariable) ||
         (type == Type::Array && isRunTimeSized(info.element)) ||
         llvm::any_of(info.fields, [](const TypeField &field) {
           return isRunTimeSized(field.type);
         });
}

bool isGrowable(Type type) {
  return type == Type::Array && type.info()->isGrowable;
}

bool hasVaryingBounds(Type type) {
  if (type != Type::Array)
    return false;
  auto varies = [](const TypeBound &bound) {
    return bound.variable && bound.variable->storage != Storage::Global;
  };
  const TypeInfo &info = *type.info();
  return info.isGrowable || llvm::any_of(info.lo, varies) ||
         llvm::any_of(info.hi, varies) || hasVaryingBounds(info.element);
}

std::string text(Type type) {
  switch (type.kind()) {
#define ZPL_NAMED_TYPE(Kind, word, bytes, Air, Foreign)                        \
  case Type::Kind:                                                             \
    return word;
#include "zpl/Sema/Kinds.def"
  case Type::Error:
    return "error";
  case Type::Void:
    return "void";
  case Type::Generic:
    return "generic";
  case Type::Enum:
    return isDistributionValue(type)
               ? dealtText(*type.info())
               : declaredText(*type.info(), "enumeration");
  case Type::Opaque:
    return declaredText(*type.info(), "opaque");
  case Type::Record:
    return declaredText(*type.info(), "record");
  case Type::Union:
    return declaredText(*type.info(), "union");
  case Type::Array:
    return arrayText(*type.info());
  case Type::Region:
    return regionText(*type.info());
  case Type::Direction:
    return directionText(*type.info());
  }
  llvm_unreachable("type");
}

int64_t scalarBytes(Type type) {
  switch (type.kind()) {
#define ZPL_NAMED_TYPE(Kind, word, bytes, Air, Foreign)                        \
  case Type::Kind:                                                             \
    return bytes;
#include "zpl/Sema/Kinds.def"
  case Type::Enum:
    return 4;
  case Type::Opaque:
    return type.info()->size;
  case Type::Error:
  case Type::Void:
  case Type::Generic:
  case Type::Record:
  case Type::Union:
  case Type::Array:
  case Type::Region:
  case Type::Direction:
    return 0;
  }
  llvm_unreachable("type");
}

std::optional<Type> typeNamed(llvm::StringRef name) {
  return llvm::StringSwitch<std::optional<Type>>(name)
#define ZPL_NAMED_TYPE(Kind, word, bytes, Air, Foreign) .Case(word, Type::Kind)
#include "zpl/Sema/Kinds.def"
      .Default(std::nullopt);
}

bool isLaterType(llvm::StringRef name) {
  return llvm::StringSwitch<bool>(name)
      .Cases("region", "direction", "grid", "distribution", true)
      .Default(false);
}

unsigned widthOf(Type type) {
  assert(isIntegral(type));
  if (type <= Type::Ubyte)
    return 8;
  if (type <= Type::Ushortint)
    return 16;
  return type <= Type::Uinteger ? 32 : 64;
}

bool isSigned(Type type) {
  return type == Type::Sbyte || type == Type::Shortint ||
         type == Type::Integer || type == Type::Longint;
}

Type promoted(Type type) {
  if (isIntegral(type) && type < Type::Integer)
    return Type::Integer;
  return type;
}

Type componentOf(Type complex) {
  assert(complex.isComplex());
  if (complex == Type::Complex)
    return Type::Float;
  return complex == Type::Dcomplex ? Type::Double : Type::Quad;
}

Type complexOf(Type type) {
  if (type.isComplex())
    return type;
  if (type == Type::Quad)
    return Type::Qcomplex;
  return type == Type::Double ? Type::Dcomplex : Type::Complex;
}

Type commonType(Type a, Type b) {
  if (a.isComplex() || b.isComplex())
    return std::max(complexOf(a).kind(), complexOf(b).kind());
  return std::max(promoted(a).kind(), promoted(b).kind());
}

llvm::StringRef nameOf(DimKind kind) {
  switch (kind) {
  case DimKind::Range:
  case DimKind::Strided:
    return "a range";
  case DimKind::Singleton:
    return "a single index";
  case DimKind::Flood:
    return "flooded";
  case DimKind::Grid:
    return "a grid dimension";
  }
  llvm_unreachable("kind of a dimension");
}

llvm::StringRef componentText(DimKind kind) {
  switch (kind) {
  case DimKind::Range:
  case DimKind::Strided:
    return "..";
  case DimKind::Singleton:
    return ".";
  case DimKind::Flood:
    return "*";
  case DimKind::Grid:
    return "::";
  }
  llvm_unreachable("kind of a dimension");
}

bool converts(Type from, Type to) {
  if (from.isNumeric() && to.isNumeric())
    return !from.isComplex() || to.isComplex();
  if (from == Type::Region || from == Type::Direction)
    return isAssignable(from, to);
  return from == to && from != Type::Timer && from != Type::Void;
}

bool narrows(Type from, Type to) {
  if (!from.isNumeric() || !to.isNumeric() || to == Type::Boolean)
    return false;
  if (from == Type::Ubyte && to == Type::Char)
    return false;
  if (to.isComplex() && !from.isComplex())
    return from.isFloating() && from > componentOf(to);
  return from > to;
}

std::optional<int64_t> extentOf(const TypeInfo &array, size_t dim) {
  if (array.lo[dim].variable || array.hi[dim].variable)
    return std::nullopt;
  return std::max<int64_t>(array.hi[dim].value - array.lo[dim].value + 1, 0);
}

bool holdsRegions(Type type) {
  type = innermostElement(type);
  return type == Type::Region || type == Type::Direction ||
         (type.isAggregate() &&
          llvm::any_of(type.info()->fields, [](const TypeField &field) {
            return holdsRegions(field.type);
          }));
}

Type innermostElement(Type type) {
  while (type == Type::Array)
    type = type.info()->element;
  return type;
}

} // namespace zpl::sema
