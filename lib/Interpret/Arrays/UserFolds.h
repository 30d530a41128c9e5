//===- UserFolds.h - User-defined reductions and scans ----------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_INTERPRET_ARRAYS_USERFOLDS_H
#define ZPL_LIB_INTERPRET_ARRAYS_USERFOLDS_H

#include "Run.h"

namespace zpl::interpreter {

/// `f<< e` for an operator f of the program: the state after all elements.
Value fold(Run &run, const sema::ReduceExpr *expr);

/// `f<<[S] e`: the states over \p kept, each after the elements over \p source
/// that are reduced to it.
std::unique_ptr<ArrayStorage> foldPartially(Run &run,
                                            const sema::ReduceExpr *expr,
                                            const Cover &source,
                                            const Region &kept);

/// `f||[dims] e` over `prepared.over`. Prepares the operands.
std::unique_ptr<ArrayStorage> foldScan(Run &run, const sema::ScanExpr *expr,
                                       Prepared &prepared);

} // namespace zpl::interpreter

#endif // ZPL_LIB_INTERPRET_ARRAYS_USERFOLDS_H
