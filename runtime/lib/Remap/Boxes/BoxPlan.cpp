//===- BoxPlan.cpp - Which boxes go between processors --------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `B := A#[Index2, Index1]` over [1..8, 1..8] on two processors, each with four
// rows of both:
//
//     processor 0 holds the indices [1..4, 1..8], which name A[1..8, 1..4]
//     of these processor 1 owns A[5..8, 1..4], that is the indices [1..4, 5..8]
//
// Both can compute that, so neither tells the other what it wants. The indices
// that one holds of which another owns the elements are, dimension by dimension,
// those laps (ClosedMaps.h) cut down to the holder's own range and to where each
// map of the dimension leads into the owner's block.
//
// Cost: in proportion to the processors and pieces.
//
//===----------------------------------------------------------------------===//

#include "Remap/Boxes/BoxPlan.h"
#include "Memory/ElementView.h"

namespace zrt {

namespace {

/// Two processors and the elements of the one that the other may name.
class Between {
public:
  Between(const BoxEnds &ends, int holder, int owner) : ends(ends) {
    int there[ZRT_MAX_RANK], at[ZRT_MAX_RANK];
    ends.distribution.grid.coordinates(holder, held);
    ends.remote.grid.coordinates(holder, there);
    ends.remote.grid.coordinates(owner, at);
    const ClosedMaps &maps = ends.maps;
    for (int k = 0; k < maps.mapCount; ++k) {
      isAny[k] = ends.declared.floods >> k & 1;
      blocks[k] = ends.remote.cut[k].own(at[k]);
      if (isAny[k])
        hasSome &= there[k] == at[k];
      else if (maps.dimOf[k] < 0)
        hasSome &=
            blocks[k].lo <= maps.scalar[k] && maps.scalar[k] <= blocks[k].hi;
    }
  }

  /// The laps of dimension \p d of the region, cut down.
  std::vector<Lap> laps(int d) const {
    const ClosedMaps &maps = ends.maps;
    std::vector<Lap> result;
    for (Lap lap : maps.laps[d]) {
      if (!(ends.region.floods >> d & 1))
        lap = atIndices(lap, ends.distribution.cut[d].own(held[d]));
      for (int k = 0; k < maps.mapCount; ++k)
        if (maps.dimOf[k] == d && !isAny[k])
          lap = whereValues(lap, k, blocks[k]);
      if (!isEmpty(lap.indices))
        result.push_back(lap);
    }
    return result;
  }

  bool hasSome = true; ///< as far as scalars and flooded dimensions tell

private:
  const BoxEnds &ends;
  int held[ZRT_MAX_RANK];     ///< the holder's places
  Range blocks[ZRT_MAX_RANK]; ///< by map: the owner's
  bool isAny[ZRT_MAX_RANK];   ///< by map: its values do not matter
};

} // namespace

void forEachPiece(const BoxEnds &ends, int holder, int owner,
                  const std::function<void(const BoxPiece &)> &visit) {
  Between between(ends, holder, owner);
  if (!between.hasSome)
    return;
  const int rank = ends.maps.rank;
  std::vector<Lap> laps[ZRT_MAX_RANK];
  int64_t counts[ZRT_MAX_RANK];
  for (int d = 0; d < rank; ++d) {
    laps[d] = between.laps(d);
    counts[d] = static_cast<int64_t>(laps[d].size());
    if (counts[d] == 0)
      return;
  }
  BoxPiece piece;
  forEachLine(rank, counts, rank - 1, [&](const int64_t *at) {
    for (int d = 0; d < rank; ++d)
      piece.laps[d] = laps[d][static_cast<size_t>(at[d])];
    for (const Lap &lap : laps[rank - 1]) {
      piece.laps[rank - 1] = lap;
      visit(piece);
    }
  });
}

std::vector<BoxPiece> piecesBetween(const BoxEnds &ends, int holder,
                                    int owner) {
  std::vector<BoxPiece> pieces;
  forEachPiece(ends, holder, owner,
               [&](const BoxPiece &piece) { pieces.push_back(piece); });
  return pieces;
}

std::vector<Lap> lapsAlong(const BoxEnds &ends, int dim, int holder,
                           int owner) {
  Between between(ends, holder, owner);
  for (int d = 0; d < ends.maps.rank; ++d)
    if (d != dim && between.laps(d).empty())
      return {};
  return between.hasSome ? between.laps(dim) : std::vector<Lap>();
}

BoxPlan planBoxes(const BoxEnds &ends, int self) {
  BoxPlan plan;
  plan.here = piecesBetween(ends, self, self);
  for (int p = 0; p < ends.distribution.grid.size(); ++p) {
    if (p == self)
      continue;
    PartnerPieces pieces{p, piecesBetween(ends, self, p),
                         piecesBetween(ends, p, self)};
    if (!pieces.held.empty() || !pieces.owned.empty())
      plan.partners.push_back(std::move(pieces));
  }
  return plan;
}

} // namespace zrt
