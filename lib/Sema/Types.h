//===- Types.h - Rules of the scalar types ----------------------*- C++ -*-===//
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

#ifndef ZPL_SEMA_TYPES_H
#define ZPL_SEMA_TYPES_H

#include "zpl/Sema/Program.h"

namespace zpl::sema {

/// The type a keyword or predeclared name stands for; none: it is no type.
std::optional<ScalarType> typeNamed(llvm::StringRef name);

/// Whether \p name is a type of the language that zplc has not got yet.
bool isLaterType(llvm::StringRef name);

inline bool isError(const Expr *e) { return e->type == ScalarType::Error; }

/// Boolean takes part in arithmetic, so it counts.
bool isNumeric(ScalarType type);
bool isFloating(ScalarType type);
/// Boolean, integer or longint: what a condition may be.
bool isIntegral(ScalarType type);

/// What a value of \p type takes part in arithmetic as: boolean as integer.
ScalarType promoted(ScalarType type);

/// The type in which two numeric operands meet: the wider of the promoted ones.
ScalarType commonType(ScalarType a, ScalarType b);

/// Whether assignment converts \p from to \p to.
bool converts(ScalarType from, ScalarType to);

} // namespace zpl::sema

#endif // ZPL_SEMA_TYPES_H
