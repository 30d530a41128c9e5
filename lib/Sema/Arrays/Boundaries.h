//===- Boundaries.h - The scopes that wrap and reflect see ------*- C++ -*-===//
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

#include "Check/Checker.h"

namespace zpl::sema {

struct CheckerState::VisibleScope {
  explicit VisibleScope(const RegionExpr *region) : region(region) {}
  const RegionExpr *region;
  /// Set by the first `wrap` or `reflect` in it: `direction of base`, as it can
  /// be evaluated anywhere in the statement.
  const RegionExpr *base = nullptr;
  DirectionExprs direction;
  /// Keeps for them what may change; executed before the scope opens.
  StmtList before;
};

} // namespace zpl::sema

#endif // ZPL_LIB_SEMA_ARRAYS_BOUNDARIES_H
