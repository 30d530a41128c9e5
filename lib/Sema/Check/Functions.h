//===- Functions.h - Calls of standard functions ----------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Standard functions: those of mathematics apply to arrays element by element.
///
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_SEMA_CHECK_FUNCTIONS_H
#define ZPL_LIB_SEMA_CHECK_FUNCTIONS_H

#include "Check/Checking.h"
#include "Names/Predeclared.h"

namespace zpl::sema {

/// A call of the predeclared name \p entry as a value. Reports what is no
/// function, has no value or is not supported, and wrong arguments.
const Expr *checkStandardCall(Checking &c, const ast::Call &e,
                              const Predeclared &entry);

/// `isnan`, `isinf` or `isfinite` of the floating \p value: a boolean.
const Expr *floatingKind(Checking &c, Function function, const Expr *value,
                         SourceRange range);

/// Whether \p fits is true for the types of all of \p args, arguments of \p e;
/// reports the first other one.
bool haveTypes(Checking &c, const ast::Call &e,
               llvm::ArrayRef<const Expr *> args,
               llvm::function_ref<bool(Type)> fits);

/// Whether \p e has \p least to \p most arguments; reports otherwise.
bool countArguments(Checking &c, const ast::Call &e, unsigned least,
                    unsigned most);

} // namespace zpl::sema

#endif // ZPL_LIB_SEMA_CHECK_FUNCTIONS_H
