//===- Distribution.h - Who owns which indices of a rank --------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_GRID_DISTRIBUTION_H
#define ZRT_GRID_DISTRIBUTION_H

#include "Grid/ProcessGrid.h"
#include "Layout/BlockCut.h"

#include <vector>

namespace zrt {

/// The distribution that all regions of one rank share (dissertation 2.2.2):
/// the bounding box cut in each dimension over that dimension of the grid.
/// A value: equal on all processors, no state.
struct Distribution {
  ProcessGrid grid;
  BlockCut cut[ZRT_MAX_RANK];

  Distribution() = default;
  Distribution(const ProcessGrid &grid, const Box &bounds);

  /// All indices of \p processor; empty if it has no block.
  Box own(int processor) const;

  /// The processors that own an index of \p box, in row-major order.
  std::vector<int> owners(const Box &box) const;

  /// True if indices that differ in dimension \p d may have two owners.
  bool distributed(int d) const { return grid.extent[d] > 1; }

  /// True if \p direction may lead from one owner to another.
  bool crosses(const int64_t *direction) const;
};

} // namespace zrt

#endif // ZRT_GRID_DISTRIBUTION_H
