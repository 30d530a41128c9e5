//===- ClosedMaps.h - Maps that follow from indices -------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_REMAP_BOXES_CLOSEDMAPS_H
#define ZRT_REMAP_BOXES_CLOSEDMAPS_H

#include "Layout/Box.h"

#include <optional>
#include <vector>

namespace zrt {

/// Indices of one dimension of a covering region along which all maps of that
/// dimension go in even steps.
struct Lap {
  Seq indices;
  int64_t first[ZRT_MAX_RANK] = {}; ///< by map: its value at the first index
  int64_t step[ZRT_MAX_RANK] = {};  ///< by map: from one index to the next

  /// The values of map \p k, ascending.
  Seq values(int k) const;
};

/// The part of a lap at the indices \p range.
Lap atIndices(const Lap &lap, Range range);
/// The part of a lap in which map \p k has values in \p range.
Lap whereValues(const Lap &lap, int k, Range range);

/// The maps of a remap as laps: the elements that the indices of a box name are
/// boxes then.
struct ClosedMaps {
  int rank = 0;                        ///< of the covering region
  int mapCount = 0;                    ///< the rank of the remapped array
  int dimOf[ZRT_MAX_RANK] = {};        ///< by map: of the region; -1: a scalar
  int64_t scalar[ZRT_MAX_RANK] = {};   ///< by map
  std::vector<Lap> laps[ZRT_MAX_RANK]; ///< by dimension of the region, upward

  /// Whether no map depends on dimension \p d, which has several indices.
  bool isUnused(int d) const;
  /// Whether two indices of dimension \p d never name the same element: as far
  /// as laps show, some map of it has another value in each.
  bool isOneToOne(int d) const;
  /// Whether all values are indices of \p declared; flooded dimensions take any.
  bool areAllIn(const zrt_region &declared) const;
};

/// A dimension has at most so many laps.
inline constexpr size_t MostLaps = 64;

/// Laps of \p maps over \p region; none if a map is an array, a value is not
/// what it would be without 32 bits, a remainder is not one of positive numbers,
/// or there are too many laps. Pure: the same on all processors.
std::optional<ClosedMaps> closedMaps(const zrt_region &region,
                                     const zrt_map *maps, int mapCount);

} // namespace zrt

#endif // ZRT_REMAP_BOXES_CLOSEDMAPS_H
