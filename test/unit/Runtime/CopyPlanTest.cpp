//===- CopyPlanTest.cpp - Moves by a map of indices -----------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Pieces say of each target index what the formulas of the language say, index
// by index. For random grids, pieces and floods: what each processor sends to
// another is what that one receives, in the same order, and every element that
// a processor owns comes exactly once, from an owner of its source.
//
//===----------------------------------------------------------------------===//

#include "Transfer/CopyPlan.h"
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

/// source index of each target index in one dimension, from pieces of rank 1.
std::map<int64_t, int64_t> sourcesOf(const std::vector<CopyPiece> &pieces) {
  std::map<int64_t, int64_t> sources;
  for (const CopyPiece &piece : pieces) {
    const Seq &seq = piece.target.dim[0];
    for (int64_t i = seq.lo; i <= seq.hi; i += seq.stride) {
      EXPECT_FALSE(sources.contains(i)) << "twice";
      sources[i] = piece.source.sign[0] * i + piece.source.offset[0];
    }
  }
  return sources;
}

using Pairs = std::map<int64_t, int64_t>;

Box line(Seq seq) {
  Box box = emptyBox(1);
  box.dim[0] = seq;
  return box;
}

TEST(CopyPieces, WrappingTakesPositionsModuloTheExtent) {
  int64_t two[] = {2}, minusFour[] = {-4}, zero[] = {0};
  zrt_region base = hand::region({range(1, 3)});
  EXPECT_EQ(sourcesOf(wrapPieces(line({1, 3, 1}), base, two)),
            (Pairs{{1, 3}, {2, 1}, {3, 2}}));
  EXPECT_EQ(
      sourcesOf(wrapPieces(line({-1, 6, 1}), base, zero)),
      (Pairs{{-1, 2}, {0, 3}, {1, 1}, {2, 2}, {3, 3}, {4, 1}, {5, 2}, {6, 3}}));
  // 1 3 5 7: bounds that are no indices do not count
  zrt_region odd = hand::region({strided(0, 8, 2, 1)});
  EXPECT_EQ(sourcesOf(wrapPieces(line({1, 7, 2}), odd, minusFour)),
            (Pairs{{1, 5}, {3, 7}, {5, 1}, {7, 3}}));
  EXPECT_EQ(sourcesOf(wrapPieces(line({3, 11, 4}), odd, two)),
            (Pairs{{3, 5}, {7, 1}, {11, 5}}));
  // one index repeats after its stride
  EXPECT_EQ(sourcesOf(wrapPieces(line({1, 5, 2}),
                                 hand::region({strided(3, 4, 2, 1)}), zero)),
            (Pairs{{1, 3}, {3, 3}, {5, 3}}));
  EXPECT_TRUE(wrapPieces(line(EmptySeq), base, two).empty());
}

TEST(CopyPieces, WrappingIntoIsTheSameBackwards) {
  int64_t two[] = {2};
  zrt_region base = hand::region({range(1, 3)});
  EXPECT_EQ(sourcesOf(wrapIntoPieces(line({1, 3, 1}), base, two)),
            (Pairs{{3, 1}, {1, 2}, {2, 3}}));
  EXPECT_EQ(lastWrapped(line({1, 9, 1}), base), line({7, 9, 1}));
  EXPECT_EQ(lastWrapped(line({1, 9, 2}), base), line({5, 9, 2}));
  EXPECT_EQ(lastWrapped(line({1, 7, 3}), base), line({7, 7, 1}));
}

TEST(CopyPieces, BordersAreFilledByTheFormulasOfTheLanguage) {
  zrt_region base = hand::region({range(1, 8)});
  int64_t above[] = {2}, below[] = {-2}, wide[] = {5};
  EXPECT_EQ(sourcesOf(wrapBorder(base, above)), (Pairs{{9, 1}, {10, 2}}));
  EXPECT_EQ(sourcesOf(wrapBorder(base, below)), (Pairs{{0, 8}, {-1, 7}}));
  EXPECT_EQ(sourcesOf(reflectBorder(base, above)), (Pairs{{9, 8}, {10, 7}}));
  EXPECT_EQ(sourcesOf(reflectBorder(base, below)), (Pairs{{0, 1}, {-1, 2}}));
  // a border that is wider than its region repeats it
  EXPECT_EQ(sourcesOf(wrapBorder(hand::region({range(1, 2)}), wide)),
            (Pairs{{3, 1}, {4, 2}, {5, 1}, {6, 2}, {7, 1}}));
}

TEST(CopyPieces, BordersOfStridedRegionsCountIndices) {
  zrt_region odd = hand::region({strided(0, 8, 2, 1)}); // 1 3 5 7
  int64_t above[] = {4}, below[] = {-4};                // 9 11, -1 -3
  EXPECT_EQ(sourcesOf(wrapBorder(odd, above)), (Pairs{{9, 1}, {11, 3}}));
  EXPECT_EQ(sourcesOf(wrapBorder(odd, below)), (Pairs{{-1, 7}, {-3, 5}}));
  EXPECT_EQ(sourcesOf(reflectBorder(odd, above)), (Pairs{{9, 7}, {11, 5}}));
  EXPECT_EQ(sourcesOf(reflectBorder(odd, below)), (Pairs{{-1, 1}, {-3, 3}}));
}

// --- Plans -------------------------------------------------------------------

struct CopyCase {
  Distribution distribution;
  int processors = 1;
  std::vector<CopyPiece> pieces;
  int targetFloods = 0, sourceFloods = 0;
};

CopyCase randomCopyCase(unsigned seed) {
  Random random(seed);
  CopyCase made;
  int rank = static_cast<int>(random(1, 3));
  ProcessGrid grid;
  grid.rank = rank;
  Box bounds = emptyBox(rank);
  for (int d = 0; d < rank; ++d) {
    grid.extent[d] = static_cast<int>(random(1, 4));
    bounds.dim[d] = seqOf(Range{random(-2, 2), random(-1, 9)});
  }
  made.processors = grid.size();
  made.distribution = Distribution(grid, bounds);
  if (random(0, 1))
    made.sourceFloods = static_cast<int>(random(0, (1 << rank) - 1));
  made.targetFloods =
      made.sourceFloods & static_cast<int>(random(0, (1 << rank) - 1));
  for (int64_t k = random(1, 3); k > 0; --k) {
    CopyPiece piece;
    piece.target = emptyBox(rank);
    for (int d = 0; d < rank; ++d) {
      int64_t lo = random(-3, 6);
      piece.target.dim[d] =
          seqOf({lo, lo + random(-1, 9)}, std::max<int64_t>(random(-2, 4), 1),
                random(0, 3));
      piece.source.sign[d] = random(0, 3) ? 1 : -1;
      piece.source.offset[d] = random(-8, 8);
    }
    if (!isEmpty(piece.target))
      piece.target = flooded(piece.target, made.targetFloods);
    made.pieces.push_back(piece);
  }
  return made;
}

std::vector<CopyParts> copyPlansOf(const CopyCase &made) {
  std::vector<CopyParts> plans;
  for (int p = 0; p < made.processors; ++p)
    plans.push_back(planCopy(made.distribution, made.pieces, made.targetFloods,
                             made.sourceFloods, p));
  return plans;
}

std::string textOf(const std::vector<PiecePart> &parts) {
  std::string text;
  for (const PiecePart &part : parts)
    text += std::to_string(part.piece) + toString(part.box) + " ";
  return text;
}

constexpr unsigned CopyCases = 2000;

TEST(CopyPlan, SendsAndReceivesOfAllPairsAreTheSameLists) {
  int exchanged = 0;
  for (unsigned seed = 0; seed < CopyCases; ++seed) {
    CopyCase made = randomCopyCase(seed);
    std::vector<CopyParts> plans = copyPlansOf(made);
    for (int p = 0; p < made.processors; ++p)
      for (int q = 0; q < made.processors; ++q) {
        std::string sends = textOf(with(plans[p].partners, q).sends);
        ASSERT_EQ(sends, textOf(with(plans[q].partners, p).receives))
            << "seed " << seed;
        exchanged += !sends.empty();
        for (const PiecePart &part : with(plans[p].partners, q).sends)
          ASSERT_FALSE(isEmpty(part.box));
      }
  }
  EXPECT_GT(exchanged, 3000);
}

/// Checks that \p part comes from a processor that has its sources, and counts
/// its elements.
void count(const CopyCase &made, const PiecePart &part, int from,
           std::map<std::vector<int64_t>, int> &counts) {
  Box held = made.distribution.own(from, made.sourceFloods);
  forIndices(part.box, [&](const int64_t *i) {
    const IndexMap &map = made.pieces[static_cast<size_t>(part.piece)].source;
    for (int d = 0; d < part.box.rank; ++d) {
      int64_t source = map.sign[d] * i[d] + map.offset[d];
      ASSERT_TRUE((made.sourceFloods >> d & 1) ||
                  contains(held.dim[d], source));
    }
    std::vector<int64_t> key(i, i + part.box.rank);
    key.push_back(part.piece);
    ++counts[key];
  });
}

TEST(CopyPlan, EveryOwnElementComesOnceFromAnOwnerOfItsSource) {
  for (unsigned seed = 0; seed < CopyCases; ++seed) {
    CopyCase made = randomCopyCase(seed);
    std::vector<CopyParts> plans = copyPlansOf(made);
    for (int p = 0; p < made.processors; ++p) {
      std::map<std::vector<int64_t>, int> counts;
      for (const PiecePart &part : plans[p].here)
        count(made, part, p, counts);
      for (const PartnerParts &both : plans[p].partners) {
        ASSERT_NE(both.partner, p);
        for (const PiecePart &part : both.receives)
          count(made, part, both.partner, counts);
      }
      size_t expected = 0;
      Box own = made.distribution.own(p, made.targetFloods);
      for (size_t k = 0; k < made.pieces.size(); ++k)
        forIndices(intersect(made.pieces[k].target, own), [&](auto *i) {
          std::vector<int64_t> key(i, i + own.rank);
          key.push_back(static_cast<int64_t>(k));
          ASSERT_EQ(counts[key], 1) << "seed " << seed;
          ++expected;
        });
      ASSERT_EQ(counts.size(), expected) << "seed " << seed;
    }
  }
}

TEST(CopyPlan, FloodedSourcesAreReadWithinTheSlice) {
  for (unsigned seed = 0; seed < CopyCases; ++seed) {
    CopyCase made = randomCopyCase(seed);
    std::vector<CopyParts> plans = copyPlansOf(made);
    for (int p = 0; p < made.processors; ++p) {
      int here[ZRT_MAX_RANK], there[ZRT_MAX_RANK];
      made.distribution.grid.coordinates(p, here);
      for (const PartnerParts &both : plans[p].partners) {
        made.distribution.grid.coordinates(both.partner, there);
        for (int d = 0; d < made.distribution.grid.rank; ++d)
          ASSERT_TRUE(!(made.sourceFloods >> d & 1) || here[d] == there[d]);
      }
    }
  }
}

} // namespace
