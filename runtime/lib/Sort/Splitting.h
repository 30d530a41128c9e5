//===- Splitting.h - Where a sorted whole is cut ----------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_SORT_SPLITTING_H
#define ZRT_SORT_SPLITTING_H

#include "Collective/Collective.h"
#include "Sort/Order.h"

namespace zrt {

/// Every processor of \p slice has \p count keys in order. For each number of
/// \p firsts, in ascending order and the same on all, finds how many of its
/// keys are among so many that come first of all; of equal keys those of
/// lower processors come before. Collective.
std::vector<int64_t> splitKeys(Transport &transport, const Slice &slice,
                               const Order &order, const char *keys,
                               int64_t count,
                               const std::vector<int64_t> &firsts);

} // namespace zrt

#endif // ZRT_SORT_SPLITTING_H
