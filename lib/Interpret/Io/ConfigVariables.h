//===- ConfigVariables.h - Values from the command line ---------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_INTERPRET_IO_CONFIGVARIABLES_H
#define ZPL_LIB_INTERPRET_IO_CONFIGVARIABLES_H

#include "Run.h"

namespace zpl::interpreter {

/// Gives a declared config variable its default, unless all of it is set, and
/// what the command line sets. A wrong setting ends the run with status 2.
void configure(Run &run, const sema::Variable *variable);

} // namespace zpl::interpreter

#endif // ZPL_LIB_INTERPRET_IO_CONFIGVARIABLES_H
