//===- Sorts.h - sort -------------------------------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_INTERPRET_ARRAYS_SORTS_H
#define ZPL_LIB_INTERPRET_ARRAYS_SORTS_H

#include "Run.h"

namespace zpl::interpreter {

/// Puts the elements at the covering region into order. Ends the run, before
/// anything is changed, if an array has not all these indices.
void sort(Run &run, const sema::SortStmt *stmt);

} // namespace zpl::interpreter

#endif // ZPL_LIB_INTERPRET_ARRAYS_SORTS_H
