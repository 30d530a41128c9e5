//===- Slice.h - Processors that work together ------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_COLLECTIVE_SLICE_H
#define ZRT_COLLECTIVE_SLICE_H

#include "Collective/Algorithms.h"
#include "Grid/ProcessGrid.h"
#include "Transport/Transport.h"

#include <map>
#include <vector>

namespace zrt {

/// Processors that work together, in ascending order, which all of them know.
/// An object belongs to one processor and its transport.
struct Slice {
  std::vector<int> members;
  int self = 0; ///< the place of this processor among them

  int size() const { return static_cast<int>(members.size()); }

  /// What the selector chose last, for each operation.
  mutable Selection last[CollectiveCount];
};

/// All processors of \p transport.
Slice everybody(const Transport &transport);

/// Those that differ from \p processor only in their places along the grid
/// dimensions \p dims (bit d: dimension d), in row-major order.
Slice sliceOf(const ProcessGrid &grid, int processor, int dims);

/// The slices of one processor, each made once. There is one grid per rank.
class SliceCache {
public:
  const Slice &all(const Transport &transport);
  const Slice &along(const Transport &transport, const ProcessGrid &grid,
                     int dims);

private:
  Slice everyone; ///< empty until somebody asks
  /// By the dimensions and the extents of the grid.
  std::map<std::pair<int, std::vector<int>>, Slice> slices;
};

} // namespace zrt

#endif // ZRT_COLLECTIVE_SLICE_H
