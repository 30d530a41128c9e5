//===- Folds.h - Reductions and scans ---------------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_INTERPRET_ARRAYS_FOLDS_H
#define ZPL_LIB_INTERPRET_ARRAYS_FOLDS_H

#include "Run.h"

namespace zpl::interpreter {

/// A full reduction, `op<< e`, over the covering region of e's rank; of a
/// scalar e its value.
Value reduce(Run &run, const sema::ReduceExpr *expr);

/// `op<<[S] e`: an array over S, flooded where S is reduced for \p over.
std::unique_ptr<ArrayStorage>
reducePartially(Run &run, const sema::ReduceExpr *expr, const Cover &over);

/// `op||[dims] e` over `prepared.over`. Prepares e and the segments.
std::unique_ptr<ArrayStorage> scan(Run &run, const sema::ScanExpr *expr,
                                   Prepared &prepared);

} // namespace zpl::interpreter

#endif // ZPL_LIB_INTERPRET_ARRAYS_FOLDS_H
