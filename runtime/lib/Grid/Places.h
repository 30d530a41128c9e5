//===- Places.h - Where a processor has scattered indices -------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_GRID_PLACES_H
#define ZRT_GRID_PLACES_H

#include "Layout/BlockCut.h"

#include <functional>
#include <vector>

namespace zrt {

/// Indices that follow each other at equal distances and have one owner, which
/// has them at consecutive places.
struct Segment {
  Seq indices;
  int64_t place = 0; ///< of the first one
};

/// One dimension of a distribution in which a part may own more than one block:
/// the segments of each part, by their first index, none within another one. A
/// part's indices, in ascending order, have consecutive places. All indices
/// have an owner, as with a BlockCut.
class Places {
public:
  Places() = default;
  /// Those of blocks; the place of an index is the index.
  explicit Places(const BlockCut &cut);
  /// Index i belongs to the part (i - first) modulo \p parts.
  static Places cyclic(int64_t first, int64_t parts);
  /// Blocks of \p length of the indices \p bounds go to one part after the
  /// other.
  static Places blockCyclic(Range bounds, int64_t length, int64_t parts);
  /// As \p owner says, 0 to parts - 1, for each index of \p bounds.
  static Places byOwner(Range bounds, int64_t parts,
                        const std::function<int64_t(int64_t)> &owner);

  int64_t parts() const { return static_cast<int64_t>(segments.size()); }
  const std::vector<Segment> &of(int64_t part) const {
    return segments[static_cast<size_t>(part)];
  }
  /// The places of the indices of \p range that \p part owns.
  Range placesOf(int64_t part, Range range) const;
  /// The index that \p part has at \p place.
  int64_t indexOf(int64_t part, int64_t place) const;

private:
  void add(int64_t part, const Seq &indices);

  std::vector<std::vector<Segment>> segments; ///< by part
};

} // namespace zrt

#endif // ZRT_GRID_PLACES_H
