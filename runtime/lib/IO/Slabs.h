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

/// The pieces in which a region travels: boxes that follow each other in
/// row-major order, of at most \p most elements each. Pure.
class SlabSequence {
public:
  SlabSequence(const Box &region, int64_t most);

  /// The next slab into \p slab; false at the end.
  bool next(Box &slab);

private:
  Box region;
  int cut = 0;           ///< slabs are whole in the dimensions after this one
  int64_t thickness = 1; ///< and this wide in it
  int64_t at[ZRT_MAX_RANK] = {};
  bool done;
};

/// A file statement's surroundings.
struct ArrayIO {
  Transport &transport;
  const Distribution &distribution;
  const zrt_array &array;
  Box region;
  std::vector<char> message; ///< memory for one, kept
};

/// Whether this processor owns elements of \p slab.
bool ownsPart(const ArrayIO &io, const Box &slab);

/// Brings the elements of \p slab, in row-major order, to \p buffer on
/// processor
/// \p target. Called by that one and by all owners. \p onRequest: owners wait
/// until the target asks, so that nobody is more than one slab ahead.
void gatherSlab(ArrayIO &io, const Box &slab, int target, char *buffer,
                bool onRequest = false);

/// The other way round: from \p buffer on processor \p source to the owners.
void scatterSlab(ArrayIO &io, const Box &slab, int source, const char *buffer);

/// The numbers of all processors, on all of them.
std::vector<int64_t> gatherNumbers(Transport &transport, int64_t number);

/// Strings as a part of messages. Collective: processor 0's on all.
void broadcastStrings(Transport &transport, std::vector<std::string> &strings);

} // namespace zrt

#endif // ZRT_IO_SLABS_H
