//===- RowConditions.h - Rows in which nothing happens ----------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_ANALYSIS_ROWCONDITIONS_H
#define ZPL_ANALYSIS_ROWCONDITIONS_H

#include "zpl/ArrayIR/LoopStatements.h"
#include "zpl/Support/RunTimeChecks.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace zpl::air {

/// A Bool that is true, or an integer that is not 0; the contrary if negated.
struct RowTerm {
  const Expr *value;
  bool isNegated = false;
};

/// Where one of them does not hold, an operation changes nothing.
using RowTerms = llvm::SmallVector<RowTerm, 2>;

/// For each of the operations that changes more than values per index, what is
/// the same in a row and without which it changes nothing there. Empty: there
/// is one of which nothing is known, or there are none. \p isTheSame: whether a
/// row has one value of the expression, which nothing in it changes. \p checks:
/// those of the program.
std::vector<RowTerms>
rowConditions(llvm::ArrayRef<ElementOp> ops,
              llvm::function_ref<bool(const Expr &)> isTheSame,
              const RunTimeChecks &checks);

} // namespace zpl::air

#endif // ZPL_ANALYSIS_ROWCONDITIONS_H
