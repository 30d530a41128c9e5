//===- GhostPlan.cpp - What views read beside the own elements ------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `A@d` and `A@^d` as arrays of their own cost nothing but the elements at the
// rim, if they are A's storage looked at from another place. For that the
// storage goes on beyond the own block, and beyond the declared region. Over
// [1..8] on 2 processors, A@^[-1] and A@^[1]:
//
//     processor 0    owns 1..4    ghosts  0 (element 8)  5
//     processor 1    owns 5..8    ghosts  4              9 (element 1)
//
// A ghost at g holds the element at g or, where that is outside of the region,
// the one that g wraps to. That depends on g only, not on the direction that
// asks for it; so ghosts that several directions want are filled once, and
// views and transfers that fill the same ones do not disturb each other.
//
// The plan of one shift is that of a copy over the region (CopyPlan.cpp), with
// the targets moved by the direction. Between two processors both have the same
// lists: the largest pieces first, each without what is in those before it,
// then joined where the sources lie alike. The 26 neighbours in a block of
// three dimensions come to 6 faces, 12 edges and 8 corners at most.
//
// Policy. A shift is served so if, in each dimension, it reaches at most 16
// positions of the array beyond a block or beyond the region, and at most two
// extents of the region; one that stays within what is stored anyway has no
// limit. Else it is copied: the room would cost more than it saves.
//
// Cost: that of the copy plans, and pairs of pieces, of which there are some
// hundred.
//
//===----------------------------------------------------------------------===//

#include "Transfer/GhostPlan.h"

#include "Layout/RegionOps.h"
#include "Memory/Array.h"

#include <map>

namespace zrt {

namespace {

constexpr int64_t MostPositions = 16;

bool floods(const GhostSource &source, int d) {
  return source.declared.floods >> d & 1;
}

/// How far one dimension of a shift leads out of the declared region.
struct Beyond {
  int64_t below = 0, above = 0;

  Beyond(const GhostSource &source, const Seq &indices, int d, int64_t t) {
    Seq declared = seqOf(source.declared.dim[d]);
    below = std::max<int64_t>(0, declared.lo - (indices.lo + t));
    above = std::max<int64_t>(0, indices.hi + t - declared.hi);
  }
  int64_t most() const { return std::max(below, above); }
};

/// a / b for b > 0, to the nearest.
int64_t rounded(int64_t a, int64_t b) {
  int64_t quotient = a / b, rest = a % b;
  return quotient + (2 * rest > b) - (2 * rest < -b);
}

} // namespace

GhostShift nearest(const GhostSource &source, const zrt_region &region,
                   const GhostShift &shift) {
  GhostShift result = shift;
  for (int d = 0; d < region.rank; ++d) {
    int64_t &t = result.direction[d];
    Seq indices = seqOf(region.dim[d]),
        declared = seqOf(source.declared.dim[d]);
    if (floods(source, d))
      t = 0;
    if (floods(source, d) || !shift.wraps || isEmpty(indices) ||
        isEmpty(declared))
      continue;
    int64_t period = size(declared) * source.declared.dim[d].stride;
    auto within = [&](int64_t laps) { return t - laps * period; };
    int64_t least = within(rounded(t, period));
    int64_t central = within(
        rounded(indices.lo + indices.hi + 2 * t - declared.lo - declared.hi,
                2 * period));
    bool isCentral = Beyond(source, indices, d, central).most() <
                     Beyond(source, indices, d, least).most();
    t = isCentral ? central : least;
  }
  return result;
}

std::optional<zrt_fluff> ghostRoom(const Distribution &distribution,
                                   const GhostSource &source,
                                   const zrt_region &region,
                                   const std::vector<GhostShift> &shifts) {
  zrt_fluff room = {};
  if (isEmpty(boxOf(region)))
    return room;
  for (int d = 0; d < region.rank; ++d) {
    if (floods(source, d))
      continue;
    int64_t &below = room.below[d], &above = room.above[d];
    for (const GhostShift &shift : shifts) {
      int64_t t = shift.direction[d];
      if (distribution.distributed(d)) {
        below = std::max(below, -t);
        above = std::max(above, t);
      }
      if (!shift.wraps)
        continue;
      Beyond beyond(source, seqOf(region.dim[d]), d, t);
      below = std::max(below, beyond.below);
      above = std::max(above, beyond.above);
      if (beyond.most() > 0)
        room.wraps |= 1 << d;
    }
    const zrt_dim &dim = source.declared.dim[d];
    int64_t positions = (std::max(below, above) + dim.stride - 1) / dim.stride;
    if (positions > MostPositions || positions > 2 * size(seqOf(dim)))
      return std::nullopt;
  }
  if (source.hasBorders && room.wraps)
    return std::nullopt;
  return room;
}

bool isWithin(const zrt_fluff &room, const zrt_fluff &other, int rank) {
  for (int d = 0; d < rank; ++d)
    if (room.below[d] > other.below[d] || room.above[d] > other.above[d])
      return false;
  return (room.wraps & ~other.wraps) == 0;
}

zrt_fluff widened(const zrt_fluff &room, const zrt_fluff &more,
                  const zrt_region &declared) {
  zrt_fluff result = room;
  result.wraps |= more.wraps;
  auto widen = [](int64_t &side, int64_t needed, int64_t stride) {
    if (side >= needed)
      return;
    side = stride;
    while (side < needed)
      side *= 2;
  };
  for (int d = 0; d < declared.rank; ++d) {
    widen(result.below[d], more.below[d], declared.dim[d].stride);
    widen(result.above[d], more.above[d], declared.dim[d].stride);
  }
  return result;
}

/// The pieces of a list, each target once.
static std::vector<CopyPiece> distinct(std::vector<CopyPiece> pieces) {
  std::stable_sort(pieces.begin(), pieces.end(),
                   [](const CopyPiece &a, const CopyPiece &b) {
                     return size(a.target) > size(b.target);
                   });
  // By the distance of the sources: the boxes of its targets.
  std::vector<std::pair<IndexMap, std::vector<Box>>> groups;
  std::vector<Box> known;
  for (const CopyPiece &piece : pieces) {
    std::vector<Box> rest = {piece.target};
    for (const Box &box : known) {
      std::vector<Box> smaller;
      for (const Box &part : rest)
        cutOff(part, box, smaller);
      rest = std::move(smaller);
    }
    if (rest.empty())
      continue;
    known.insert(known.end(), rest.begin(), rest.end());
    auto group = std::find_if(groups.begin(), groups.end(), [&](auto &entry) {
      return std::equal(entry.first.offset, entry.first.offset + ZRT_MAX_RANK,
                        piece.source.offset);
    });
    if (group == groups.end())
      group = groups.insert(group, {piece.source, {}});
    group->second.insert(group->second.end(), rest.begin(), rest.end());
  }
  std::vector<CopyPiece> result;
  for (auto &[source, boxes] : groups) {
    joinBoxes(boxes);
    for (const Box &box : boxes)
      result.push_back({box, source});
  }
  return result;
}

GhostParts planGhosts(const Distribution &distribution,
                      const GhostSource &source, const zrt_region &region,
                      const std::vector<GhostShift> &shifts, int self) {
  GhostParts parts;
  std::map<int, PartnerGhosts> partners;
  int floods = source.declared.floods;
  if (isEmpty(boxOf(region)))
    return parts;
  Box targets = flooded(boxOf(region), floods);
  for (const GhostShift &shift : shifts) {
    const int64_t *direction = shift.direction;
    std::vector<CopyPiece> pieces =
        shift.wraps ? wrapPieces(targets, source.declared, direction)
                    : std::vector<CopyPiece>{shiftPiece(targets, direction)};
    // The map from an index of the view to the source becomes one from the
    // ghost.
    auto ghosts = [&](const PiecePart &part) {
      CopyPiece piece{zrt::shift(part.box, direction),
                      pieces[part.piece].source};
      for (int d = 0; d < region.rank; ++d)
        piece.source.offset[d] -= direction[d];
      return piece;
    };
    CopyParts copies = planCopy(distribution, pieces, floods, floods, self);
    for (const PartnerParts &both : copies.partners) {
      PartnerGhosts &partner = partners[both.partner];
      for (const PiecePart &part : both.sends)
        partner.sends.push_back(ghosts(part));
      for (const PiecePart &part : both.receives)
        partner.receives.push_back(ghosts(part));
    }
    for (const PiecePart &part : copies.here) {
      CopyPiece piece = ghosts(part);
      if (!(applied(piece.source, piece.target) == piece.target))
        parts.here.push_back(piece);
    }
  }
  parts.here = distinct(std::move(parts.here));
  for (auto &[partner, both] : partners)
    parts.partners.push_back({partner, distinct(std::move(both.sends)),
                              distinct(std::move(both.receives))});
  return parts;
}

} // namespace zrt
