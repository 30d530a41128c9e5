//===- ParseExpressions.h - Text to array IR: expressions -------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Expressions, written as operations: `add(%x, f64 0.5)`, `%A@(0,1)`, `@t.re`.
/// Types are known at once, since all names are declared before.
///
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_ARRAYIR_TEXT_PARSEEXPRESSIONS_H
#define ZPL_LIB_ARRAYIR_TEXT_PARSEEXPRESSIONS_H

#include "Text/Parsing.h"

namespace zpl::air {

/// An expression: `%x`, `i32 5`, `f64(%k)`, `mul(%A@(0,1), %c)`, `index(0)`,
/// `call @f(...)`. Null after an error; one is a nesting deeper than MaxDepth.
const Expr *parseExpr(Parsing &p);

/// What may be assigned: a variable, an element, their fields and subscripts,
/// `%r.x[%i]`. Null after an error, as anything else is.
const Expr *parsePlace(Parsing &p);

/// `call @f(%x, ref %y, array %A, region %R)`. Null after an error.
const CallExpr *parseCall(Parsing &p);

/// `(a, b)`, added to \p operands; they may be none. False after an error.
bool parseOperands(Parsing &p, ExprVector &operands);

} // namespace zpl::air

#endif // ZPL_LIB_ARRAYIR_TEXT_PARSEEXPRESSIONS_H
