//===- Errors.h - Errors of the program that runs ---------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_INTERPRET_ERRORS_H
#define ZPL_LIB_INTERPRET_ERRORS_H

#include "Run.h"

namespace zpl::interpreter {

/// Writes out what is pending, prints the error of the program with its place
/// and throws EndOfRun with status 1.
[[noreturn]] void fail(Run &run, SourceRange where, const std::string &message);

/// Writes out what is pending and prints the warning, once for a place.
void warn(Run &run, SourceRange where, const std::string &message);

/// Where the stack is nearly used up by calls, the last one of \p procedure,
/// says so and ends the process with status 1.
void checkStack(Run &run, const sema::Procedure *procedure);

} // namespace zpl::interpreter

#endif // ZPL_LIB_INTERPRET_ERRORS_H
