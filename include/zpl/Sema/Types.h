//===- Types.h - The language's types, checked ------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The types of language section 3 that variables, elements and expressions
/// have. Included through Program.h.
///
//===----------------------------------------------------------------------===//

#ifndef ZPL_SEMA_TYPES_H
#define ZPL_SEMA_TYPES_H

#include "zpl/Support/SourceManager.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace zpl::sema {

struct TypeInfo;
struct Expr;
struct Variable;

/// A type: a kind and, for enumerations, opaque types and aggregates, what it
/// is made of. A small value; equal types compare equal.
class Type {
public:
  /// Those of Kinds.def; from Enum on they have a TypeInfo.
  enum Kind : uint8_t {
#define ZPL_TYPE(Kind) Kind,
#include "zpl/Sema/Kinds.def"
  };

  constexpr Type(Kind kind = Error) : theKind(kind) {}
  Type(const TypeInfo *info);

  constexpr operator Kind() const { return theKind; }
  constexpr Kind kind() const { return theKind; }
  /// What a type of kind Enum or later is made of; else null.
  const TypeInfo *info() const { return theInfo; }

  bool isInteger() const { return theKind >= Sbyte && theKind <= Ulongint; }
  bool isFloating() const { return theKind >= Float && theKind <= Quad; }
  bool isComplex() const { return theKind >= Complex && theKind <= Qcomplex; }
  /// Takes part in arithmetic: boolean, char, integers, floating, complex.
  bool isNumeric() const { return theKind >= Boolean && theKind <= Qcomplex; }
  bool isAggregate() const { return theKind >= Record; }

  friend constexpr bool operator==(Type a, Type b) {
    return a.theKind == b.theKind && a.theInfo == b.theInfo;
  }
  friend constexpr bool operator==(Type a, Kind b) { return a.theKind == b; }

private:
  Kind theKind;
  const TypeInfo *theInfo = nullptr;
};
/// As the language writes it: "integer", "point", "array [1..n] of double".
std::string text(Type type);
/// The bytes of a value of a type that programs name, of an enumeration or an
/// opaque type, as compiled programs have it; 0 of all others.
int64_t scalarBytes(Type type);

struct TypeField {
  std::string name;
  Type type;
  SourceRange range;
};

struct TypeEnumerator {
  std::string name;
  int64_t value;
  SourceRange range;
};

/// A bound of an indexed array: a constant, or the value of a hidden longint
/// variable: a global that is set where the type is declared (bounds of config
/// expressions), a local that is set there (bounds computed at entry), a
/// parameter of the procedure (blank bounds of a formal), or one that `resize`
/// sets (upper bounds of a growable variable).
struct TypeBound {
  int64_t value = 0;
  Variable *variable = nullptr; ///< null: `value`
  bool operator==(const TypeBound &other) const = default;
};

/// What is statically known of a component of a direction: its sign or value.
struct TypeComponent {
  enum Kind : uint8_t { Unknown, Plus, Minus, Value } kind = Unknown;
  int64_t value = 0; ///< Value
  bool operator==(const TypeComponent &other) const = default;
};

enum class DimKind : uint8_t;

/// What a type is. Enumerations, records, unions and opaque types are unique
/// per declaration; Array types per element, bounds and index types.
struct TypeInfo {
  Type::Kind kind = Type::Record;
  std::string name; ///< as declared; may be empty
  SourceRange range;
  std::vector<TypeEnumerator> enumerators; ///< Enum
  /// Enum: its values name grids or distributions of `dealtRank` dimensions
  /// (lib/Sema/Distributions/DistributionValues.h); 0 is none of them.
  enum Deals : uint8_t { NoPlaces, Grids, Distributions } deals = NoPlaces;
  unsigned dealtRank = 0;
  std::vector<TypeField> fields;          ///< Record, Union
  int64_t size = 0, alignment = 1;        ///< Opaque, from C
  Type element;                           ///< Array
  llvm::SmallVector<TypeBound, 2> lo, hi; ///< Array: per dimension
  /// Array: per dimension the enumeration its bounds are of, else Integer.
  llvm::SmallVector<Type, 2> index;
  /// Array: source text of the bounds, for text(): "1..n, 0..3".
  std::string boundsText;
  /// Region: what is known of its dimensions; Strided stands for `..` as well.
  llvm::SmallVector<DimKind, 6> shape;
  llvm::SmallVector<TypeComponent, 6> components; ///< Direction
  /// Region, Direction: the Array type of Longints that holds the values, which
  /// a SubscriptExpr on a place of this type selects. For a region
  /// [0..rank-1, 0..3]: lo, hi, stride and align of each dimension, and one
  /// more row: the level, INT64_MIN for none, 1 if there is a value at all
  /// (memory starts at zero), and which pattern it has, 0 for none, if the type
  /// isSparse: [0..rank, 0..3]. For a direction [0..rank-1].
  Type storage;
  /// Region: its values may be sparse; set once the module has been checked.
  bool isSparse = false;
  /// Array: Region or Direction of such a type, else Error.
  Type::Kind holds = Type::Error;
  /// Array: the type of one variable, whose upper bounds `resize` sets.
  bool isGrowable = false;
};

/// Whether its size depends on the value of a variable.
bool isRunTimeSized(Type type);

/// Whether \p type has a bound, also of its elements, that is not the same in
/// the whole program: that of a call, or of a growable variable. Records have
/// none.
bool hasVaryingBounds(Type type);

/// Whether the values of \p type are grids or distributions.
bool isDistributionValue(Type type);

/// Whether `resize` takes a variable of \p type.
bool isGrowable(Type type);

} // namespace zpl::sema

#endif // ZPL_SEMA_TYPES_H
