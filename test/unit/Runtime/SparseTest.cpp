//===- SparseTest.cpp - Patterns of sparse regions ------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Patterns on one processor: made, found in, united, moved and added to. What
// several processors make of them is the work of HandSparse.
//
//===----------------------------------------------------------------------===//

#include "HandRegions.h"
#include "HandTypes.h"
#include "Random.h"
#include "Sparse/Addition.h"
#include "Sparse/MergedPatterns.h"
#include "Sparse/OwnSteps.h"
#include "Sparse/PatternPlan.h"
#include "Sparse/Routing.h"
#include "Sparse/SparseArray.h"
#include "Transport/self/SelfTransport.h"

#include <gtest/gtest.h>

#include <array>
#include <map>
#include <set>

using namespace zrt;

namespace {

const zrt_loc Here = {"t.z", 1, 1};

using Index = std::array<int64_t, ZRT_MAX_RANK>;
using Indices = std::set<Index>;

/// Everything belongs to one processor.
struct Alone {
  explicit Alone(int rank) : rank(rank) {
    placement.grid.rank = rank;
    for (int d = 0; d < rank; ++d)
      placement.dims[d] = Places(BlockCut{{1, 100}, 1});
    owners.emplace(placement, rank, 0);
  }
  PatternBuilder builder() { return {*owners, ++lastId, "S", &Here}; }

  int rank;
  Placement placement;
  std::optional<IndexOwners> owners;
  uint64_t lastId = 0;
};

PatternPtr patternOfSet(Alone &alone, const Indices &indices) {
  PatternBuilder builder = alone.builder();
  Index last = {};
  bool isFirst = true;
  auto outer = alone.rank - 1;
  for (const Index &index : indices) {
    int32_t at[ZRT_MAX_RANK];
    std::copy(index.begin(), index.end(), at);
    if (isFirst ||
        !std::equal(last.begin(), last.begin() + outer, index.begin()))
      builder.startRow(at);
    builder.add(at[outer]);
    last = index;
    isFirst = false;
  }
  return builder.finish();
}

Indices setOf(const Pattern &pattern) {
  Indices result;
  for (int64_t k = 0; k < pattern.count; ++k) {
    Index index = {};
    pattern.indexAt(k, index.data());
    result.insert(index);
  }
  EXPECT_EQ(static_cast<int64_t>(result.size()), pattern.count);
  return result;
}

Indices randomSet(Random &random, int rank, int64_t count, int64_t most) {
  Indices result;
  for (int64_t k = 0; k < count; ++k) {
    Index index = {};
    for (int d = 0; d < rank; ++d)
      index[static_cast<size_t>(d)] = random(-most, most);
    result.insert(index);
  }
  return result;
}

TEST(PieceSteps, AreWhatPiecesAndWindowsHaveInOrder) {
  Random random(3);
  Alone alone(1);
  for (int64_t stride : {1, 3})
    for (bool hasWindows : {false, true})
      for (int round = 0; round < 200; ++round) {
        OwnSteps along(*alone.owners, 0, Seq{2, 98, stride});
        std::vector<zrt_piece> pieces;
        std::vector<zrt_windows> windows;
        for (int64_t k = random(0, 6); k > 0; --k) // some are empty
          pieces.push_back({random(-9, 120), random(-9, 120)});
        if (hasWindows)
          windows.push_back({random(-9, 60), random(40, 120), random(-90, 90),
                             random(1, 20), random(-1, 9)});
        int64_t begin = random(0, 9), end = random(10, along.count());
        std::set<int64_t> expected;
        for (int64_t step = begin; step < end; ++step) {
          int64_t index = along.at(step);
          for (const zrt_piece &piece : pieces)
            if (piece.from <= index && index <= piece.to)
              expected.insert(step);
          for (const zrt_windows &w : windows) {
            int64_t in = ((index - w.base) % w.period + w.period) % w.period;
            if (w.from <= index && index <= w.to && in < w.width)
              expected.insert(step);
          }
        }
        PieceSteps steps;
        steps.start(along, begin, end);
        for (int time = 0; time < 2; ++time) { // the second in known order
          std::set<int64_t> found;
          int64_t last = -2;
          for (auto [first, stop] : steps.of(pieces, windows)) {
            EXPECT_LT(last, first) << "ranges are in order, with gaps";
            for (last = first; last < stop; ++last)
              found.insert(last);
          }
          EXPECT_EQ(found, expected);
        }
      }
}

TEST(Pattern, HoldsRowsInOrderAndFindsPositionsAskedInAnyOrder) {
  Random random(1);
  for (int rank = 1; rank <= ZRT_MAX_RANK; ++rank)
    for (int64_t count : {0, 1, 5, 200}) {
      Alone alone(rank);
      Indices indices = randomSet(random, rank, count, rank == 1 ? 90 : 4);
      PatternPtr pattern = patternOfSet(alone, indices);
      EXPECT_EQ(setOf(*pattern), indices);
      PatternFinder finder(*pattern);
      for (int k = 0; k < 500; ++k) {
        Index index = *randomSet(random, rank, 1, rank == 1 ? 92 : 5).begin();
        int32_t at[ZRT_MAX_RANK];
        std::copy(index.begin(), index.end(), at);
        auto found = indices.find(index);
        int64_t expected =
            found == indices.end() ? -1 : std::distance(indices.begin(), found);
        EXPECT_EQ(finder.find(at, at[rank - 1]), expected);
      }
    }
}

TEST(Pattern, UnionIntersectionAndDifferenceAreThoseOfSets) {
  Random random(2);
  for (int rank : {1, 2, 3})
    for (int k = 0; k < 20; ++k) {
      Alone alone(rank);
      Indices a = randomSet(random, rank, random(0, 60), 5);
      Indices b = randomSet(random, rank, random(0, 60), 5);
      PatternPtr p = patternOfSet(alone, a), q = patternOfSet(alone, b);
      Indices both, rest, any = a;
      any.insert(b.begin(), b.end());
      std::set_intersection(a.begin(), a.end(), b.begin(), b.end(),
                            std::inserter(both, both.end()));
      EXPECT_EQ(setOf(*united(p.get(), q.get(), alone.builder())), any);
      EXPECT_TRUE(sameIndices(*common(p.get(), q.get(), alone.builder()),
                              *patternOfSet(alone, both)));
      std::set_difference(a.begin(), a.end(), b.begin(), b.end(),
                          std::inserter(rest, rest.end()));
      EXPECT_EQ(setOf(*without(p.get(), q.get(), alone.builder())), rest);
      EXPECT_EQ(setOf(*united(nullptr, q.get(), alone.builder())), b);
      EXPECT_EQ(setOf(*common(nullptr, q.get(), alone.builder())), Indices());
      EXPECT_EQ(setOf(*without(p.get(), nullptr, alone.builder())), a);
      EXPECT_TRUE(sameIndices(*p, *patternOfSet(alone, a)));
      EXPECT_EQ(sameIndices(*p, *q), a == b);
    }
}

TEST(Pattern, IntersectionsOfRowsOfAnyLengthAreInOrder) {
  Random random(3);
  for (int64_t most : {1, 7, 8, 9, 30}) {
    Alone alone(2);
    Indices a, b, both;
    for (int64_t row = 1; row <= 40; ++row)
      for (Indices *indices : {&a, &b})
        for (int64_t k = random(0, most); k > 0; --k)
          indices->insert({row, random(1, most + most / 2)});
    std::set_intersection(a.begin(), a.end(), b.begin(), b.end(),
                          std::inserter(both, both.end()));
    PatternPtr p = patternOfSet(alone, a), q = patternOfSet(alone, b);
    EXPECT_TRUE(sameIndices(*common(p.get(), q.get(), alone.builder()),
                            *patternOfSet(alone, both)));
  }
}

TEST(Pattern, MovesAndKeepsWhatIsInABox) {
  Alone alone(2);
  PatternPtr pattern =
      patternOfSet(alone, {{1, 1}, {1, 2}, {2, 5}, {3, 1}, {3, 9}});
  int64_t direction[] = {1, -1};
  Range bounds[] = {{2, 3}, {0, 4}};
  PatternPtr moved =
      movedHere(*pattern, direction, makeBox(2, bounds), alone.builder());
  EXPECT_EQ(setOf(*moved), (Indices{{2, 0}, {2, 1}, {3, 4}}));
}

/// What adding \p indices to \p region makes.
Indices added(const zrt_region &region, const std::vector<Index> &indices) {
  Alone alone(region.rank);
  std::unique_ptr<Transport> transport = makeSelfTransport();
  Addition addition(region, *alone.owners, &Here);
  for (const Index &index : indices)
    EXPECT_TRUE(addition.add(index.data(), false));
  return setOf(*addition.finish(*transport, alone.builder()));
}

TEST(Pattern, BandsAreRowsOfOneShapeThatFollowEachOther) {
  Alone alone(2);
  auto bandsOf = [&](int64_t rows, int64_t firstColumn, int64_t missing) {
    Indices indices;
    for (int64_t i = 1; i <= rows; ++i)
      for (int64_t j = i - 1; j <= i + 1; ++j)
        if (j >= firstColumn && j <= rows && i != missing)
          indices.insert(Index{i, j});
    PatternPtr pattern = patternOfSet(alone, indices);
    return std::vector<int32_t>(pattern->band,
                                pattern->band +
                                    (pattern->bands ? pattern->bands + 1 : 0));
  };
  EXPECT_EQ(bandsOf(50, 1, 0), (std::vector<int32_t>{0, 1, 49, 50}));
  // Row 20 has no index, so that number 19 is row 21.
  EXPECT_EQ(bandsOf(50, 1, 20), (std::vector<int32_t>{0, 1, 19, 48, 49}));
  EXPECT_EQ(bandsOf(0, 1, 0), std::vector<int32_t>{});

  // Each row has a shape of its own, until it is no use to go on.
  Indices wedge;
  for (int64_t i = 1; i <= 40; ++i)
    for (int64_t j = 41 - i; j <= 40; ++j)
      wedge.insert(Index{i, j});
  EXPECT_EQ(patternOfSet(alone, wedge)->bands, 0);
}

TEST(Pattern, BandsAreFoundWhereverTheyBegin) {
  // As many columns in each row, but in some rows other ones.
  Random random(5);
  for (int round = 0; round < 40; ++round) {
    Alone alone(2);
    Indices indices;
    std::vector<int32_t> expected = {0};
    int64_t shift = 0, row = 1, width = random(1, 20);
    for (int32_t r = 0; r < 400; ++r, ++row) {
      if (r > 0 && random(0, 39) == 0) {
        (random(0, 1) ? row : shift) += 1;
        expected.push_back(r);
      }
      for (int64_t j = 0; j < width; ++j)
        indices.insert(Index{row, row + shift + 2 * j});
    }
    expected.push_back(400);
    PatternPtr pattern = patternOfSet(alone, indices);
    if (pattern->bands != 0)
      EXPECT_EQ(std::vector<int32_t>(pattern->band,
                                     pattern->band + pattern->bands + 1),
                expected);
    else
      EXPECT_GT(expected.size(), 16u);
  }
}

TEST(ColumnDirectory, HasThePositionsOfEachColumnInOrder) {
  // Where columns are many for the indices these are sorted, else counted.
  Random random(6);
  for (int64_t most : {3, 5, 1000000})
    for (int64_t count : {0, 1, 7, 300}) {
      Alone alone(3);
      Indices indices = randomSet(random, 3, count, most);
      PatternPtr pattern = patternOfSet(alone, indices);
      ColumnDirectory directory(*pattern);
      std::map<int64_t, std::vector<int32_t>> expected;
      for (int32_t k = 0; k < pattern->count; ++k)
        expected[pattern->column[k]].push_back(k);
      for (auto &[column, positions] : expected) {
        auto found = directory.positionsOf(column);
        EXPECT_EQ(std::vector<int32_t>(found.begin(), found.end()), positions);
      }
      for (int64_t column : {-most - 1, most + 1, INT64_MIN, INT64_MAX})
        EXPECT_TRUE(directory.positionsOf(column).empty());
      for (int64_t column = -3; column <= 3; ++column)
        EXPECT_EQ(directory.positionsOf(column).empty(),
                  !expected.contains(column));
    }
}

TEST(ColumnDirectory, IsAskedFromTheSecondColumnOn) {
  Random random(7);
  Alone alone(2);
  Indices indices = randomSet(random, 2, 60, 6);
  PatternPtr pattern = patternOfSet(alone, indices);
  for (int time = 0; time < 3; ++time)
    for (int64_t column = -7; column <= 7; ++column) {
      Indices found;
      pattern->forEachInColumn(column, [&](int64_t row, int64_t k) {
        EXPECT_EQ(pattern->column[k], column);
        EXPECT_EQ(pattern->rowOf(k), row);
        EXPECT_TRUE(found.insert(Index{pattern->row[0][row], column}).second);
      });
      Indices expected;
      for (const Index &index : indices)
        if (index[1] == column)
          expected.insert(index);
      EXPECT_EQ(found, expected);
    }
}

TEST(Addition, TakesIndicesInAnyOrderAndAgain) {
  Random random(3);
  zrt_region region = hand::region({hand::range(-9, 9), hand::range(-9, 9)});
  Indices indices = randomSet(random, 2, 300, 9);
  std::vector<Index> list(indices.begin(), indices.end());
  EXPECT_EQ(added(region, list), indices);
  for (int64_t diagonals : {2, 3, 5}) {
    std::stable_sort(list.begin(), list.end(),
                     [&](const Index &i, const Index &j) {
                       return (i[1] - i[0] + 40) % diagonals <
                              (j[1] - j[0] + 40) % diagonals;
                     });
    EXPECT_EQ(added(region, list), indices);
  }
  std::reverse(list.begin(), list.end());
  EXPECT_EQ(added(region, list), indices);
  list.insert(list.end(), list.begin(), list.end());
  EXPECT_EQ(added(region, list), indices);
  // Each twice at once, in ascending order; the first one has the number 0.
  list.assign({{-9, -9}, {-9, -9}, {-9, 0}, {-9, 0}, {2, 1}, {2, 1}});
  EXPECT_EQ(added(region, list), (Indices{{-9, -9}, {-9, 0}, {2, 1}}));
}

TEST(Addition, IsSortedOnTheWayWhenTheListIsFull) {
  // It holds 2^24 numbers before that.
  Alone alone(2);
  std::unique_ptr<Transport> transport = makeSelfTransport();
  zrt_region region = hand::region({hand::range(1, 9), hand::range(1, 9)});
  Addition addition(region, *alone.owners, &Here);
  Indices indices;
  for (int64_t k = 0; k < (int64_t(1) << 24) + 100; ++k) {
    Index index = {(k * 5) % 9 + 1, 9 - k % 7};
    addition.add(index.data(), false);
    if (k < 63)
      indices.insert(index);
  }
  EXPECT_EQ(setOf(*addition.finish(*transport, alone.builder())), indices);
}

TEST(Addition, BoundsMayHaveMoreIndicesThanANumber) {
  constexpr int64_t Far = 2000000000;
  zrt_region region = {};
  region.rank = 6;
  for (zrt_dim &dim : region.dim)
    dim = hand::range(-Far, Far);
  Indices indices = {{Far, 0, 0, 0, 0, -Far}, {-Far, 1, 2, 3, 4, 5}, {}};
  EXPECT_EQ(added(region, {indices.begin(), indices.end()}), indices);
}

TEST(Addition, RefusesWhatIsNoIndexOfTheRegion) {
  Alone alone(2);
  zrt_region region =
      hand::region({hand::range(1, 4), hand::strided(1, 9, 2, 1)});
  Addition addition(region, *alone.owners, &Here);
  for (Index wrong : {Index{0, 1}, {5, 1}, {1, -1}, {1, 2}, {1, 11}})
    EXPECT_FALSE(addition.add(wrong.data(), true));
  EXPECT_TRUE(addition.add(Index{4, 9}.data(), true));
}

TEST(SparseArray, KeepsTheElementsOfCommonIndicesAndFillsTheOthers) {
  Alone alone(1);
  std::unique_ptr<Transport> transport = makeSelfTransport();
  auto make = [&](zrt_array &array, const PatternPtr &pattern) {
    zrt_region region = hand::region({hand::range(1, 9)}, "S");
    region.is_sparse = 1;
    region.pattern = pattern.get();
    createSparse(*transport, array, region, hand::Double, "A", 1, &Here);
  };
  zrt_array before, after;
  make(before, patternOfSet(alone, {{2}, {4}, {6}}));
  make(after, patternOfSet(alone, {{1}, {4}, {6}, {9}}));
  auto *old = reinterpret_cast<double *>(before.origin);
  old[-1] = 7, old[0] = 2, old[1] = 4, old[2] = 6;
  takeElements(after, before);
  const auto *values = reinterpret_cast<const double *>(after.origin);
  EXPECT_EQ(std::vector<double>(values - 1, values + 4),
            (std::vector<double>{7, 7, 4, 6, 7}));
  EXPECT_EQ(reinterpret_cast<uintptr_t>(after.origin) % 64, 0u);
  destroyArray(*transport, before);
  destroyArray(*transport, after);
}

TEST(PatternPlan, WrapsNameTheElementAtThePositionModuloTheExtent) {
  IndexMove move;
  move.direction[0] = -2;
  move.wraps = true;
  move.bounds.rank = 1;
  move.bounds.dim[0] = {1, 9, 2}; // 1 3 5 7 9
  int64_t index = 1, named;
  move.apply(&index, &named);
  EXPECT_EQ(named, 9);
  std::vector<int64_t> indices;
  move.reverse(0, 9, {-9, 21, 2}, indices);
  EXPECT_EQ(indices, (std::vector<int64_t>{-9, 1, 11, 21}));
}

} // namespace
