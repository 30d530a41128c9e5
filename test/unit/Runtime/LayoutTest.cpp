//===- LayoutTest.cpp - Boxes and block cuts ------------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Block, own range and owner of a cut dimension agree, exhaustively for small
// sizes; arithmetic on sequences and boxes keeps index sets exact; operators on
// regions follow the formulas of the language.
//
//===----------------------------------------------------------------------===//

#include "Layout/BlockCut.h"
#include "Layout/RegionOps.h"

#include <gtest/gtest.h>

#include <random>
#include <set>

using namespace zrt;

namespace {

/// Every cut of lo..hi with bounds in -2..16 over 1 to 16 parts.
template <typename Check> void forAllCuts(Check check) {
  for (int64_t lo = -2; lo <= 3; ++lo)
    for (int64_t hi = lo - 2; hi <= 16; ++hi)
      for (int64_t parts = 1; parts <= 16; ++parts)
        check(BlockCut{{lo, hi}, parts});
}

TEST(BlockCut, EveryIndexHasExactlyOneOwnRange) {
  forAllCuts([](const BlockCut &cut) {
    for (int64_t index = cut.bounds.lo - 5; index <= cut.bounds.hi + 5;
         ++index) {
      int owners = 0;
      for (int64_t part = 0; part < cut.parts; ++part) {
        Range own = cut.own(part);
        if (own.lo <= index && index <= own.hi) {
          ++owners;
          EXPECT_EQ(cut.owner(index), part);
        }
      }
      EXPECT_EQ(owners, 1) << index << " of " << cut.bounds.lo << ".."
                           << cut.bounds.hi << " over " << cut.parts;
    }
  });
}

TEST(BlockCut, BlocksPartitionTheBoundsInOrder) {
  forAllCuts([](const BlockCut &cut) {
    int64_t next = cut.bounds.lo;
    for (int64_t part = 0; part < cut.parts; ++part) {
      Range block = cut.block(part);
      if (isEmpty(block))
        continue;
      EXPECT_EQ(block.lo, next);
      next = block.hi + 1;
    }
    EXPECT_EQ(next, cut.bounds.lo + size(cut.bounds));
  });
}

TEST(BlockCut, BlocksDifferByAtMostOneAndDoNotGrow) {
  forAllCuts([](const BlockCut &cut) {
    for (int64_t part = 1; part < cut.parts; ++part)
      EXPECT_LE(size(cut.block(part)), size(cut.block(part - 1)));
    EXPECT_LE(size(cut.block(0)) - size(cut.block(cut.parts - 1)), 1);
  });
}

TEST(BlockCut, OwnRangesAreBlocksThatReachBeyondAllIndicesAtTheEdges) {
  forAllCuts([](const BlockCut &cut) {
    EXPECT_EQ(cut.own(0).lo, -IndexLimit);
    EXPECT_EQ(cut.own(cut.owner(cut.bounds.hi)).hi, IndexLimit);
    for (int64_t part = 0; part < cut.parts; ++part)
      EXPECT_TRUE(contains(cut.own(part), cut.block(part)));
  });
}

TEST(BlockCut, MoreThanTwoToThe31IndicesAndTheLimitsOfIndicesWork) {
  BlockCut cut = {{-2147483648LL, 2147483647LL}, 3};
  EXPECT_EQ(size(cut.block(0)) + size(cut.block(1)) + size(cut.block(2)),
            int64_t(1) << 32);
  EXPECT_EQ(cut.owner(INT64_MIN), 0);
  EXPECT_EQ(cut.owner(INT64_MAX), 2);
  EXPECT_EQ(cut.owner(0), 1);
}

using Set = std::set<int64_t>;

Set setOf(const Seq &seq) {
  Set set;
  for (int64_t i = seq.lo; i <= seq.hi; i += seq.stride)
    set.insert(i);
  return set;
}

/// The indices of a range with a residue, by looking at each.
Set naive(Range bounds, int64_t stride, int64_t member) {
  Set set;
  for (int64_t i = bounds.lo; i <= bounds.hi; ++i)
    if ((i - member) % stride == 0)
      set.insert(i);
  return set;
}

bool isNormal(const Seq &seq) {
  if (isEmpty(seq))
    return seq.lo == 0 && seq.hi == -1 && seq.stride == 1;
  return (seq.hi - seq.lo) % seq.stride == 0 &&
         (seq.lo != seq.hi || seq.stride == 1);
}

/// Sequences with all kinds of ends and strides.
std::vector<Seq> manySeqs() {
  std::vector<Seq> all = {EmptySeq};
  for (int64_t lo : {-7, -1, 0, 3})
    for (int64_t extent : {0, 1, 2, 5, 13, 30})
      for (int64_t stride : {1, 2, 3, 4, 6, 10})
        all.push_back(seqOf({lo, lo + extent}, stride, lo + extent / 2));
  return all;
}

TEST(Seq, NormalFormHoldsExactlyTheAlignedIndices) {
  for (int64_t lo = -9; lo <= 9; ++lo)
    for (int64_t hi = lo - 2; hi <= lo + 9; ++hi)
      for (int64_t stride = 1; stride <= 5; ++stride)
        for (int64_t member = -6; member <= 6; ++member) {
          Seq seq = seqOf({lo, hi}, stride, member);
          EXPECT_TRUE(isNormal(seq));
          EXPECT_EQ(setOf(seq), naive({lo, hi}, stride, member));
          EXPECT_EQ(size(seq), static_cast<int64_t>(setOf(seq).size()));
        }
}

TEST(Seq, IntersectionOfAnyTwoStridesIsThatOfTheSets) {
  std::vector<Seq> all = manySeqs();
  for (const Seq &a : all)
    for (const Seq &b : all) {
      Set common;
      for (int64_t i : setOf(a))
        if (setOf(b).contains(i))
          common.insert(i);
      Seq both = intersect(a, b);
      ASSERT_EQ(setOf(both), common);
      ASSERT_TRUE(isNormal(both));
      ASSERT_EQ(contains(a, b), common == setOf(b));
      ASSERT_EQ(a == b, setOf(a) == setOf(b));
    }
}

TEST(Seq, HullIsTheSmallestSequenceThatHoldsBoth) {
  std::vector<Seq> all = manySeqs();
  for (const Seq &a : all)
    for (const Seq &b : all) {
      Seq both = hull(a, b);
      ASSERT_TRUE(isNormal(both) && contains(both, a) && contains(both, b));
      Set ends = setOf(a);
      ends.merge(setOf(b));
      if (ends.empty())
        continue;
      ASSERT_EQ(both.lo, *ends.begin());
      ASSERT_EQ(both.hi, *ends.rbegin());
      // No multiple of its stride leads to all of them.
      for (int64_t factor = 2; both.stride * factor <= both.hi - both.lo;
           ++factor) {
        int64_t wider = both.stride * factor;
        ASSERT_TRUE(std::any_of(ends.begin(), ends.end(), [&](int64_t i) {
          return (i - both.lo) % wider != 0;
        }));
      }
    }
}

TEST(Seq, StridesOfMoreThan32BitsTogetherDoNotOverflow) {
  int64_t most = INT32_MAX, prime = 2147483629;
  Seq a = seqOf({-most, most}, prime, 5), b = seqOf({-most, most}, most, 5);
  EXPECT_EQ(setOf(intersect(a, b)), Set{5});
  Seq all = {-IndexLimit, IndexLimit, 1};
  EXPECT_EQ(intersect(a, all), a);
  EXPECT_EQ(intersect(all, a), a);
}

TEST(Seq, PositionsCountFromTheAlignment) {
  zrt_dim dim = {-10, 10, 3, 2}; // -10 -7 -4 -1 2 5 8
  Seq positions = positionsOf(seqOf(dim), dim);
  EXPECT_EQ(positions.lo, -4);
  EXPECT_EQ(positions.hi, 2);
  EXPECT_EQ(positions.stride, 1);
  EXPECT_EQ(positionsOf({-7, 5, 6}, dim).stride, 2);
  EXPECT_EQ(positionsOf({2, 2, 1}, dim), (Seq{0, 0, 1}));
  EXPECT_TRUE(isEmpty(positionsOf(EmptySeq, dim)));
}

Box box(Seq a, Seq b) {
  Box made;
  made.rank = 2;
  made.dim[0] = a;
  made.dim[1] = b;
  return made;
}

TEST(Box, IntersectionShiftAndHullKeepBounds) {
  Box a = box({1, 8}, {1, 6}), b = box({4, 10}, {0, 3});
  EXPECT_EQ(toString(intersect(a, b)), "[4..8, 1..3]");
  EXPECT_EQ(toString(hull(a, b)), "[1..10, 0..6]");
  int64_t distance[] = {-1, 2};
  EXPECT_EQ(toString(shift(a, distance)), "[0..7, 3..8]");
  EXPECT_EQ(toString(shift(a, distance, -1)), "[2..9, -1..4]");
  EXPECT_EQ(toString(hull(a, emptyBox(2))), toString(a));
}

TEST(Box, TextsHaveTheFormsOfTheLanguage) {
  EXPECT_EQ(toString(box({5, 5}, {1, 8}), 1), "[5, 1..8]");
  EXPECT_EQ(toString(box({1, 9, 2}, {0, 0}), 0, 2), "[1..9 by 2, *]");
  zrt_region region = {};
  region.rank = 2;
  region.dim[0] = {1, 10, 4, 2};
  region.dim[1] = {5, 4, 1, 0};
  EXPECT_EQ(toString(region), "[2..10 by 4, 5..4]");
  region.singletons = 1;
  region.dim[0] = {3, 3, 1, 0};
  region.floods = 2;
  region.dim[1] = {0, 0, 1, 0};
  EXPECT_EQ(toString(region), "[3, *]");
}

TEST(Box, SizesOfMoreThan32BitsAreExact) {
  EXPECT_EQ(size(box({1, 100000}, {1, 100000})), 10000000000LL);
  EXPECT_EQ(size(box({1, 100000}, {1, 0})), 0);
  EXPECT_EQ(size(box({1, 99999, 2}, {1, 100000})), 5000000000LL);
}

TEST(Box, AnEmptyBoxIsWithinEveryOther) {
  EXPECT_TRUE(contains(box({1, 2}, {1, 2}), box({7, 9}, {1, 0})));
  EXPECT_TRUE(contains(emptyBox(2), box({7, 9}, {1, 0})));
  EXPECT_FALSE(contains(emptyBox(2), box({1, 1}, {1, 1})));
}

std::string joined(std::vector<Box> boxes) {
  joinBoxes(boxes);
  std::string text;
  for (const Box &one : boxes)
    text += toString(one);
  return text;
}

TEST(Box, JoiningDropsContainedBoxesAndGluesNeighbours) {
  EXPECT_EQ(joined({box({8, 8}, {1, 8}), box({8, 8}, {2, 8})}), "[8..8, 1..8]");
  EXPECT_EQ(joined({box({1, 2}, {1, 8}), box({3, 4}, {1, 8})}), "[1..4, 1..8]");
  EXPECT_EQ(joined({box({1, 2}, {1, 4}), box({1, 2}, {6, 8})}),
            "[1..2, 1..4][1..2, 6..8]");
  EXPECT_EQ(joined({box({1, 2}, {1, 4}), box({2, 3}, {4, 8})}),
            "[1..2, 1..4][2..3, 4..8]");
  EXPECT_EQ(joined({emptyBox(2), box({1, 1}, {1, 1})}), "[1..1, 1..1]");
  // the third one bridges the other two
  EXPECT_EQ(
      joined({box({1, 1}, {1, 2}), box({1, 1}, {4, 5}), box({1, 1}, {3, 3})}),
      "[1..1, 1..5]");
}

TEST(Box, JoiningKnowsStrides) {
  EXPECT_EQ(joined({box({1, 1}, {1, 5, 2}), box({1, 1}, {2, 6, 2})}),
            "[1..1, 1..6]");
  EXPECT_EQ(joined({box({1, 1}, {1, 5, 2}), box({1, 1}, {7, 9, 2})}),
            "[1..1, 1..9 by 2]");
  EXPECT_EQ(joined({box({1, 1}, {1, 5, 2}), box({1, 1}, {2, 8, 3})}),
            "[1..1, 1..5 by 2][1..1, 2..8 by 3]");
}

/// A region whose indices are multiples of 2 and 3.
zrt_region randomRegion(std::mt19937 &engine) {
  zrt_region region = {};
  region.rank = 2;
  for (int d = 0; d < 2; ++d) {
    int64_t lo = static_cast<int64_t>(engine() % 7);
    region.dim[d] = {lo, lo + static_cast<int64_t>(engine() % 5) - 1, d + 2, 0};
  }
  return region;
}

TEST(Box, CoveringIsThatOfTheSets) {
  std::mt19937 engine(1);
  int covered = 0;
  for (int round = 0; round < 20000; ++round) {
    std::vector<zrt_region> regions(1 + engine() % 5);
    std::set<std::pair<int64_t, int64_t>> set;
    for (zrt_region &region : regions) {
      region = randomRegion(engine);
      for (int64_t i : setOf(seqOf(region.dim[0])))
        for (int64_t j : setOf(seqOf(region.dim[1])))
          set.insert({i, j});
    }
    Box wanted = boxOf(randomRegion(engine));
    if (engine() % 4 == 0) // with indices between those of the regions
      wanted.dim[0] = seqOf(rangeOf(wanted.dim[0]));
    bool expected = true;
    for (int64_t i : setOf(wanted.dim[0]))
      for (int64_t j : setOf(wanted.dim[1]))
        expected = expected && set.contains({i, j});
    int64_t others = static_cast<int64_t>(regions.size()) - 1;
    ASSERT_EQ(isCovered(wanted, regions[0], regions.data() + 1, others),
              expected)
        << round;
    covered += expected && !isEmpty(wanted);
  }
  EXPECT_GT(covered, 500);
}

/// (lo, hi, stride, align) as text.
std::string textOf(const zrt_dim &dim) {
  return std::to_string(dim.lo) + " " + std::to_string(dim.hi) + " " +
         std::to_string(dim.stride) + " " + std::to_string(dim.align);
}

std::string by(zrt_dim dim, int64_t component, int singletons = 0) {
  zrt_region region = {};
  region.rank = 1;
  region.dim[0] = dim;
  region.singletons = singletons;
  return textOf(regionBy(region, &component).dim[0]);
}

TEST(RegionOps, ByFollowsTheFormulasOfTheLanguage) {
  EXPECT_EQ(by({1, 10, 1, 0}, 2), "1 10 2 1");
  EXPECT_EQ(by({1, 10, 1, 0}, -2), "1 10 2 0");
  EXPECT_EQ(by({1, 10, 1, 0}, 0), "1 10 1 0");
  EXPECT_EQ(by({-5, 10, 1, 0}, 3), "-5 10 3 1");
  // 2 5 8 11, every second one from below and from above
  EXPECT_EQ(by({0, 12, 3, 2}, 2), "0 12 6 2");
  EXPECT_EQ(by({0, 12, 3, 2}, -2), "0 12 6 5");
  EXPECT_EQ(by({4, 4, 1, 0}, 3, 1), "4 4 1 0") << "a singleton stays one";
  int64_t huge = int64_t(1) << 40; // found when the region is checked
  EXPECT_EQ(by(zrt_dim{1, 10, huge, 0}, huge),
            "1 10 " + std::to_string(IndexLimit) + " " + std::to_string(huge));
}

TEST(RegionOps, OfIsTheRegionBeside) {
  zrt_region region = {};
  region.rank = 3;
  region.singletons = 3;
  for (zrt_dim &dim : region.dim)
    dim = {4, 4, 2, 0};
  int64_t direction[] = {-2, 0, 3};
  zrt_region border = regionOf(direction, region);
  EXPECT_EQ(textOf(border.dim[0]), "2 3 2 0");
  EXPECT_EQ(textOf(border.dim[1]), "4 4 2 0");
  EXPECT_EQ(textOf(border.dim[2]), "5 7 2 0");
  EXPECT_EQ(border.singletons, 2);
}

} // namespace
