//===- TypeTable.h - Makes the types of a program ---------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Indexed array types are equal if their elements and bounds are, wherever
/// they are written. So they are made here, once each, with the hidden
/// variables that hold bounds known at load time only.
///
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_SEMA_TYPES_TYPETABLE_H
#define ZPL_LIB_SEMA_TYPES_TYPETABLE_H

#include "zpl/Sema/Program.h"
#include "llvm/ADT/StringMap.h"
#include <map>

namespace zpl::sema {

/// The bounds of one dimension of an indexed array.
struct DimType {
  TypeBound lo, hi;
  Type index = Type::Integer; ///< or an enumeration
};

class TypeTable {
public:
  explicit TypeTable(Program &program) : program(program) {}

  /// \p text: the bounds as written, "1..n, 0..3".
  /// \p holds: TypeInfo::holds.
  Type array(Type element, llvm::ArrayRef<DimType> dims, llvm::StringRef text,
             Type::Kind holds = Type::Error);

  /// The type of regions whose dimensions are of these kinds, with Strided for
  /// `..` and for what is not known. Rank 0 gives the untyped formal `region`,
  /// which has the type of its argument.
  Type region(const Shape &shape);
  /// Values of \p type, a Region, may be sparse.
  void setSparse(Type type);
  /// The type of directions with these components, `direction<+, 0>`. Rank 0
  /// gives the untyped formal `direction`.
  Type direction(llvm::ArrayRef<TypeComponent> components);

  /// The bound that has the value of \p value, a longint made of constants and
  /// config variables. Equal expressions without calls give equal bounds.
  TypeBound bound(const Expr *value);

  /// The same for a value that belongs to a call of \p owner, whose local the
  /// bound is. \p isFixed: it does not change during the call.
  TypeBound entryBound(const Expr *value, Procedure &owner, bool isFixed);
  /// The type of one variable, whose upper bounds are \p highs.
  Type growable(Type element, llvm::ArrayRef<Variable *> highs);

  /// Puts the variables of bounds into the program's globals, each directly
  /// after what its value is made of.
  void placeBounds();

  /// Bytes of a value, counting unknown extents as 0; saturates.
  static uint64_t sizeOf(Type type);

private:
  Type storage(llvm::ArrayRef<int64_t> extents, Type::Kind holds);
  Program &program;
  std::map<std::vector<uint64_t>, const TypeInfo *> arrays, directions;
  std::map<std::vector<uint64_t>, TypeInfo *> regions;
  llvm::StringMap<Variable *> bounds; ///< by a key of the expression
  std::vector<Variable *> boundVariables;
};

/// Calls \p visit with the bounds of both types that stand in one place, where
/// the array types agree in everything else; otherwise returns false.
bool matchBounds(Type formal, Type argument,
                 llvm::function_ref<bool(TypeBound, TypeBound)> visit);

} // namespace zpl::sema

#endif // ZPL_LIB_SEMA_TYPES_TYPETABLE_H
