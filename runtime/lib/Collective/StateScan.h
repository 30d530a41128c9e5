//===- StateScan.h - Prefixes by user-defined operators ---------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_COLLECTIVE_STATESCAN_H
#define ZRT_COLLECTIVE_STATESCAN_H

#include "Collective/OwnPart.h"

namespace zrt {

/// A user-defined operator on states of \p size bytes.
struct StateOperator {
  int64_t size;
  zrt_state_combine combine;
  zrt_state_identity identity;
};

/// zrtA_array_scan_states of Abi.h. Combines strictly in the order of
/// traversal, so the operator need not be commutative. Collective.
void scanStates(const Parallel &parallel, zrt_array &result,
                const zrt_array &source, const zrt_region &region,
                const zrt_scan &scan, const StateOperator &op,
                const zrt_array *segment, const zrt_mask &mask);

} // namespace zrt

#endif // ZRT_COLLECTIVE_STATESCAN_H
