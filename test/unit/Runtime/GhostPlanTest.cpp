//===- GhostPlanTest.cpp - What views read beside the own elements --------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For random grids, arrays, regions and directions: what each processor sends
// to another is what that one receives, in the same order; every ghost that a
// view reads comes exactly once, from an owner of its element; and the room
// that is asked for holds all of them. The policy, and how room grows, are told
// by examples.
//
//===----------------------------------------------------------------------===//

#include "Transfer/GhostPlan.h"
#include "HandRegions.h"
#include "Partners.h"
#include "Random.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

using namespace zrt;
using hand::range;
using hand::strided;

namespace {

Distribution line(int processors, int64_t lo, int64_t hi) {
  ProcessGrid grid;
  grid.rank = 1;
  grid.extent[0] = processors;
  Box bounds = emptyBox(1);
  bounds.dim[0] = {lo, hi, 1};
  return Distribution(grid, bounds);
}

std::optional<zrt_fluff> roomOf(const Distribution &distribution,
                                const zrt_region &declared, int64_t direction,
                                bool wraps, bool hasBorders = false) {
  GhostSource source = {declared, hasBorders};
  GhostShift shift = {{direction}, wraps};
  return ghostRoom(distribution, source, declared,
                   {nearest(source, declared, shift)});
}

TEST(GhostRoom, IsThatOfWhatLeadsElsewhere) {
  zrt_region all = hand::region({range(1, 100)});
  Distribution one = line(1, 1, 100), two = line(2, 1, 100);
  EXPECT_EQ(roomOf(one, all, 50, false)->above[0], 0) << "nothing crosses";
  EXPECT_EQ(roomOf(two, all, -3, false)->below[0], 3);
  EXPECT_EQ(roomOf(two, all, -3, false)->above[0], 0);
  EXPECT_EQ(roomOf(two, all, -3, false)->wraps, 0);
  EXPECT_EQ(roomOf(one, all, 3, true)->above[0], 3);
  EXPECT_EQ(roomOf(one, all, 3, true)->wraps, 1);
  EXPECT_EQ(roomOf(one, all, 99, true)->below[0], 1) << "backwards is nearer";
}

TEST(GhostRoom, IsRefusedWhereItCostsMoreThanItSaves) {
  zrt_region all = hand::region({range(1, 100)});
  Distribution two = line(2, 1, 100);
  EXPECT_TRUE(roomOf(two, all, 16, false));
  EXPECT_FALSE(roomOf(two, all, 17, false)) << "more than 16 positions";
  zrt_region even = hand::region({strided(0, 100, 2, 0)});
  EXPECT_TRUE(roomOf(two, even, 32, true));
  EXPECT_FALSE(roomOf(two, even, 34, true));
  EXPECT_TRUE(roomOf(two, hand::region({range(1, 3)}), 6, false));
  EXPECT_FALSE(roomOf(two, hand::region({range(1, 3)}), 7, false))
      << "more than two extents";
  EXPECT_TRUE(roomOf(two, all, 1, false, /*hasBorders=*/true));
  EXPECT_FALSE(roomOf(two, all, 1, true, /*hasBorders=*/true))
      << "borders are where the wrapped elements would be";
}

TEST(GhostRoom, GrowsInPowersOfTwo) {
  zrt_region even = hand::region({strided(0, 100, 2, 0)});
  zrt_fluff none = {}, five = {{10}, {}, 0, 1};
  zrt_fluff wide = widened(none, five, even);
  EXPECT_EQ(wide.below[0], 16);
  EXPECT_EQ(wide.above[0], 0);
  EXPECT_EQ(wide.wraps, 1);
  EXPECT_TRUE(isWithin(five, wide, 1));
  EXPECT_FALSE(isWithin(wide, five, 1));
}

// --- Plans -------------------------------------------------------------------

struct GhostCase {
  Distribution distribution;
  int processors = 1;
  zrt_region declared, region;
  std::vector<GhostShift> shifts;

  GhostSource source() const { return {declared}; }
};

GhostCase randomGhostCase(unsigned seed) {
  Random random(seed);
  GhostCase made;
  int rank = static_cast<int>(random(1, 3));
  ProcessGrid grid;
  grid.rank = rank;
  Box bounds = emptyBox(rank);
  made.declared = {};
  made.declared.rank = rank;
  for (int d = 0; d < rank; ++d) {
    grid.extent[d] = static_cast<int>(random(1, 4));
    bounds.dim[d] = seqOf(Range{random(-2, 2), random(-1, 9)});
    int64_t stride = random(1, 3), lo = random(-2, 3);
    made.declared.dim[d] = strided(lo, lo + stride * random(0, 5), stride, lo);
    if (random(0, 7) == 0) {
      made.declared.dim[d] = range(0, 0);
      made.declared.floods |= 1 << d;
    }
  }
  made.region = made.declared;
  made.region.floods = 0;
  for (int d = 0; d < rank; ++d) {
    zrt_dim &dim = made.region.dim[d];
    int64_t step = dim.stride * random(1, 2);
    int64_t from = dim.lo + dim.stride * random(-1, 2);
    dim = strided(from, dim.hi + random(-1, 3), step, from);
  }
  made.processors = grid.size();
  made.distribution = Distribution(grid, bounds);
  if (isEmpty(boxOf(made.region)))
    return made;
  for (int64_t k = random(1, 8); k > 0; --k) {
    GhostShift shift;
    shift.wraps = true;
    for (int d = 0; d < rank; ++d)
      shift.direction[d] = made.declared.dim[d].stride * random(-4, 4);
    made.shifts.push_back(nearest(made.source(), made.region, shift));
  }
  return made;
}

std::vector<GhostParts> ghostPlansOf(const GhostCase &made) {
  std::vector<GhostParts> plans;
  for (int p = 0; p < made.processors; ++p)
    plans.push_back(planGhosts(made.distribution, made.source(), made.region,
                               made.shifts, p));
  return plans;
}

std::string textOf(const std::vector<CopyPiece> &pieces) {
  std::string text;
  for (const CopyPiece &piece : pieces)
    text += toString(piece.target) +
            toString(applied(piece.source, piece.target)) + " ";
  return text;
}

constexpr unsigned GhostCases = 1500;

TEST(GhostPlan, SendsAndReceivesOfAllPairsAreTheSameLists) {
  int exchanged = 0;
  for (unsigned seed = 0; seed < GhostCases; ++seed) {
    GhostCase made = randomGhostCase(seed);
    std::vector<GhostParts> plans = ghostPlansOf(made);
    for (int p = 0; p < made.processors; ++p)
      for (int q = 0; q < made.processors; ++q) {
        std::string sends = textOf(with(plans[p].partners, q).sends);
        ASSERT_EQ(sends, textOf(with(plans[q].partners, p).receives))
            << "seed " << seed;
        exchanged += !sends.empty();
      }
  }
  EXPECT_GT(exchanged, 2000);
}

using Index = std::vector<int64_t>;

/// The element that \p ghost is a copy of.
Index wrapped(const GhostCase &made, Index ghost) {
  for (size_t d = 0; d < ghost.size(); ++d) {
    Seq declared = seqOf(made.declared.dim[d]);
    int64_t period = size(declared) * made.declared.dim[d].stride;
    int64_t distance = (ghost[d] - declared.lo) % period;
    ghost[d] = declared.lo + (distance < 0 ? distance + period : distance);
  }
  return ghost;
}

TEST(GhostPlan, EveryGhostThatAViewReadsComesOnceFromAnOwnerOfItsElement) {
  for (unsigned seed = 0; seed < GhostCases; ++seed) {
    GhostCase made = randomGhostCase(seed);
    int floods = made.declared.floods, rank = made.declared.rank;
    std::vector<GhostParts> plans = ghostPlansOf(made);
    for (int p = 0; p < made.processors; ++p) {
      std::set<Index> filled;
      auto fill = [&](const CopyPiece &piece, int from) {
        Box held = made.distribution.own(from, floods);
        forIndices(piece.target, [&](const int64_t *i) {
          Index ghost(i, i + rank), source = wrapped(made, ghost);
          for (int d = 0; d < rank; ++d) {
            ASSERT_EQ(source[d], i[d] + piece.source.offset[d]);
            ASSERT_TRUE(contains(held.dim[d], source[d]));
          }
          ASSERT_TRUE(filled.insert(ghost).second) << "twice, seed " << seed;
        });
      };
      for (const CopyPiece &piece : plans[p].here)
        fill(piece, p);
      for (const PartnerGhosts &both : plans[p].partners)
        for (const CopyPiece &piece : both.receives)
          fill(piece, both.partner);
      Box own = made.distribution.own(p, floods);
      std::set<Index> read;
      for (const GhostShift &shift : made.shifts)
        forIndices(intersect(flooded(boxOf(made.region), floods), own),
                   [&](const int64_t *i) {
                     Index index(i, i + rank);
                     bool isOwn = true;
                     for (int d = 0; d < rank; ++d) {
                       index[d] += shift.direction[d];
                       isOwn &= contains(own.dim[d], index[d]);
                     }
                     if (!isOwn || wrapped(made, index) != index)
                       read.insert(index);
                   });
      ASSERT_EQ(filled, read) << "seed " << seed;
    }
  }
}

TEST(GhostPlan, TheRoomHoldsWhatViewsRead) {
  int served = 0;
  for (unsigned seed = 0; seed < GhostCases; ++seed) {
    GhostCase made = randomGhostCase(seed);
    std::optional<zrt_fluff> room =
        ghostRoom(made.distribution, made.source(), made.region, made.shifts);
    if (!room)
      continue;
    ++served;
    for (int p = 0; p < made.processors; ++p) {
      Box own = made.distribution.own(p, made.declared.floods);
      Box computed =
          intersect(flooded(boxOf(made.region), made.declared.floods), own);
      if (isEmpty(computed))
        continue;
      for (const GhostShift &shift : made.shifts)
        for (int d = 0; d < made.declared.rank; ++d) {
          Seq read = zrt::shift(computed.dim[d], shift.direction[d]);
          Seq declared = seqOf(made.declared.dim[d]);
          int64_t more = room->wraps >> d & 1 ? 1 : 0;
          ASSERT_GE(read.lo, own.dim[d].lo - room->below[d]);
          ASSERT_LE(read.hi, own.dim[d].hi + room->above[d]);
          ASSERT_GE(read.lo, declared.lo - more * room->below[d]);
          ASSERT_LE(read.hi, declared.hi + more * room->above[d]);
        }
    }
  }
  EXPECT_GT(served, 500);
}

TEST(GhostPlan, NeighboursOfABlockAreFacesEdgesAndCorners) {
  zrt_region cube = hand::region({range(1, 8), range(1, 8), range(1, 8)});
  ProcessGrid grid;
  grid.rank = 3;
  std::fill(grid.extent, grid.extent + 3, 1);
  std::vector<GhostShift> shifts;
  for (int64_t k = 0; k < 27; ++k)
    shifts.push_back({{k / 9 - 1, k / 3 % 3 - 1, k % 3 - 1}, true});
  GhostParts plan =
      planGhosts(Distribution(grid, boxOf(cube)), {cube}, cube, shifts, 0);
  EXPECT_EQ(plan.here.size(), 26u);
  std::multiset<int64_t> sizes;
  for (const CopyPiece &piece : plan.here)
    sizes.insert(size(piece.target));
  EXPECT_EQ(sizes.count(64), 6u);
  EXPECT_EQ(sizes.count(8), 12u);
  EXPECT_EQ(sizes.count(1), 8u);
}

} // namespace
