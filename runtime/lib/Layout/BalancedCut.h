//===- BalancedCut.h - Cutting where weights say so -------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_LAYOUT_BALANCEDCUT_H
#define ZRT_LAYOUT_BALANCEDCUT_H

#include <cstdint>
#include <vector>

namespace zrt {

/// Cuts the numbers 0..n-1, of which number k has the weight \p weights[k],
/// finite and not negative, into \p parts consecutive parts of which the
/// heaviest is as light as possible, up to rounding. Part q has the numbers
/// from result[q] up to below result[q + 1]; some may have none. Weights that
/// are all 0 count as equal.
std::vector<int64_t> balancedCut(const std::vector<double> &weights,
                                 int64_t parts);

} // namespace zrt

#endif // ZRT_LAYOUT_BALANCEDCUT_H
