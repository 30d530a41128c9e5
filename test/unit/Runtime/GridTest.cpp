//===- GridTest.cpp - Processor grids and distributions -------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Grids follow -p -r -c -l -g, are completed as evenly as possible, and number
// processors in row-major order; a distribution gives each index one owner.
//
//===----------------------------------------------------------------------===//

#include "Grid/Distribution.h"

#include <gtest/gtest.h>

#include <set>

using namespace zrt;

namespace {

/// The extents as "2x3", or the error.
std::string grid(const GridRequest &request, int rank, int processors) {
  ProcessGrid made;
  std::string error;
  if (!makeGrid(request, rank, processors, made, error))
    return error;
  std::string text;
  for (int d = 0; d < rank; ++d)
    text += (d == 0 ? "" : "x") + std::to_string(made.extent[d]);
  return text;
}

GridRequest levels(int rows, int columns, int depth) {
  GridRequest request;
  request.levels[0] = rows;
  request.levels[1] = columns;
  request.levels[2] = depth;
  return request;
}

TEST(ProcessGrid, WithoutWishesGridsAreAsEvenAsPossible) {
  GridRequest none;
  EXPECT_EQ(grid(none, 1, 12), "12");
  EXPECT_EQ(grid(none, 2, 1), "1x1");
  EXPECT_EQ(grid(none, 2, 4), "2x2");
  EXPECT_EQ(grid(none, 2, 6), "3x2");
  EXPECT_EQ(grid(none, 2, 7), "7x1");
  EXPECT_EQ(grid(none, 3, 8), "2x2x2");
  EXPECT_EQ(grid(none, 3, 12), "3x2x2");
  EXPECT_EQ(grid(none, 6, 4), "2x2x1x1x1x1");
}

TEST(ProcessGrid, WavesMeetFewProcessors) {
  GridRequest request;
  request.waves[2] = 0b11;
  request.waves[3] = 0b001;
  request.waves[4] = 0b1011;
  EXPECT_EQ(grid(request, 2, 2), "1x2");
  EXPECT_EQ(grid(request, 2, 6), "2x3");
  EXPECT_EQ(grid(request, 2, 4), "2x2");
  EXPECT_EQ(grid(request, 3, 6), "1x3x2");
  EXPECT_EQ(grid(request, 4, 12), "1x2x3x2");
  EXPECT_EQ(grid(request, 5, 2), "2x1x1x1x1");
  request.levels[0] = 2;
  EXPECT_EQ(grid(request, 2, 6), "2x3");
  EXPECT_EQ(grid(request, 3, 12), "2x3x2");
}

TEST(ProcessGrid, RowsColumnsAndLevelsFixTheirDimensions) {
  EXPECT_EQ(grid(levels(2, 0, 0), 2, 6), "2x3");
  EXPECT_EQ(grid(levels(0, 6, 0), 2, 6), "1x6");
  EXPECT_EQ(grid(levels(2, 0, 0), 3, 12), "2x3x2");
  EXPECT_EQ(grid(levels(2, 2, 2), 3, 8), "2x2x2");
  EXPECT_EQ(grid(levels(1, 0, 0), 2, 5), "1x5");
}

TEST(ProcessGrid, RanksWithFewerDimensionsTakeTheRestInTheLastOne) {
  EXPECT_EQ(grid(levels(2, 3, 0), 1, 6), "6");
  EXPECT_EQ(grid(levels(2, 2, 2), 2, 8), "2x4");
  EXPECT_EQ(grid(levels(2, 0, 0), 1, 6), "6");
}

TEST(ProcessGrid, AWholeGridGoesBeforeRowsAndColumnsOfItsRank) {
  GridRequest request = levels(2, 3, 0);
  request.extents[2] = {6, 1};
  EXPECT_EQ(grid(request, 2, 6), "6x1");
  EXPECT_EQ(grid(request, 3, 6), "2x3x1");
}

TEST(ProcessGrid, ImpossibleGridsAreRefusedWithTheWishInTheMessage) {
  EXPECT_EQ(grid(levels(2, 0, 0), 2, 7),
            "7 processors do not make a grid of 2 dimensions with -r2");
  EXPECT_EQ(grid(levels(2, 2, 0), 2, 8),
            "8 processors do not make a grid of 2 dimensions with -r2 -c2");
  GridRequest request;
  request.extents[2] = {2, 3};
  EXPECT_EQ(grid(request, 2, 8),
            "8 processors do not make a grid of 2 dimensions with -g2x3");
  std::string error;
  EXPECT_FALSE(checkGrids(levels(2, 0, 0), 7, error));
  EXPECT_TRUE(checkGrids(levels(2, 0, 0), 8, error));
}

TEST(ProcessGrid, TheNumberOfProcessorsFollowsFromTheExtents) {
  EXPECT_EQ(requestedProcessors(GridRequest()), 0);
  EXPECT_EQ(requestedProcessors(levels(3, 2, 0)), 6);
  GridRequest request;
  request.extents[3] = {2, 3, 4};
  EXPECT_EQ(requestedProcessors(request), 24);
  request.processors = 5;
  EXPECT_EQ(requestedProcessors(request), 5);
}

TEST(ProcessGrid, NumbersAndCoordinatesAreInverseInRowMajorOrder) {
  ProcessGrid made;
  std::string error;
  ASSERT_TRUE(makeGrid(levels(2, 3, 4), 3, 24, made, error));
  int coordinate[ZRT_MAX_RANK];
  for (int p = 0; p < 24; ++p) {
    made.coordinates(p, coordinate);
    EXPECT_EQ(made.processor(coordinate), p);
    EXPECT_EQ(coordinate[0] * 12 + coordinate[1] * 4 + coordinate[2], p);
  }
}

TEST(Distribution, OwnersOfABoxAreThoseWhoseOwnRangeMeetsIt) {
  for (int p = 1; p <= 9; ++p) {
    ProcessGrid made;
    std::string error;
    ASSERT_TRUE(makeGrid(GridRequest(), 2, p, made, error));
    Range bounds[] = {{0, 2}, {1, 7}};
    Distribution distribution(made, makeBox(2, bounds));
    for (int64_t lo = -3; lo <= 9; ++lo)
      for (int64_t hi = lo - 1; hi <= 9; ++hi) {
        Range ask[] = {{lo, hi}, {hi, hi + 2}};
        Box box = makeBox(2, ask);
        std::vector<int> expected;
        for (int q = 0; q < p; ++q)
          if (!isEmpty(intersect(box, distribution.own(q))))
            expected.push_back(q);
        EXPECT_EQ(distribution.owners(box), expected);
      }
  }
}

TEST(Distribution, OwnersOfSequencesOwnOneOfItsIndices) {
  ProcessGrid made;
  std::string error;
  ASSERT_TRUE(makeGrid(GridRequest(), 1, 7, made, error));
  Range bounds[] = {{1, 16}};
  Distribution distribution(made, makeBox(1, bounds));
  for (int64_t lo = -3; lo <= 9; ++lo)
    for (int64_t hi = lo; hi <= 20; ++hi)
      for (int64_t stride = 1; stride <= 9; ++stride) {
        Box box = emptyBox(1);
        box.dim[0] = seqOf({lo, hi}, stride, lo);
        std::set<int> expected;
        for (int64_t i = lo; i <= hi; i += stride)
          expected.insert(static_cast<int>(distribution.cut[0].owner(i)));
        std::vector<int> owners = distribution.owners(box);
        EXPECT_EQ(std::set<int>(owners.begin(), owners.end()), expected);
        EXPECT_EQ(owners.size(), expected.size());
      }
}

TEST(Distribution, FloodedDimensionsBelongToEveryPlaceOfTheGrid) {
  ProcessGrid made;
  std::string error;
  ASSERT_TRUE(makeGrid(levels(3, 2, 0), 2, 6, made, error));
  Range bounds[] = {{1, 2}, {1, 8}}; // the last row of processors owns nothing
  Distribution distribution(made, makeBox(2, bounds));
  Range all[] = {{1, 2}, {0, 0}};
  EXPECT_EQ(distribution.owners(makeBox(2, all), 2, 0),
            (std::vector<int>{0, 2}));
  EXPECT_EQ(distribution.owners(makeBox(2, all), 2, 5),
            (std::vector<int>{1, 3}));
  EXPECT_TRUE(isEmpty(distribution.own(4)));
  EXPECT_TRUE(isEmpty(distribution.own(4, 2)));
  Box own = distribution.own(4, 1);
  EXPECT_TRUE(contains(own.dim[0], Seq{-100, 100, 1}));
  EXPECT_EQ(own.dim[1].hi, 4);
}

TEST(Distribution, OnlyDimensionsOfSeveralProcessorsAreCrossed) {
  ProcessGrid made;
  std::string error;
  ASSERT_TRUE(makeGrid(levels(1, 4, 0), 2, 4, made, error));
  Range bounds[] = {{1, 8}, {1, 8}};
  Distribution distribution(made, makeBox(2, bounds));
  int64_t north[] = {-1, 0}, east[] = {0, 1};
  EXPECT_FALSE(distribution.crosses(north));
  EXPECT_TRUE(distribution.crosses(east));
  EXPECT_FALSE(distribution.crosses(east, 2)) << "flooded there";
}

} // namespace
