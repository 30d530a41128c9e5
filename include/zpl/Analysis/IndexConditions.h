//===- IndexConditions.h - What a guard says of the indices -----*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_ANALYSIS_INDEXCONDITIONS_H
#define ZPL_ANALYSIS_INDEXCONDITIONS_H

#include "zpl/Analysis/KnownBounds.h"

namespace zpl::air {

/// A guard taken apart: limits of single indices, and the rest.
struct IndexConditions {
  /// The limits in one dimension: index >= each of lo, index <= each of hi.
  /// Expressions of type I64 without elements, indices and calls, which can be
  /// evaluated anywhere.
  struct Limits {
    llvm::SmallVector<const Expr *, 2> lo, hi;
    bool isNone() const { return lo.empty() && hi.empty(); }
  };
  llvm::SmallVector<Limits, 6> dims;
  const Expr *rest = nullptr; ///< what is left of the guard; null: nothing
  /// Some of the rest compares an index of a few (KnownBounds::few) with a
  /// constant, which is decided in the copy for that index.
  bool isDecided = false;
  bool isOpen = false; ///< some of the rest does not
  /// Why a comparison of an index is no limit; empty if there is none.
  std::string why;

  /// Whether the guard leaves out indices in some dimension.
  bool narrows() const {
    return llvm::any_of(dims, [](const Limits &l) { return !l.isNone(); });
  }
};

/// Takes \p guard, of a statement over \p region, apart.
IndexConditions indexConditions(const Expr *guard, const Region &region,
                                const KnownBounds &known, Module &module);

/// `not e`, with comparisons of integers turned round.
const Expr *negated(const Expr *condition, Module &module);

} // namespace zpl::air

#endif // ZPL_ANALYSIS_INDEXCONDITIONS_H
