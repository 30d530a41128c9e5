//===- OwnPart.h - A processor's part of a region ---------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_COLLECTIVE_OWNPART_H
#define ZRT_COLLECTIVE_OWNPART_H

#include "Collective/Collective.h"
#include "Collective/Split.h"
#include "Grid/Distribution.h"

namespace zrt {

/// The surroundings of an operator.
struct Parallel {
  Transport &transport;
  const Distribution &distribution;
  SliceCache &slices;
  PartExchanges &exchanges;

  /// The processors that differ from this one only along \p dims.
  const Slice &slice(int dims) const {
    return slices.along(transport, distribution.grid, dims);
  }
};

/// The indices of \p region that \p processor owns, dimension by dimension: one
/// may be empty although others are not. Flooded dimensions have the one index
/// 0 on all processors.
inline Box ownPart(const Distribution &distribution, const zrt_region &region,
                   int processor) {
  int coordinate[ZRT_MAX_RANK];
  distribution.grid.coordinates(processor, coordinate);
  Box part = boxOf(region);
  for (int d = 0; d < region.rank; ++d)
    if (!(region.floods >> d & 1))
      part.dim[d] = intersect(seqOf(region.dim[d]),
                              distribution.cut[d].own(coordinate[d]));
  return part;
}

/// The most indices that one processor has in dimension \p d of \p region.
inline int64_t mostOwned(const Distribution &distribution,
                         const zrt_region &region, int d) {
  if (region.floods >> d & 1)
    return 1;
  int64_t most = 0;
  for (int at = 0; at < distribution.grid.extent[d]; ++at) {
    Seq own = intersect(seqOf(region.dim[d]), distribution.cut[d].own(at));
    most = std::max(most, size(own));
  }
  return most;
}

/// The processors among which dimension \p d of indices that this one owns is
/// distributed; only this one in a flooded dimension of \p region.
inline const Slice &sliceAlong(const Parallel &parallel,
                               const zrt_region &region, int d) {
  bool isFlooded = region.floods >> d & 1;
  return parallel.slice(isFlooded ? 0 : 1 << d);
}

} // namespace zrt

#endif // ZRT_COLLECTIVE_OWNPART_H
