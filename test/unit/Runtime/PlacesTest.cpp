//===- PlacesTest.cpp - Scattered indices and cut points ------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every index has one owner, with its indices at consecutive places in
// ascending order, and any range of indices is one range of places there; cut
// points make blocks that may be empty anywhere.
//
//===----------------------------------------------------------------------===//

#include "Grid/Places.h"
#include "Grid/Distribution.h"

#include <gtest/gtest.h>

using namespace zrt;

namespace {

/// Whether \p part owns \p index.
bool owns(const Places &places, int64_t part, int64_t index) {
  for (const Segment &segment : places.of(part))
    if (contains(segment.indices, index))
      return true;
  return false;
}

/// Compares placesOf and indexOf with what the segments say, for all ranges
/// within \p all.
void check(const Places &places, Range all) {
  for (int64_t index = all.lo; index <= all.hi; ++index) {
    int owners = 0;
    for (int64_t part = 0; part < places.parts(); ++part)
      owners += owns(places, part, index);
    EXPECT_EQ(owners, 1) << index;
  }
  for (int64_t part = 0; part < places.parts(); ++part)
    for (int64_t lo = all.lo; lo <= all.hi; ++lo) {
      int64_t count = 0, first = 0;
      for (int64_t hi = lo; hi <= all.hi; ++hi) {
        bool isOwn = owns(places, part, hi);
        if (isOwn && count == 0)
          first = places.placesOf(part, {hi, hi}).lo;
        count += isOwn;
        Range expected =
            count == 0 ? EmptyRange : Range{first, first + count - 1};
        EXPECT_TRUE(places.placesOf(part, {lo, hi}) == expected)
            << part << ": " << lo << ".." << hi;
        if (isOwn) {
          EXPECT_EQ(places.indexOf(part, first + count - 1), hi);
        }
      }
    }
}

TEST(Places, CyclicIndicesGoAround) {
  for (int64_t parts : {1, 2, 3, 5}) {
    Places places = Places::cyclic(-2, parts);
    check(places, {-12, 13});
    EXPECT_TRUE(owns(places, 0, -2));
    EXPECT_TRUE(owns(places, parts - 1, -3));
    EXPECT_EQ(places.of(0).size(), 1u);
  }
}

TEST(Places, BlocksGoAround) {
  for (int64_t parts : {1, 2, 3})
    for (int64_t length : {1, 2, 5})
      check(Places::blockCyclic({1, 11}, length, parts), {-3, 16});
  check(Places::blockCyclic(EmptyRange, 2, 3), {-3, 3});
}

TEST(Places, AProcedureGivesMaximalSegments) {
  auto mirrored = [](int64_t index) { return (11 - index) % 3; };
  Places places = Places::byOwner({0, 11}, 3, mirrored);
  check(places, {-3, 15});
  EXPECT_EQ(places.of(1).size(), 1u);
  auto bits = [](int64_t index) { return __builtin_popcountll(index) % 2; };
  check(Places::byOwner({0, 30}, 2, bits), {-3, 34});
  check(Places::byOwner({4, 9}, 4, [](int64_t) { return 2; }), {0, 12});
}

TEST(Places, BlocksHaveTheirIndicesAsPlaces) {
  check(Places(BlockCut{{1, 9}, 4}), {-3, 14});
  check(Places(BlockCut{EmptyRange, 3}), {-3, 3});
  EXPECT_TRUE(Places(BlockCut{{1, 8}, 2}).placesOf(1, {3, 7}) == (Range{5, 7}));
}

BlockCut cutAt(std::vector<int64_t> points) {
  return {{points.front() + 1, points.back()},
          static_cast<int64_t>(points.size()) - 1,
          points};
}

TEST(BlockCut, CutPointsMakeBlocksOfAnySizeAndNone) {
  for (const std::vector<int64_t> &points : {std::vector<int64_t>{0, 3, 3, 9},
                                             {-1, -1, -1, 9},
                                             {0, 9, 9, 9},
                                             {0, 0, 4, 4, 4, 9},
                                             {5, 5, 5}}) {
    BlockCut cut = cutAt(points);
    for (int64_t index = -3; index <= 12; ++index) {
      int owners = 0;
      for (int64_t part = 0; part < cut.parts; ++part) {
        Range own = cut.own(part);
        bool isOwn = own.lo <= index && index <= own.hi;
        owners += isOwn;
        if (isOwn) {
          EXPECT_EQ(cut.owner(index), part) << index;
        }
      }
      EXPECT_EQ(owners, 1) << index;
    }
  }
  EXPECT_TRUE(cutAt({0, 3, 3, 9}).block(0) == (Range{1, 3}));
  EXPECT_TRUE(cutAt({0, 3, 3, 9}).block(1) == (EmptyRange));
  EXPECT_TRUE(cutAt({0, 3, 3, 9}).block(2) == (Range{4, 9}));
}

TEST(Distribution, OwnersOfABoxSkipEmptyBlocks) {
  ProcessGrid grid;
  grid.rank = 1;
  grid.extent[0] = 4;
  Distribution distribution(grid, emptyBox(1));
  distribution.cut[0] = cutAt({0, 2, 2, 2, 9});
  Range all = {1, 9};
  EXPECT_EQ(distribution.owners(makeBox(1, &all)), (std::vector<int>{0, 3}));
}

} // namespace
