//===- Statistics.h - Student's t and how good a model is -------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_COST_STATISTICS_H
#define ZPL_COST_STATISTICS_H

#include "llvm/ADT/ArrayRef.h"

namespace zpl {

/// The t with |T| <= t in a share \p confidence of all cases, for Student's
/// distribution of so many degrees of freedom: studentT(0.95, 8) is 2.306.
/// Requires 0 < confidence < 1 and a degree of freedom.
double studentT(double confidence, unsigned freedom);

/// Brewer's mean relative error: the geometric mean of 1 + |(y - p) / y|, less
/// 1. 0.05 is 5 %. Requires as many predictions as values, none of which is 0;
/// 0 for none at all.
double meanRelativeError(llvm::ArrayRef<double> values,
                         llvm::ArrayRef<double> predictions);

/// The share of the variance that predictions explain: 1 - SSE / SST. To be
/// looked at, not to judge by (Anscombe's four sets have the same).
double explainedVariance(llvm::ArrayRef<double> values,
                         llvm::ArrayRef<double> predictions);

} // namespace zpl

#endif // ZPL_COST_STATISTICS_H
