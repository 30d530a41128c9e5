//===- Maps.h - The maps of a remap -----------------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_REMAP_MAPS_H
#define ZRT_REMAP_MAPS_H

#include "Collective/OwnPart.h"
#include "Memory/ElementView.h"

namespace zrt {

/// Indices along one row of a processor's part of a region, in ascending order,
/// and the values of the maps there.
struct Strip {
  static constexpr int64_t Most = 256;
  int64_t at[ZRT_MAX_RANK] = {}; ///< counts in the part; 0 along the row
  int64_t count = 0;             ///< of what follows
  int64_t along[Most];           ///< counts along the row
  int64_t mapped[ZRT_MAX_RANK][Most];
};

/// A sparse covering region: its indices are numbered, those of one processor
/// after those of the one before it, and the remap is over these numbers.
struct NumberedIndices {
  const zrt_region &region; ///< the sparse one, which was set
  /// Tells different places apart; 0: places are those of the numbers.
  uint64_t ordering;
  /// Else, by position here, the place in the whole region, row-major.
  const int64_t *places;

  /// Writes the index at position \p k here.
  void indexAt(int64_t k, int64_t *index) const;
};

/// A remap's covering region as this processor sees it.
struct RemapDomain {
  RemapDomain(const Parallel &parallel, const zrt_region &region,
              const zrt_map *maps, int mapCount, const zrt_mask &mask);

  const Parallel &parallel; ///< of the region's rank
  const zrt_region &region;
  const zrt_map *maps;
  int mapCount;
  zrt_mask mask;
  Box part;                        ///< the indices that this processor owns
  std::vector<ElementView> arrays; ///< per map; of ARRAY ones
  ElementView flags;               ///< of the mask
  /// The dimension of the rows: the last one of several indices.
  int line = 0;
  /// The region stands for a sparse one; null: it does not.
  const NumberedIndices *numbered = nullptr;

  /// The place in the whole region, row-major, of the index with the counts
  /// \p at in the part.
  int64_t placeOf(const int64_t *at) const;
  /// How much farther the next one along a row is, unless places are listed.
  int64_t placeStep() const;
  /// The place of index \p k of \p strip; \p first is that of the count 0 along
  /// the row, \p step as above.
  int64_t placeIn(const Strip &strip, int64_t k, int64_t first,
                  int64_t step) const {
    return hasListedPlaces() ? numbered->places[strip.along[k]]
                             : first + strip.along[k] * step;
  }
  /// The same on all processors, also where there is none to be listed.
  bool hasListedPlaces() const { return numbered && numbered->ordering != 0; }
  /// The number of the index with the counts \p at among those of the part,
  /// row-major; along a row numbers go up by 1.
  int64_t numberOf(const int64_t *at) const;
  /// The number of indices in the part, and in the whole region.
  int64_t partSize() const { return size(part); }
  int64_t wholeSize() const;
  /// Whether numbers for all indices are a large message; the same on all
  /// processors.
  bool isLarge() const { return wholeSize() >= 1 << 15; }
  /// The index in dimension \p d of that with the counts \p at.
  int64_t indexOf(const int64_t *at, int d) const {
    return part.dim[d].lo + at[d] * part.dim[d].stride;
  }
  /// False on processors whose part of a flooded region is that of another.
  bool isFirstCopy() const;
  /// Whether all indices of a processor come before those of the next one that
  /// has some, in row-major order.
  bool partsAscend() const;
  /// The most indices of the region that a processor owns.
  int64_t largestPart() const;
  /// Map \p k is the index of a grid dimension: it names this processor.
  bool isOwnPlace(int k) const {
    return maps[k].form == ZRT_MAP_INDEX && (region.grids >> maps[k].dim & 1);
  }

  /// Whether the values of map \p k are elements of an array.
  bool isArray(int k) const { return maps[k].form == ZRT_MAP_ARRAY; }

  /// Reads those of the row at \p strip.at whose counts along it are
  /// \p from..\p to-1.
  void read(Strip &strip, int64_t from, int64_t to) const;

  int64_t counts[ZRT_MAX_RANK] = {}; ///< of the part

private:
  void readMap(Strip &strip, int k) const;

  int coordinate[ZRT_MAX_RANK]; ///< this processor's places
  Box whole;                    ///< the region
};

/// Goes through the indices of a domain that the mask leaves, in row-major
/// order.
class Strips {
public:
  explicit Strips(const RemapDomain &domain);

  /// Makes \p strip the next one, of at least one index; false at the end.
  bool next(Strip &strip);

  int64_t passed = 0; ///< indices, with those that the mask leaves out

private:
  const RemapDomain &domain;
  bool isOver;
  int64_t at[ZRT_MAX_RANK] = {}; ///< the row
  int64_t from = 0;              ///< along it
};

/// zrtA_check_maps of Abi.h: empty, or the message, the same on all processors.
/// Collective.
std::string checkMaps(const RemapDomain &domain, const zrt_array &array,
                      const char *what);

} // namespace zrt

#endif // ZRT_REMAP_MAPS_H
