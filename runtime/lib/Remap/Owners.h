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

/// The elements of a sparse array that a remap names. A processor's are the
/// places from 1 on, in the order of its pattern; the place 0 is that of the
/// value elsewhere, which is everybody's own.
struct FoundElements {
  /// By number of the index in the part.
  std::vector<int32_t> owners; ///< of one processor: none
  std::vector<int32_t> places;
  bool areAllStored = true; ///< none is the value elsewhere
};

/// Finds the elements of a sparse array.
class ElementSearch {
public:
  ElementSearch(uint64_t pattern, std::vector<int64_t> counts)
      : pattern(pattern), counts(std::move(counts)) {}
  virtual ~ElementSearch() = default;

  /// Those that the indices of \p domain name which the mask leaves. Collective.
  virtual FoundElements find(const RemapDomain &domain) const = 0;

  const uint64_t pattern;            ///< no other pattern has it; not 0
  const std::vector<int64_t> counts; ///< of elements, per processor
};

/// What is known of a remapped array's owners.
struct Remote {
  /// \p distribution: of the array's rank. \p search: of a sparse array. Both
  /// are kept by reference.
  Remote(const Distribution &distribution,
         const ElementSearch *search = nullptr)
      : distribution(distribution), search(search) {}
  const Distribution &distribution;
  const ElementSearch *search;
};

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
  RemappedArray(const Remote &remote, const RemapDomain &domain,
                const zrt_array &array, Copies copies = Copies::Near);

  /// Finds the elements of a sparse array, before any of them is asked for.
  /// Collective.
  void search();
  /// Whether the maps name an index that a sparse array, whose elements have
  /// been found, does not store; writes the first one, in row-major order of the
  /// array, of all processors. Collective.
  bool findMissing(int64_t *index) const;

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
  std::vector<int64_t> missingHere() const;
  void takeFound(const Strip &strip, int *owners, int64_t *places) const;
  uint64_t offsetOfFound(int64_t place) const {
    return static_cast<uint64_t>((place - 1) * array.pitch[rank - 1]);
  }
  const Seq &ownBlock(int d) const {
    return blocks[d][static_cast<size_t>(own[d])];
  }

  const Distribution &distribution;
  const RemapDomain &domain;
  const ElementSearch *sparse; ///< null: the array is dense
  FoundElements found;
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
