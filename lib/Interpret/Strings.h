//===- Strings.h - Strings that the program makes ---------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_INTERPRET_STRINGS_H
#define ZPL_LIB_INTERPRET_STRINGS_H

#include "Run.h"

namespace zpl::interpreter {

/// The string with the bytes of \p text up to its first 0.
Value stringValue(Run &run, std::string text);

/// Whether \p math takes or gives a string.
bool isOfStrings(const sema::MathExpr &math);

/// The value of a function for which that is true.
Value stringFunction(Run &run, const sema::MathExpr &math,
                     llvm::ArrayRef<Value> args);

/// Stores the pieces of the text into \p place; how many there are.
Value splitString(Run &run, const sema::BuiltinExpr &split,
                  llvm::ArrayRef<Value> args);

} // namespace zpl::interpreter

#endif // ZPL_LIB_INTERPRET_STRINGS_H
