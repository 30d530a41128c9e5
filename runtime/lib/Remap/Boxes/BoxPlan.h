//===- BoxPlan.h - Which boxes go between processors ------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_REMAP_BOXES_BOXPLAN_H
#define ZRT_REMAP_BOXES_BOXPLAN_H

#include "Grid/Distribution.h"
#include "Remap/Boxes/ClosedMaps.h"

#include <functional>

namespace zrt {

/// Indices of a covering region, and the elements of the remapped array that
/// they name: a lap in each dimension of the region.
struct BoxPiece {
  Lap laps[ZRT_MAX_RANK];
};

/// The two ends of a remap, and the maps between them.
struct BoxEnds {
  const ClosedMaps &maps;
  const zrt_region &region, &declared;       ///< of indices, of the array
  const Distribution &distribution, &remote; ///< who owns these
};

/// Visits what processor \p holder has of the region and \p owner of the array:
/// the indices that the one owns of which the other owns the elements. In a
/// dimension in which the array is flooded those with the coordinate of the
/// holder have its elements. None is empty; in row-major order of laps, so the
/// same for all who ask.
void forEachPiece(const BoxEnds &ends, int holder, int owner,
                  const std::function<void(const BoxPiece &)> &visit);
std::vector<BoxPiece> piecesBetween(const BoxEnds &ends, int holder, int owner);

/// The laps of dimension \p dim of all pieces between them; none if a map of
/// another dimension, or a scalar, leads elsewhere.
std::vector<Lap> lapsAlong(const BoxEnds &ends, int dim, int holder, int owner);

/// What goes between this processor and one other.
struct PartnerPieces {
  int partner = 0;
  std::vector<BoxPiece> held;  ///< of this one's region and the partner's array
  std::vector<BoxPiece> owned; ///< of the partner's region and this one's array
};

struct BoxPlan {
  std::vector<PartnerPieces> partners; ///< ascending; only those with pieces
  std::vector<BoxPiece> here;          ///< of the own region and the own array
};

/// What processor \p self has to do with the remap. A pure function: equal
/// arguments on all processors make plans that fit each other.
BoxPlan planBoxes(const BoxEnds &ends, int self);

} // namespace zrt

#endif // ZRT_REMAP_BOXES_BOXPLAN_H
