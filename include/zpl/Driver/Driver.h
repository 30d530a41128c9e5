//===- Driver.h - The compiler as a command ---------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_DRIVER_DRIVER_H
#define ZPL_DRIVER_DRIVER_H

#include "llvm/ADT/ArrayRef.h"

namespace zpl {

/// Does what the command line \p args says (the first one is the name that
/// zplc was called by): compiles one ZPL program and links it, or the part of
/// that which the options ask for. Messages go to standard error, dumps to
/// standard output. Gives the exit status: 0, or 1 after errors.
int compilerMain(llvm::ArrayRef<const char *> args);

} // namespace zpl

#endif // ZPL_DRIVER_DRIVER_H
