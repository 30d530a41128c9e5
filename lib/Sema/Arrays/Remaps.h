//===- Remaps.h - Gathers and scatters --------------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_SEMA_ARRAYS_REMAPS_H
#define ZPL_LIB_SEMA_ARRAYS_REMAPS_H

#include "Check/Checking.h"

namespace zpl::sema {

/// `A#[I, J]` as a value. Reports what is no parallel array, and maps of a
/// wrong number, type or rank; a map left out (`A#[ , J]`) is the own index.
const Expr *checkGather(Checking &c, const ast::Remap &e);

/// Adds the assignment \p s to `A#[I, J]` (\p e) to \p to, `+=` and its like
/// included; false after a report.
bool checkScatter(Checking &c, const ast::AssignStmt &s, const ast::Remap &e,
                  StmtList &to);

} // namespace zpl::sema

#endif // ZPL_LIB_SEMA_ARRAYS_REMAPS_H
