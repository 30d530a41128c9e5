//===- UserFolds.h - User-defined reductions and scans ----------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_ARRAYGEN_OPERATORS_USERFOLDS_H
#define ZPL_LIB_ARRAYGEN_OPERATORS_USERFOLDS_H

#include "ProcedureState.h"

namespace zpl::arraygen {

/// `target := f<< e` for an operator f of the program: appends its identity,
/// the accumulation over the covering region, and the combination of
/// processors. Prepares e.
void foldInto(ProcedureState &p, air::Variable *target,
              const sema::ReduceExpr *expr);

/// `target := f<<[S] e`, prepared, over \p over, which is S. \p target is
/// flooded where S is reduced. \p guard: where e counts; null for everywhere.
void foldPart(ProcedureState &p, air::Array *target,
              const sema::ReduceExpr *expr, Cover over, const air::Expr *guard);

/// What the scan `f||e`, prepared, starts from: a temporary of states over
/// \p over, each of one element.
air::Array *foldElements(ProcedureState &p, const sema::ScanExpr *expr,
                         Cover over);

} // namespace zpl::arraygen

#endif // ZPL_LIB_ARRAYGEN_OPERATORS_USERFOLDS_H
