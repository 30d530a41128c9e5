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
///
/// What is flooded in some dimensions is there once per place of the grid: to a
/// processor that looks at it, its own range in such a dimension is everything,
/// and only processors at its own place have anything to do with it.
struct Distribution {
  ProcessGrid grid;
  BlockCut cut[ZRT_MAX_RANK];

  Distribution() = default;
  Distribution(const ProcessGrid &grid, const Box &bounds);

  /// All indices of \p processor; empty if it has no block in a dimension that
  /// is not in \p floods.
  Box own(int processor, int floods = 0) const;

  /// The processors that own an index of \p box, in row-major order: in the
  /// dimensions of \p floods those at the place of \p self.
  /// In those of \p grids, a part of \p floods, \p box has places of the grid.
  std::vector<int> owners(const Box &box, int floods = 0, int self = 0,
                          int grids = 0) const;

  /// True if indices that differ in dimension \p d may have two owners.
  bool distributed(int d) const { return grid.extent[d] > 1; }

  /// True if \p direction may lead from one owner to another, of elements that
  /// are flooded in \p floods.
  bool crosses(const int64_t *direction, int floods = 0) const;
};

} // namespace zrt

#endif // ZRT_GRID_DISTRIBUTION_H
