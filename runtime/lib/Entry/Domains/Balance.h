//===- Balance.h - Distributions by weights ---------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_ENTRY_DOMAINS_BALANCE_H
#define ZRT_ENTRY_DOMAINS_BALANCE_H

#include "zrt/Abi.h"

#include <cstdint>
#include <vector>

namespace zrt {

/// By dimension of distribution \p number the points at which its parts get
/// about equal sums of the doubles of \p weights, at the indices of \p region
/// where \p mask, which may be null, leaves them. The same on all processors,
/// which all call this. None where one processor has the whole dimension. The
/// parts at the ends go on without end. Ends the run if a weight is negative or
/// not finite.
std::vector<std::vector<int64_t>> balancedPoints(int32_t number,
                                                 const zrt_array &weights,
                                                 const zrt_region &region,
                                                 const zrt_mask *mask,
                                                 const zrt_loc *loc);

} // namespace zrt

#endif // ZRT_ENTRY_DOMAINS_BALANCE_H
