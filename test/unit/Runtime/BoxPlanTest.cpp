//===- BoxPlanTest.cpp - Remaps by boxes, without processors --------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Laps say of each index what the map says. For random grids, regions and maps:
// of every index that a processor holds some processor owns the element, exactly
// one has it in a piece, and pieces of the two sides agree.
//
//===----------------------------------------------------------------------===//

#include "Remap/Boxes/BoxPlan.h"
#include "HandRegions.h"
#include "Random.h"

#include <gtest/gtest.h>

#include <map>

using namespace zrt;
using hand::range;
using hand::region;
using hand::strided;

namespace {

zrt_region regionOf(const std::vector<zrt_dim> &dims) {
  zrt_region result = {};
  for (const zrt_dim &dim : dims)
    result.dim[result.rank++] = dim;
  return result;
}

zrt_map linear(int dim, int64_t scale, int64_t value) {
  return {ZRT_MAP_LINEAR, dim, value, nullptr, scale, 0, 0};
}

zrt_map modular(int dim, int64_t scale, int64_t value, int64_t modulus,
                int64_t shift) {
  return {ZRT_MAP_MODULAR, dim, value, nullptr, scale, modulus, shift};
}

int64_t valueOf(const zrt_map &map, int64_t x) {
  return map.form == ZRT_MAP_SCALAR  ? map.value
         : map.form == ZRT_MAP_INDEX ? x
         : map.form == ZRT_MAP_LINEAR
             ? map.scale * x + map.value
             : (map.scale * x + map.value) % map.modulus + map.shift;
}

TEST(ClosedMaps, LapsHaveTheValuesOfTheMap) {
  zrt_map maps[] = {{ZRT_MAP_INDEX, 0, 0, nullptr, 0, 0, 0},
                    linear(0, -2, 30),
                    modular(0, 1, 5, 8, 1),
                    modular(0, 3, 0, 7, 0),
                    modular(0, -1, 40, 9, -4),
                    modular(0, 0, 5, 3, 2)};
  for (const zrt_map &map : maps)
    for (const zrt_region &over :
         {region({range(0, 23)}), region({strided(1, 22, 3, 1)})}) {
      auto closed = closedMaps(over, &map, 1);
      ASSERT_TRUE(closed);
      int64_t next = over.dim[0].lo;
      for (const Lap &lap : closed->laps[0])
        for (int64_t n = 0; n < size(lap.indices); ++n) {
          EXPECT_EQ(lap.indices.lo + n * lap.indices.stride, next);
          EXPECT_EQ(lap.first[0] + n * lap.step[0], valueOf(map, next));
          next += over.dim[0].stride;
        }
      EXPECT_GT(next, over.dim[0].hi - over.dim[0].stride);
    }
}

TEST(ClosedMaps, WhatWrapsAroundOrTurnsTooOftenHasNone) {
  zrt_region over = region({range(1, 1000)});
  zrt_map far = linear(0, 1, int64_t(1) << 31);
  zrt_map large = linear(0, 1 << 30, 0);
  zrt_map negative = modular(0, 1, -2, 8, 0);
  zrt_map zero = modular(0, 1, 0, 0, 0);
  zrt_map turns = modular(0, 1, 0, 2, 0);
  for (const zrt_map &map : {far, large, negative, zero, turns})
    EXPECT_FALSE(closedMaps(over, &map, 1));
}

TEST(ClosedMaps, OneToOneAsFarAsLapsShow) {
  zrt_region over = region({range(0, 7), range(1, 3)});
  zrt_map cyclic = modular(0, 1, 5, 8, 0), folded = modular(0, 1, 5, 6, 0);
  EXPECT_TRUE(closedMaps(over, &cyclic, 1)->isOneToOne(0));
  EXPECT_FALSE(closedMaps(over, &folded, 1)->isOneToOne(0));
  EXPECT_TRUE(closedMaps(over, &cyclic, 1)->isUnused(1));
  EXPECT_FALSE(closedMaps(over, &cyclic, 1)->isOneToOne(1));
}

TEST(ClosedMaps, ValuesAreHeldAgainstTheDeclaredIndices) {
  zrt_region over = region({range(1, 4)});
  zrt_map even = linear(0, 2, 0), odd = linear(0, 2, 1);
  zrt_region evens = region({strided(0, 9, 2, 0)});
  EXPECT_TRUE(closedMaps(over, &even, 1)->areAllIn(evens));
  EXPECT_FALSE(closedMaps(over, &odd, 1)->areAllIn(evens));
  EXPECT_FALSE(closedMaps(over, &even, 1)->areAllIn(region({range(1, 7)})));
  EXPECT_TRUE(closedMaps(region({range(1, 0)}), &odd, 1)->areAllIn(evens));
}

// --- Plans -------------------------------------------------------------------

struct BoxCase {
  Distribution distribution, remote;
  int processors;
  zrt_region over, declared;
  std::vector<zrt_map> maps;
};

Distribution randomDistribution(Random &random, int rank, int processors) {
  Distribution made;
  made.grid.rank = rank;
  int left = processors;
  for (int d = 0; d < rank; ++d) {
    int extent = d + 1 == rank ? left : 1;
    for (int n : {2, 3})
      if (d + 1 < rank && left % n == 0 && random(0, 1))
        extent = n;
    made.grid.extent[d] = extent;
    left /= extent;
    made.cut[d].parts = extent;
    made.cut[d].bounds = {random(-3, 2), random(3, 12)};
  }
  return made;
}

BoxCase randomCase(Random &random) {
  BoxCase made;
  made.processors = static_cast<int>(random(1, 8));
  int rank = static_cast<int>(random(1, 3)),
      other = static_cast<int>(random(1, 3));
  made.distribution = randomDistribution(random, rank, made.processors);
  made.remote = randomDistribution(random, other, made.processors);
  std::vector<zrt_dim> dims, all;
  for (int d = 0; d < rank; ++d) {
    int64_t lo = random(0, 3), stride = random(1, 2);
    dims.push_back(strided(lo, lo + random(-1, 8), stride, lo % stride));
  }
  made.over = regionOf(dims);
  for (int k = 0; k < other; ++k) {
    all.push_back(range(-100, 100));
    int dim = static_cast<int>(random(0, rank - 1));
    switch (random(0, 3)) {
    case 0:
      made.maps.push_back({ZRT_MAP_SCALAR, 0, random(-2, 9), nullptr, 0, 0, 0});
      break;
    case 1:
      made.maps.push_back({ZRT_MAP_INDEX, dim, 0, nullptr, 0, 0, 0});
      break;
    case 2:
      made.maps.push_back(linear(dim, random(-3, 3), random(-4, 9)));
      break;
    default:
      made.maps.push_back(modular(dim, random(0, 3), random(0, 9), random(1, 9),
                                  random(-2, 2)));
      break;
    }
  }
  made.declared = regionOf(all);
  return made;
}

using Index = std::vector<int64_t>;

/// The element of each index in pieces; an index must not come twice.
void collect(const std::vector<BoxPiece> &pieces, const BoxCase &test,
             const ClosedMaps &closed, std::map<Index, Index> &elements) {
  for (const BoxPiece &piece : pieces) {
    std::vector<zrt_dim> counts;
    for (int d = 0; d < closed.rank; ++d)
      counts.push_back(range(0, size(piece.laps[d].indices) - 1));
    hand::forAll(regionOf(counts), [&](const int64_t *at) {
      Index index, element;
      for (int d = 0; d < closed.rank; ++d) {
        const Seq &seq = piece.laps[d].indices;
        index.push_back(seq.lo + at[d] * seq.stride);
      }
      for (int k = 0; k < closed.mapCount; ++k) {
        int d = closed.dimOf[k];
        element.push_back(d < 0 ? closed.scalar[k]
                                : piece.laps[d].first[k] +
                                      at[d] * piece.laps[d].step[k]);
        EXPECT_EQ(element.back(),
                  valueOf(test.maps[static_cast<size_t>(k)],
                          d < 0 ? 0 : index[static_cast<size_t>(d)]));
      }
      EXPECT_TRUE(elements.emplace(index, element).second);
    });
  }
}

void checkCase(const BoxCase &test) {
  auto closed = closedMaps(test.over, test.maps.data(),
                           static_cast<int>(test.maps.size()));
  ASSERT_TRUE(closed);
  BoxEnds ends{*closed, test.over, test.declared, test.distribution,
               test.remote};
  std::map<Index, Index> all;
  for (int p = 0; p < test.processors; ++p) {
    BoxPlan plan = planBoxes(ends, p);
    std::map<Index, Index> mine;
    collect(plan.here, test, *closed, mine);
    for (const PartnerPieces &pieces : plan.partners) {
      std::map<Index, Index> held, sent;
      collect(pieces.held, test, *closed, held);
      collect(piecesBetween(ends, p, pieces.partner), test, *closed, sent);
      EXPECT_EQ(held, sent);
      for (const auto &[index, element] : held) {
        Box box = emptyBox(closed->mapCount);
        for (int k = 0; k < closed->mapCount; ++k)
          box.dim[k] = {element[static_cast<size_t>(k)],
                        element[static_cast<size_t>(k)], 1};
        EXPECT_EQ(test.remote.owners(box), std::vector<int>{pieces.partner});
      }
      mine.insert(held.begin(), held.end());
    }
    for (const auto &[index, element] : mine)
      EXPECT_TRUE(all.emplace(index, element).second);
  }
  size_t expected = 1;
  for (int d = 0; d < test.over.rank; ++d)
    expected *= static_cast<size_t>(size(seqOf(test.over.dim[d])));
  EXPECT_EQ(all.size(), expected);
}

TEST(BoxPlans, EachIndexGetsItsElementOnce) {
  Random random(30);
  for (int round = 0; round < 2000; ++round) {
    checkCase(randomCase(random));
    if (testing::Test::HasFailure())
      return;
  }
}

} // namespace
