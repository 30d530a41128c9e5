//===- Expressions.h - Values at one index ----------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_INTERPRET_EXPRESSIONS_H
#define ZPL_LIB_INTERPRET_EXPRESSIONS_H

#include "Run.h"

namespace zpl::interpreter {

/// The value of a scalar expression, or of an array expression at \p at, for
/// which it was prepared. Ends the run where the language forbids what it does.
Value eval(Run &run, const sema::Expr *expr, const At *at = nullptr);

/// Where a variable, an element at \p at, or a part of one lies. What is no
/// place, as `f(x)` in `f(x).re`, is put into memory that the result owns. An
/// array without \p at is its first element.
Place place(Run &run, const sema::Expr *expr, const At *at = nullptr);

/// The index at which a prepared reference finds its element of \p array.
Index shifted(const sema::ArrayExpr *expr, const ArrayStorage &array,
              const At &at);

} // namespace zpl::interpreter

#endif // ZPL_LIB_INTERPRET_EXPRESSIONS_H
