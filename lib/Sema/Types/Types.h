//===- Types.h - Rules of the types -----------------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Which types there are by name, which converts to which, and what type an
/// operation has (language reference, section 3).
///
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_SEMA_TYPES_TYPES_H
#define ZPL_LIB_SEMA_TYPES_TYPES_H

#include "zpl/Sema/Program.h"

namespace zpl::sema {

/// The type a keyword or predeclared name stands for; none: it is no type.
std::optional<Type> typeNamed(llvm::StringRef name);

/// Whether \p name is a type of the language that zplc has not got yet.
bool isLaterType(llvm::StringRef name);

/// Whether \p e stands for what has been reported.
inline bool isError(const Expr *e) { return e->type == Type::Error; }

/// Boolean, char or an integer: what a condition may be.
inline bool isIntegral(Type type) {
  return type >= Type::Boolean && type <= Type::Ulongint;
}

/// The size in bits of a type that isIntegral.
unsigned widthOf(Type type);

/// Whether \p type is an integer type with a sign.
bool isSigned(Type type);

/// What a value of \p type takes part in arithmetic as: boolean, char and short
/// integers as integer.
Type promoted(Type type);

/// Integer or Longint: what a value of integral \p type is as an index.
inline Type indexTypeOf(Type type) {
  return promoted(type) == Type::Integer ? Type::Integer : Type::Longint;
}

/// The type in which two numeric operands meet: the wider of the promoted ones.
Type commonType(Type a, Type b);

/// The type of a complex type's parts.
Type componentOf(Type complex);

/// The complex type of a numeric type's values.
Type complexOf(Type type);

/// Whether assignment converts \p from to \p to.
bool converts(Type from, Type to);

/// Whether a conversion goes to a narrower type, in the order of section 3.
/// That to boolean is a test, and does not.
bool narrows(Type from, Type to);

/// Whether \p type is, or has as innermost elements, the untyped formal
/// `region` or `direction`.
bool isUntyped(Type type);

/// For messages: "a range", "flooded".
llvm::StringRef nameOf(DimKind kind);

/// As the type of a region has it: "..", "*".
llvm::StringRef componentText(DimKind kind);

/// The rank of a type of regions or directions.
unsigned rankOf(Type type);

/// Whether a dimension of kind \p value may be stored where the type of a
/// region says \p type, which is Strided for a range.
bool holds(DimKind type, DimKind value);

/// Whether a region or direction of type \p from may be one of type \p to,
/// signs and values of components aside.
bool isAssignable(Type from, Type to);

/// The number of indices of an indexed array in dimension \p dim, if its bounds
/// are constants.
std::optional<int64_t> extentOf(const TypeInfo &array, size_t dim);

/// Whether values of \p type are regions or directions or have such parts.
bool holdsRegions(Type type);

/// The elements of the elements ... of an indexed array; other types give
/// themselves.
Type innermostElement(Type type);

} // namespace zpl::sema

#endif // ZPL_LIB_SEMA_TYPES_TYPES_H
