//===- Tiles.h - A box in pieces that stay in the cache ---------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_LAYOUT_TILES_H
#define ZRT_LAYOUT_TILES_H

#include "zrt/Abi.h"

namespace zrt {

/// The boxes that loops go through in turn: they make up the smallest box
/// around a processor's parts of the loops' regions.
///
///     begin(R by [2,2] and R by [2,2] at [-1,-1], R = [1..1000, 1..1000];
///           16 bytes per index)
///     1..16 x 1..1000;  17..32 x 1..1000;  ...
///
/// As many rows as stay in the second cache, which are cut only where even a
/// few are too long for it; in dimensions before that of the rows one step of
/// the largest stride. Where loops touch nothing but the elements that they
/// store, and the box is larger than caches, as few rows as take some
/// kilobytes.
class Tiles {
public:
  /// \p regions: `count` of one rank, none with flooded dimensions.
  void begin(const zrt_domain &own, const zrt_region *const *regions,
             int64_t count, int64_t bytes, bool isApart = false);
  /// The next tile in row-major order; null after the last one.
  const zrt_domain *next();

private:
  int rank = 0;
  zrt_domain whole = {}, tile = {};
  int64_t extent[ZRT_MAX_RANK] = {}; ///< of a tile
  bool isAtEnd = true;
};

/// Whether no index is in two of the regions, which have one rank and no
/// flooded dimensions.
bool areDisjoint(const zrt_region *const *regions, int64_t count);

} // namespace zrt

#endif // ZRT_LAYOUT_TILES_H
