//===- ConstantFiles.h - Constant files stay what they are ------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A constant file may be passed by reference, but not to be assigned.
///
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_SEMA_STATEMENTS_CONSTANTFILES_H
#define ZPL_LIB_SEMA_STATEMENTS_CONSTANTFILES_H

#include "zpl/Sema/Program.h"
#include "zpl/Support/Diagnostic.h"

namespace zpl::sema {

/// Reports constant files that are passed by reference to a procedure that
/// assigns its parameter, or passes it on to one that does.
void checkConstantFiles(const Program &program, DiagnosticEngine &diags);

} // namespace zpl::sema

#endif // ZPL_LIB_SEMA_STATEMENTS_CONSTANTFILES_H
