//===- Boundaries.h - What wrap and reflect see of scopes -------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What is kept of a scope while its statement is checked.
///
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_SEMA_ARRAYS_BOUNDARIES_H
#define ZPL_LIB_SEMA_ARRAYS_BOUNDARIES_H

#include "Check/Checking.h"

namespace zpl::sema {

struct VisibleScope {
  explicit VisibleScope(const RegionExpr *region) : region(region) {}
  const RegionExpr *region;
  /// Set by the first `wrap` or `reflect` in it: `direction of base`, as it can
  /// be evaluated anywhere in the statement.
  const RegionExpr *base = nullptr;
  DirectionExprs direction;
  /// Keeps for them what may change; executed before the scope opens.
  StmtList before;
};

/// `[d of R] wrap A, B` and `reflect`: one statement per rank, as one. Reports
/// what is no whole parallel array that may be written, and scopes that do not
/// say a border; such arrays are left out.
Stmt *checkBoundary(Checking &c, const ast::WrapStmt &s);

} // namespace zpl::sema

#endif // ZPL_LIB_SEMA_ARRAYS_BOUNDARIES_H
