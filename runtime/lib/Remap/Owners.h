//===- Owners.h - Who owns what a remap names -------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_REMAP_OWNERS_H
#define ZRT_REMAP_OWNERS_H

#include "Remap/Maps.h"

namespace zrt {

/// Whether indices have the same owners in both.
bool ownersAgree(const Distribution &a, const Distribution &b);

/// The remapped array: who owns its elements, and where they are there. The
/// elements of one owner are numbered in row-major order of its block: their
/// *places*. All that remaps know of distributions beside the own part of their
/// covering region is here.
class RemappedArray {
public:
  /// Who it asks for an element of a flooded array, which has copies.
  enum class Copies {
    Near, ///< itself, or one in the same places along flooded dimensions
    First ///< one in the first places, also for its own
  };
  RemappedArray(const Distribution &distribution, const RemapDomain &domain,
                const zrt_array &array, Copies copies = Copies::Near);

  /// The owners of the elements that \p strip names and, in \p places, their
  /// places there.
  void find(const Strip &strip, int *owners, int64_t *places) const;
  /// Whether all of them are this processor's.
  bool areAllHere(const Strip &strip) const;
  /// The places of elements that \p strip names, which are all here.
  void findPlacesHere(const Strip &strip, int64_t *places) const;
  /// Where from the origin of its elements this processor has those that
  /// \p strip names; of others' there is some number.
  void findHere(const Strip &strip, uint64_t *offsets) const;

  /// Where from the origin this processor has the element at \p place.
  uint64_t offsetOf(int64_t place) const;
  /// The number of elements of \p processor.
  int64_t elementsOf(int processor) const;
  /// The number of those of the processor that has most.
  int64_t mostElements() const;
  /// This processor's elements as places count them.
  ElementView here() const;

  const zrt_array &array;

private:
  bool isFlooded(int d) const { return array.region.floods >> d & 1; }
  /// One processor, or one that does not depend on the map.
  bool isSettled(int d) const {
    return !isMapped[d] || distribution.grid.extent[d] == 1;
  }
  int64_t position(int64_t index, int d) const {
    return (index - array.region.dim[d].align) / array.region.dim[d].stride;
  }
  int weightOf(int d) const;
  void findAlong(int d, const Strip &strip, int *at, int64_t *places) const;
  bool isShort(int d) const;
  void findAmongFew(int d, const Strip &strip, int *at, int64_t *places) const;
  const Seq &ownBlock(int d) const {
    return blocks[d][static_cast<size_t>(own[d])];
  }

  const Distribution &distribution;
  int rank;
  int own[ZRT_MAX_RANK];       ///< its places, or of the first copy
  bool isAsked = true;         ///< the copies asked for may be its own
  bool isMapped[ZRT_MAX_RANK]; ///< the map says whose element it is
  std::vector<Seq> blocks[ZRT_MAX_RANK]; ///< per place along the grid
  /// The last index, of all there are, that belongs to each place or one before.
  std::vector<int64_t> ends[ZRT_MAX_RANK];
};

} // namespace zrt

#endif // ZRT_REMAP_OWNERS_H
