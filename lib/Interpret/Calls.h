//===- Calls.h - Calls of procedures ----------------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A call: arguments(), then invoke() with them. See Calls.cpp.
///
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_INTERPRET_CALLS_H
#define ZPL_LIB_INTERPRET_CALLS_H

#include "Run.h"

namespace zpl::interpreter {

/// Calls a procedure, for the element at \p at if the call is promoted, and
/// gives its result.
Value call(Run &run, const sema::CallExpr *call, const At *at = nullptr);

/// Calls a function whose result is a parallel array, over the covering region;
/// gives the array.
std::unique_ptr<ArrayStorage> callForArray(Run &run,
                                           const sema::CallExpr *call);

/// Evaluates the arguments of a call, from left to right, and checks arrays
/// against their formals. \p temporaries owns the arrays that are made.
std::vector<Argument> arguments(Run &run, const sema::CallExpr *call,
                                const At *at, Frame &temporaries);

/// Ends the run if \p array, passed as \p argument, is not declared over the
/// indices of R for a formal `[R] T`; its blank dimensions are the array's.
void checkFormal(Run &run, const sema::Array *formal, const ArrayStorage &array,
                 const sema::Expr *argument);

/// Executes a procedure in a new frame and gives its result; a parallel array
/// is put into \p resultArray. Ends the run for a procedure of C, where the
/// stack is used up, and where a function ends without `return`.
Value invoke(Run &run, const sema::Procedure *procedure,
             llvm::ArrayRef<Argument> arguments, SourceRange where,
             ArrayStorage *resultArray = nullptr);

} // namespace zpl::interpreter

#endif // ZPL_LIB_INTERPRET_CALLS_H
