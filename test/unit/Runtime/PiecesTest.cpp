//===- PiecesTest.cpp - Boxes make up a block -----------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For random blocks, some at the edge of the grid, and random reaches: each
// index of the block is in one box, and those of the first one, if there are
// several, read nothing beyond the block.
//
//===----------------------------------------------------------------------===//

#include "Transfer/Pieces.h"
#include "Layout/Box.h"
#include "Random.h"

#include <gtest/gtest.h>

using namespace zrt;

namespace {

bool isIn(const zrt_domain &box, int rank, const int64_t *index) {
  for (int d = 0; d < rank; ++d)
    if (index[d] < box.own[d].lo || index[d] > box.own[d].hi)
      return false;
  return true;
}

void checkIndex(const Pieces &pieces, int rank, const int64_t *index,
                bool isOwn, bool readsBeyond) {
  int boxes = 0;
  for (int k = 0; k < pieces.size(); ++k)
    boxes += isIn(*pieces.find(k), rank, index);
  EXPECT_EQ(boxes, isOwn);
  if (pieces.size() > 1 && readsBeyond) {
    EXPECT_FALSE(isIn(*pieces.find(0), rank, index));
  }
}

TEST(Pieces, makeUpTheBlock) {
  int severalBoxes = 0;
  for (unsigned seed = 1; seed <= 300; ++seed) {
    Random random(seed);
    constexpr int Rank = 2;
    zrt_domain own = {};
    Reach reach;
    for (int d = 0; d < Rank; ++d) {
      own.own[d] = {random(0, 3), random(2, 9)};
      if (random(0, 3) == 0)
        own.own[d].lo = -IndexLimit;
      if (random(0, 3) == 0)
        own.own[d].hi = IndexLimit;
      reach.below[d] = random(0, 3);
      reach.above[d] = random(0, 2);
    }
    Pieces pieces;
    pieces.begin(own, Rank);
    pieces.leaveOut(reach);
    pieces.cut();
    severalBoxes += pieces.size() > 1;
    EXPECT_EQ(pieces.find(pieces.size()), nullptr);
    for (int64_t i = -2; i < 12; ++i)
      for (int64_t j = -2; j < 12; ++j) {
        int64_t index[] = {i, j};
        bool readsBeyond = false;
        for (int d = 0; d < Rank; ++d)
          readsBeyond |= index[d] - reach.below[d] < own.own[d].lo ||
                         index[d] + reach.above[d] > own.own[d].hi;
        checkIndex(pieces, Rank, index, isIn(own, Rank, index), readsBeyond);
      }
  }
  EXPECT_GT(severalBoxes, 100);
}

TEST(Pieces, nothingLeftOutIsTheBlock) {
  Pieces pieces;
  zrt_domain own = {};
  own.own[0] = {1, 5};
  pieces.begin(own, 1);
  pieces.cut();
  ASSERT_EQ(pieces.size(), 1);
  EXPECT_EQ(pieces.find(0)->own[0].lo, 1);
  EXPECT_EQ(pieces.find(0)->own[0].hi, 5);
}

} // namespace
