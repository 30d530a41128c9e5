//===- Free.h - What each processor has for itself --------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Free values may differ between processors (`localeID()`, variables declared
/// free); all else is replicated and must stay so.
///
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_SEMA_PROGRAM_FREE_H
#define ZPL_LIB_SEMA_PROGRAM_FREE_H

#include "Check/Checking.h"
#include "zpl/Sema/Program.h"
#include "zpl/Support/Diagnostic.h"

namespace zpl::sema {

/// Adds to \p report, which is about the free expression \p value, where its
/// freedom comes from.
void addFreeSource(DiagnosticBuilder &report, const Expr &value);

/// Reports what free procedures must not do. Procedure::isParallel is set.
void checkFreeProcedures(const Program &program, DiagnosticEngine &diags);

/// Reports \p value if it is free where a replicated one is needed; true then.
/// Free procedures need none.
bool reportFree(Checking &c, const Expr *value);

/// Reports \p place if a free subscript selects it from replicated data; true
/// then.
bool reportFreePlace(Checking &c, const Expr *place);

/// Whether \p place, passed by reference, is as free as the parameter
/// \p formal, lest its value leak into or out of the callee; reports otherwise.
bool checkFreeReference(Checking &c, const Expr *place, const Symbol &formal);

/// Reports \p call, promoted over \p array, if the callee is free: false then.
bool checkFreePromotion(Checking &c, const CallExpr &call, const Expr &array);

} // namespace zpl::sema

#endif // ZPL_LIB_SEMA_PROGRAM_FREE_H
