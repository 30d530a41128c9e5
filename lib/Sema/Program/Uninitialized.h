//===- Uninitialized.h - Reads before any assignment ------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_SEMA_PROGRAM_UNINITIALIZED_H
#define ZPL_LIB_SEMA_PROGRAM_UNINITIALIZED_H

#include "zpl/Sema/Program.h"
#include "zpl/Support/Diagnostic.h"

namespace zpl::sema {

/// Warns of local scalars that are read where, on every path, nothing has been
/// assigned to them.
void reportUninitialized(const Program &program, DiagnosticEngine &diags);

} // namespace zpl::sema

#endif // ZPL_LIB_SEMA_PROGRAM_UNINITIALIZED_H
