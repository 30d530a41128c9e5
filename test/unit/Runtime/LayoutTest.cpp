//===- LayoutTest.cpp - Boxes and block cuts ------------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Block, own range and owner of a cut dimension agree, exhaustively for small
// sizes; box arithmetic keeps index sets exact.
//
//===----------------------------------------------------------------------===//

#include "Layout/BlockCut.h"

#include <gtest/gtest.h>

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

Box box(Range a, Range b) {
  Range dim[] = {a, b};
  return makeBox(2, dim);
}

TEST(Box, IntersectionShiftAndHullKeepBounds) {
  Box a = box({1, 8}, {1, 6}), b = box({4, 10}, {0, 3});
  EXPECT_EQ(toString(intersect(a, b)), "[4..8, 1..3]");
  EXPECT_EQ(toString(hull(a, b)), "[1..10, 0..6]");
  int64_t distance[] = {-1, 2};
  EXPECT_EQ(toString(shift(a, distance)), "[0..7, 3..8]");
  EXPECT_EQ(toString(shift(a, distance, -1)), "[2..9, -1..4]");
  EXPECT_EQ(toString(hull(a, emptyBox(2))), toString(a));
  EXPECT_EQ(toString(box({5, 5}, {1, 8}), 1), "[5, 1..8]");
}

TEST(Box, SizesOfMoreThan32BitsAreExact) {
  EXPECT_EQ(size(box({1, 100000}, {1, 100000})), 10000000000LL);
  EXPECT_EQ(size(box({1, 100000}, {1, 0})), 0);
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

} // namespace
