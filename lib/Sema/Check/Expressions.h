//===- Expressions.h - Checks expressions -----------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Values: what stands on the right of `:=`, in conditions and in arguments.
///
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_SEMA_CHECK_EXPRESSIONS_H
#define ZPL_LIB_SEMA_CHECK_EXPRESSIONS_H

#include "Check/Checking.h"

namespace zpl::sema {

/// The value of any expression \p e, of any rank. Reports regions, directions
/// and lists of values, which are none.
const Expr *checkExpr(Checking &c, const ast::Expr &e);

/// What a name alone means as a value: the constant, the variable, the whole
/// array, a predeclared constant, `Index1`. Reports unknown names, procedures
/// without arguments, names of types and regions, and families.
const Expr *nameValue(Checking &c, const ast::NameRef &e);

/// The value of \p e, which must be neither an array nor free; \p what ("bound
/// of a region") says whose it is, for the report.
const Expr *checkScalar(Checking &c, const ast::Expr &e, llvm::StringRef what);

/// The value of \p e as a boolean, perhaps an array. Reports types that are not
/// integral, and free values in code that all processors execute.
const Expr *checkCondition(Checking &c, const ast::Expr &e);

} // namespace zpl::sema

#endif // ZPL_LIB_SEMA_CHECK_EXPRESSIONS_H
