//===- Slabs.h - Arrays piece by piece --------------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_IO_SLABS_H
#define ZRT_IO_SLABS_H

#include "Grid/Distribution.h"
#include "Transport/Transport.h"

#include <vector>

namespace zrt {

/// The pieces in which a region travels: boxes of its indices that follow each
/// other in row-major order, of at most \p most elements each. Pure.
class SlabSequence {
public:
  SlabSequence(const Box &region, int64_t most);

  /// The next slab into \p slab; false at the end.
  bool next(Box &slab);

private:
  Box region;
  int cut = 0;           ///< slabs are whole in the dimensions after this one
  int64_t thickness = 1; ///< and have this many indices in it
  int64_t at[ZRT_MAX_RANK] = {}; ///< counts of indices before the next slab
  bool done;
};

/// \p covering as files know it: a grid dimension has the indices of the
/// processors' places along it, from 0.
zrt_region fileRegion(const zrt_region &covering,
                      const Distribution &distribution);

/// A file statement's surroundings.
struct ArrayIO {
  Transport &transport;
  const Distribution &distribution;
  const zrt_array &array;
  const zrt_region &covering;
  Box region = boxOf(fileRegion(covering, distribution));
  std::vector<char> message = {}; ///< memory for one, kept

  /// The elements of \p box that \p processor has, as one of several where the
  /// region is flooded.
  Box held(const Box &box, int processor) const;
  /// Those that it writes: flooded ones are written from the first places of
  /// the grid.
  Box written(const Box &box, int processor) const;
  /// The processors that write elements of \p box, ascending; and those that
  /// have some.
  std::vector<int> writers(const Box &box) const {
    return distribution.owners(box, covering.floods, 0, covering.grids);
  }
  std::vector<int> holders(const Box &box) const;
};

/// Brings the elements of \p slab, in row-major order, to \p buffer on
/// processor \p target. Called by that one and by all writers. \p onRequest:
/// these wait until the target asks, so that nobody is more than one slab
/// ahead.
void gatherSlab(ArrayIO &io, const Box &slab, int target, char *buffer,
                bool onRequest = false);

/// The other way round: from \p buffer on processor \p source to all holders.
void scatterSlab(ArrayIO &io, const Box &slab, int source, const char *buffer);

/// The numbers of all processors, on all of them.
std::vector<int64_t> gatherNumbers(Transport &transport, int64_t number);

/// Strings as a part of messages. Collective: processor 0's on all.
void broadcastStrings(Transport &transport, std::vector<std::string> &strings);

} // namespace zrt

#endif // ZRT_IO_SLABS_H
