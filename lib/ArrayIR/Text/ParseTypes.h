//===- ParseTypes.h - Text to array IR: types -------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Types and their declarations. Each function gives false after an error,
/// which it has left in the Parsing.
///
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_ARRAYIR_TEXT_PARSETYPES_H
#define ZPL_LIB_ARRAYIR_TEXT_PARSETYPES_H

#include "Text/Parsing.h"

namespace zpl::air {

/// `f64`, `@rec`, `array [0..2, 1..@n] of f64`, `handle 2 of f64`: the type of
/// a value, into \p type. False after an error.
bool parseType(Parsing &p, Type &type);

/// `x`, after the point of `%r.x`, into \p name. False after an error.
bool parseFieldName(Parsing &p, std::string &name);

/// At the end of declarations: have all variables that bounds name been
/// declared? One that was not is an error.
bool nothingAwaited(Parsing &p);

/// `type @t = record { x: f64 }`, at its first word; adds it to the module.
/// False after an error, as a name that is taken.
bool parseTypeDecl(Parsing &p);

} // namespace zpl::air

#endif // ZPL_LIB_ARRAYIR_TEXT_PARSETYPES_H
