//===- StringFunctions.h - Standard functions of strings --------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_SEMA_CHECK_STRINGFUNCTIONS_H
#define ZPL_LIB_SEMA_CHECK_STRINGFUNCTIONS_H

#include "Check/Checking.h"
#include "Names/Predeclared.h"
#include "zpl/AST/Expr.h"

namespace zpl::sema {

/// The value of the call \p e of \p entry, which isOfStrings, with as many
/// arguments as that takes. Reports wrong ones.
const Expr *checkStringFunction(Checking &c, const ast::Call &e,
                                const Predeclared &entry);

/// \p value as a string: itself, or of a character the string of it.
const Expr *asString(Checking &c, const Expr *value);

/// The number of \p type that the string \p text is at run time: `to_integer`,
/// `to_longint` and `to_double` of strings. Null if there is no such function.
const Expr *parsedNumber(Checking &c, const Expr *text, Type type,
                         SourceRange range);

} // namespace zpl::sema

#endif // ZPL_LIB_SEMA_CHECK_STRINGFUNCTIONS_H
