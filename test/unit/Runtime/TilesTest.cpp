//===- TilesTest.cpp - A box in pieces that stay in the cache -------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Layout/Tiles.h"

#include "gtest/gtest.h"

#include <initializer_list>
#include <vector>

using namespace zrt;

namespace {

zrt_region regionOf(std::initializer_list<zrt_dim> dims) {
  zrt_region region = {};
  for (const zrt_dim &dim : dims)
    region.dim[region.rank++] = dim;
  return region;
}

/// A block that reaches beyond every index, but in the first dimension.
zrt_domain ownFrom(int64_t lo, int64_t hi) {
  zrt_domain own;
  for (zrt_range &range : own.own)
    range = {INT64_MIN, INT64_MAX};
  own.own[0] = {lo, hi};
  return own;
}

std::vector<zrt_domain> tilesOf(const zrt_domain &own,
                                std::vector<const zrt_region *> regions,
                                int64_t bytes, bool isApart = false) {
  Tiles tiles;
  tiles.begin(own, regions.data(), static_cast<int64_t>(regions.size()), bytes,
              isApart);
  std::vector<zrt_domain> result;
  while (const zrt_domain *tile = tiles.next())
    result.push_back(*tile);
  EXPECT_EQ(tiles.next(), nullptr);
  return result;
}

/// How many indices the tiles hold that follow each other without a gap.
int64_t indicesOf(const std::vector<zrt_domain> &tiles, int rank) {
  int64_t sum = 0;
  for (const zrt_domain &tile : tiles) {
    int64_t count = 1;
    for (int d = 0; d < rank; ++d)
      count *= tile.own[d].hi - tile.own[d].lo + 1;
    EXPECT_GT(count, 0);
    sum += count;
  }
  return sum;
}

} // namespace

TEST(Tiles, SmallOnesAreWhole) {
  zrt_region odd = regionOf({{1, 100, 2, 1}, {1, 30, 2, 1}});
  zrt_region even = regionOf({{2, 101, 2, 0}, {0, 30, 2, 0}});
  auto tiles = tilesOf(ownFrom(10, 1000), {&odd, &even}, 16);
  ASSERT_EQ(tiles.size(), 1u);
  EXPECT_EQ(tiles[0].own[0].lo, 10);
  EXPECT_EQ(tiles[0].own[0].hi, 101);
  EXPECT_EQ(tiles[0].own[1].lo, 0);
  EXPECT_EQ(tiles[0].own[1].hi, 30);
}

TEST(Tiles, RowsStayWhole) {
  zrt_region odd = regionOf({{1, 1000, 2, 1}, {1, 1000, 2, 1}});
  auto tiles = tilesOf(ownFrom(INT64_MIN, INT64_MAX), {&odd, &odd}, 16);
  EXPECT_GT(tiles.size(), 10u);
  EXPECT_EQ(indicesOf(tiles, 2), 1000 * 1000);
  for (size_t k = 0; k < tiles.size(); ++k) {
    EXPECT_EQ(tiles[k].own[1].hi - tiles[k].own[1].lo, 999);
    if (k > 0) {
      EXPECT_EQ(tiles[k].own[0].lo, tiles[k - 1].own[0].hi + 1);
    }
  }
}

TEST(Tiles, StepsOfTheLargestStride) {
  zrt_region cube = regionOf({{1, 256, 2, 0}, {1, 256, 2, 0}, {1, 256, 2, 0}});
  zrt_region thin = regionOf({{1, 256, 3, 0}, {1, 256, 1, 0}, {1, 256, 1, 0}});
  auto tiles = tilesOf(ownFrom(1, 256), {&cube, &thin}, 16);
  EXPECT_EQ(indicesOf(tiles, 3), 256 * 256 * 256);
  EXPECT_EQ(tiles[0].own[0].hi, 3);
  EXPECT_GT(tiles[0].own[1].hi, 4);
  EXPECT_EQ(tiles[0].own[2].hi, 256);
  EXPECT_EQ(tiles.back().own[0].lo, 256);
}

TEST(Tiles, LoopsThatAreApartGetFewWholeRows) {
  zrt_region even = regionOf({{1, 256, 2, 0}, {1, 256, 2, 0}, {1, 256, 2, 0}});
  auto tiles = tilesOf(ownFrom(1, 256), {&even}, 16, /*isApart=*/true);
  EXPECT_EQ(indicesOf(tiles, 3), 256 * 256 * 256);
  EXPECT_EQ(tiles.size(), 128u * 128u);
  EXPECT_EQ(tiles[0].own[0].hi, 2);
  EXPECT_EQ(tiles[0].own[1].hi, 2);
  EXPECT_EQ(tiles[0].own[2].hi, 256);
  EXPECT_EQ(tiles[1].own[1].lo, 3);
  auto whole = ownFrom(1, 32); // That fits into the cache.
  EXPECT_LT(tilesOf(whole, {&even}, 1, true).size(), 32u);
  zrt_region line = regionOf({{1, 1000000, 2, 0}});
  EXPECT_EQ(tilesOf(ownFrom(1, 1000000), {&line}, 8, true).size(),
            tilesOf(ownFrom(1, 1000000), {&line}, 8, false).size());
}

TEST(Tiles, LongLinesAreCut) {
  zrt_region line = regionOf({{-5, 1000000, 1, 0}});
  auto tiles = tilesOf(ownFrom(-100, 999990), {&line}, 8);
  EXPECT_GT(tiles.size(), 10u);
  EXPECT_EQ(indicesOf(tiles, 1), 999996);
}

TEST(Tiles, CutsAreBetweenSteps) {
  zrt_region odd = regionOf({{1, 1000001, 2, 1}});
  for (int64_t bytes : {8, 24, 56}) {
    auto tiles = tilesOf(ownFrom(1, 1000001), {&odd}, bytes);
    EXPECT_GT(tiles.size(), 10u);
    for (const zrt_domain &tile : tiles)
      EXPECT_EQ(tile.own[0].lo % 2, 1) << bytes;
  }
}

TEST(Tiles, HugeStridesAndNothing) {
  zrt_region wide = regionOf({{1, 2000000000, int64_t(1) << 61, 1},
                              {1, 2000000000, int64_t(1) << 61, 1}});
  Tiles tiles;
  const zrt_region *regions[] = {&wide};
  tiles.begin(ownFrom(1, 3), regions, 1, 1 << 20);
  EXPECT_NE(tiles.next(), nullptr);
  zrt_region none = regionOf({{5, 4, 1, 0}});
  EXPECT_TRUE(tilesOf(ownFrom(-100, 100), {&none}, 8).empty());
  EXPECT_TRUE(tilesOf(ownFrom(50, 100), {&none}, 8).empty());
}

TEST(Regions, AreDisjointByBoundsOrStrides) {
  zrt_region odd = regionOf({{1, 99, 2, 1}, {1, 99, 1, 0}});
  zrt_region even = regionOf({{2, 98, 2, 0}, {1, 99, 1, 0}});
  zrt_region third = regionOf({{1, 99, 3, 1}, {1, 99, 1, 0}});
  zrt_region sixth = regionOf({{2, 98, 6, 2}, {1, 99, 1, 0}});
  zrt_region above = regionOf({{1, 99, 1, 0}, {100, 200, 1, 0}});
  zrt_region below = regionOf({{-7, 99, 4, -7}, {1, 99, 1, 0}});
  auto disjoint = [](std::vector<const zrt_region *> regions) {
    return areDisjoint(regions.data(), static_cast<int64_t>(regions.size()));
  };
  EXPECT_TRUE(disjoint({&odd}));
  EXPECT_TRUE(disjoint({&odd, &even}));
  EXPECT_TRUE(disjoint({&odd, &even, &above}));
  EXPECT_TRUE(disjoint({&third, &sixth}));
  EXPECT_TRUE(disjoint({&even, &below}));
  EXPECT_FALSE(disjoint({&odd, &third}));
  EXPECT_FALSE(disjoint({&even, &sixth}));
  EXPECT_FALSE(disjoint({&odd, &below}));
  EXPECT_FALSE(disjoint({&odd, &even, &odd}));
}
