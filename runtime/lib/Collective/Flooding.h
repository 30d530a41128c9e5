//===- Flooding.h - What a flood has to move --------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_COLLECTIVE_FLOODING_H
#define ZRT_COLLECTIVE_FLOODING_H

#include "Collective/OwnPart.h"

namespace zrt {

/// What `>>[from] source` is on this processor.
struct Flooding {
  zrt_region region;      ///< the result's
  int moved = 0;          ///< singleton dimensions in which processors differ
  int root[ZRT_MAX_RANK]; ///< the owner's place in the grid

  Flooding(const Parallel &parallel, const zrt_array &source,
           const zrt_region &from);
  /// The source's elements at \p from that the processor at `root` has.
  Box part(const Distribution &distribution, const zrt_array &source,
           const zrt_region &from) const;
};

/// True if loops over \p result may use the storage of \p source: where both
/// are flooded or neither is.
bool mayBorrow(const zrt_region &result, const zrt_array &source);

/// Makes \p result, over \p region, of the elements of \p source at \p part of
/// the source, without memory of its own.
void borrowFlooded(zrt_array &result, const zrt_array &source,
                   const zrt_region &region, const Box &part, uint64_t id);

} // namespace zrt

#endif // ZRT_COLLECTIVE_FLOODING_H
