//===- Types.h - The array IR: types ----------------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The types of variables, elements and expressions: scalars, and aggregates
/// made of them. Included through ArrayIR.h.
///
//===----------------------------------------------------------------------===//

#ifndef ZPL_ARRAYIR_TYPES_H
#define ZPL_ARRAYIR_TYPES_H

#include "zpl/Support/SourceManager.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <string>
#include <vector>

namespace zpl::air {

struct TypeInfo;
struct Variable;

/// A type: a kind and, for aggregates, enumerations and opaque types, what it
/// is made of. A small value; equal types compare equal.
class Type {
public:
  /// Those of Kinds.def; from Enum on they have a TypeInfo.
  enum Kind : uint8_t {
#define AIR_TYPE(Kind) Kind,
#include "zpl/ArrayIR/Kinds.def"
  };

  constexpr Type(Kind kind = Void) : theKind(kind) {}
  Type(const TypeInfo *info);

  constexpr operator Kind() const { return theKind; }
  /// What follows says what kind of type this is.
  constexpr Kind kind() const { return theKind; }
  /// What a type of kind Enum or later is made of; else null.
  const TypeInfo *info() const { return theInfo; }

  bool isSigned() const;   ///< I8 I16 I32 I64, Enum
  bool isUnsigned() const; ///< Bool Char U8 U16 U32 U64
  bool isInteger() const { return isSigned() || isUnsigned(); }
  bool isFloat() const { return theKind >= F32 && theKind <= F80; }
  bool isComplex() const { return theKind >= C32 && theKind <= C80; }
  /// A type of several values: Record, Union, Array, Handle. Expressions of
  /// such types are places or calls; CodeGen handles them by address.
  bool isAggregate() const { return theKind >= Record; }
  /// C32 -> F32 ...; other types give themselves.
  Type component() const;
  /// Whether its size depends on the value of a variable.
  bool isRunTimeSized() const;
  /// A Handle, or an array of such, perhaps of arrays: a family. Its values are
  /// not copied; views name its parallel arrays.
  bool isFamily() const;

  friend constexpr bool operator==(Type a, Type b) {
    return a.theKind == b.theKind && a.theInfo == b.theInfo;
  }
  friend constexpr bool operator==(Type a, Kind b) { return a.theKind == b; }

private:
  Kind theKind;
  const TypeInfo *theInfo = nullptr;
};

/// One bound of an indexed array: a constant or the value of an I64 variable
/// that is set before any variable of the type is made and never changes
/// after, but by ResizeStmt. Formals with blank bounds name parameters of their
/// procedure, variables with bounds computed at entry locals.
struct Bound {
  int64_t value = 0;
  Variable *variable = nullptr; ///< null: `value`
  bool operator==(const Bound &other) const = default;
};

struct Field {
  std::string name;
  Type type;
};

struct Enumerator {
  std::string name;
  int64_t value;
};

/// What an Enum, Opaque, Record, Union, Array or Handle is. Named ones are
/// declared once per module and compare by identity; Array and Handle types are
/// interned by the Module. Records are laid out as C does.
struct TypeInfo {
  Type::Kind kind = Type::Record;
  std::string name; ///< unique in the module; empty for Array, Handle
  std::string text; ///< as in the source, for messages and I/O; may be empty
  std::vector<Enumerator> enumerators; ///< Enum
  int64_t size = 0, alignment = 1;     ///< Opaque
  std::vector<Field> fields;           ///< Record, Union
  Type element;                        ///< Array, Handle
  unsigned rank = 0;                   ///< Handle
  llvm::SmallVector<Bound, 2> lo, hi;  ///< Array: per dimension
  /// Array: per dimension the enumeration its bounds are of, else Void; empty
  /// when there is none.
  llvm::SmallVector<Type, 2> index;
  /// Array: what a debugger shows for the numbers; not in the text form.
  enum class Holds : uint8_t { Numbers, Region, Direction };
  Holds holds = Holds::Numbers;
  SourceRange range; ///< of the declaration
};

} // namespace zpl::air

#endif // ZPL_ARRAYIR_TYPES_H
