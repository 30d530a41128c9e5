//===- TransferPlan.h - Who sends what to whom ------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_TRANSFER_TRANSFERPLAN_H
#define ZRT_TRANSFER_TRANSFERPLAN_H

#include "Grid/Distribution.h"

#include <vector>

namespace zrt {

/// One `A@direction`, as far as planning needs it; or several, in a box.
struct ShiftItem {
  int array = 0;  ///< number of the array: items of one array are joined
  Box declared;   ///< what is stored of it anywhere
  int floods = 0; ///< its flooded dimensions
  int64_t direction[ZRT_MAX_RANK] = {};
  /// The directions are those from `direction` to so many indices further on in
  /// each dimension; where that is not 0, the region has no strides.
  int64_t more[ZRT_MAX_RANK] = {};
};

/// A box of elements of one array, in its own indices.
struct ArrayBox {
  int array = 0;
  Box box;
};

/// What one processor exchanges with a partner. The k-th box sent is the k-th
/// that the partner receives.
struct PartnerBoxes {
  int partner = 0;
  std::vector<ArrayBox> sends;
  std::vector<ArrayBox> receives;
};

/// The boxes that processor \p self exchanges so that every processor gets the
/// elements it needs to compute \p region with \p items and does not own, by
/// ascending partner. A pure function: equal arguments on all processors make
/// plans that fit each other.
std::vector<PartnerBoxes> planTransfer(const Distribution &distribution,
                                       const Box &region,
                                       const std::vector<ShiftItem> &items,
                                       int self);

} // namespace zrt

#endif // ZRT_TRANSFER_TRANSFERPLAN_H
