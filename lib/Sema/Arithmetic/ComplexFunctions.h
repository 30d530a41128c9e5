//===- ComplexFunctions.h - Functions of complex values ---------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_SEMA_ARITHMETIC_COMPLEXFUNCTIONS_H
#define ZPL_LIB_SEMA_ARITHMETIC_COMPLEXFUNCTIONS_H

#include "Check/Checking.h"
#include "Names/Predeclared.h"

namespace zpl::sema {

/// `real imag conj arg`, and `abs isnan isinf isfinite`, of the complex value
/// \p arg; reports another type. Those that need both parts of something that is not to be
/// computed twice are calls of a function made for it.
const Expr *complexFunction(Checking &c, Function function, const ast::Call &e,
                            const Expr *arg);

} // namespace zpl::sema

#endif // ZPL_LIB_SEMA_ARITHMETIC_COMPLEXFUNCTIONS_H
