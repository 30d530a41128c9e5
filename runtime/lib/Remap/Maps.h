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

  /// Where we are: counts in `part`, in row-major order.
  struct Cursor {
    int64_t at[ZRT_MAX_RANK] = {};
    int64_t mapped[ZRT_MAX_RANK] = {}; ///< the values of the maps there
  };
  /// Calls \p f(cursor) at each index that the mask leaves.
  template <typename F> void forEach(F &&f) const {
    Cursor cursor;
    int last = part.rank - 1;
    forEachLine(part.rank, counts, last, [&](const int64_t *line) {
      std::copy(line, line + part.rank, cursor.at);
      for (int64_t k = 0; k < counts[last]; ++k) {
        cursor.at[last] = k;
        if (!isTaken(cursor))
          continue;
        readMaps(cursor);
        f(static_cast<const Cursor &>(cursor));
      }
    });
  }
  /// The place of the index in the whole region, row-major.
  int64_t placeOf(const Cursor &cursor) const;
  /// The index in dimension \p d.
  int64_t indexOf(const Cursor &cursor, int d) const {
    return part.dim[d].lo + cursor.at[d] * part.dim[d].stride;
  }
  /// False on processors whose part of a flooded region is that of another.
  bool isFirstCopy() const;
  /// Map \p k is the index of a grid dimension: it names this processor.
  bool isOwnPlace(int k) const {
    return maps[k].form == ZRT_MAP_INDEX && (region.grids >> maps[k].dim & 1);
  }

private:
  bool isTaken(const Cursor &cursor) const;
  void readMaps(Cursor &cursor) const;

  int64_t counts[ZRT_MAX_RANK] = {}; ///< of the part
  int coordinate[ZRT_MAX_RANK];      ///< this processor's places
  Box whole;                         ///< the region
};

/// zrtA_check_maps of Abi.h: empty, or the message, the same on all processors.
/// Collective.
std::string checkMaps(const RemapDomain &domain, const zrt_array &array,
                      const char *what);

} // namespace zrt

#endif // ZRT_REMAP_MAPS_H
