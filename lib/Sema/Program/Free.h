//===- Free.h - What each processor has for itself --------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_SEMA_PROGRAM_FREE_H
#define ZPL_LIB_SEMA_PROGRAM_FREE_H

#include "zpl/Sema/Program.h"
#include "zpl/Support/Diagnostic.h"

namespace zpl::sema {

/// Adds to \p report, which is about the free expression \p value, where its
/// freedom comes from.
void addFreeSource(DiagnosticBuilder &report, const Expr &value);

/// Reports what free procedures must not do. Procedure::isParallel is set.
void checkFreeProcedures(const Program &program, DiagnosticEngine &diags);

} // namespace zpl::sema

#endif // ZPL_LIB_SEMA_PROGRAM_FREE_H
