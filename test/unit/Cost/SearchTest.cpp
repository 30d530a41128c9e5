//===- SearchTest.cpp - Roots and minima over integers --------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Roots and minima are those that looking at every integer finds.
//
//===----------------------------------------------------------------------===//

#include "zpl/Cost/Search.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

using namespace zpl;

namespace {

TEST(IntegerRoot, IsTheLastIntegerBeforeTheChangeOfSign) {
  for (int64_t root = -1; root <= 100; ++root) {
    auto falls = [&](int64_t x) { return double(root) + 0.5 - double(x); };
    auto rises = [&](int64_t x) { return double(x) - double(root) - 0.5; };
    if (root >= 0 && root < 100) {
      EXPECT_EQ(integerRoot(0, 100, falls), root);
      EXPECT_EQ(integerRoot(0, 100, rises), root);
    }
  }
}

TEST(IntegerRoot, FindsExactRoots) {
  for (int64_t root : {0, 1, 50, 99, 100})
    EXPECT_EQ(integerRoot(0, 100, [&](int64_t x) { return double(root - x); }),
              root);
}

TEST(IntegerRoot, LiesOutsideWhereThereIsNone) {
  EXPECT_EQ(integerRoot(0, 20, [](int64_t) { return -1.0; }), -1);
  EXPECT_EQ(integerRoot(0, 20, [](int64_t) { return 1.0; }), 21);
  EXPECT_EQ(integerRoot(5, 5, [](int64_t) { return 1.0; }), 6);
}

TEST(IntegerRoot, NeedsFewEvaluations) {
  int evaluations = 0;
  integerRoot(0, 100, [&](int64_t x) {
    ++evaluations;
    return 37.5 - double(x);
  });
  EXPECT_LE(evaluations, 9);
}

TEST(IntegerMinimum, IsFoundWhereverItIs) {
  for (int64_t top : {0, 1, 64, 65, 100, 4097, 1000000})
    for (int64_t at : {int64_t(0), int64_t(1), top / 3, top / 2 + 1, top}) {
      if (at > top)
        continue;
      auto f = [&](int64_t x) { return std::abs(double(x - at)); };
      EXPECT_EQ(integerMinimum(0, top, f), at) << top;
    }
}

TEST(IntegerMinimum, FindsTheMinimumOfCostsOfPieces) {
  // Pieces cost something each, and their length too: n / x + 3 x.
  for (double n : {10.0, 1e4, 1e9}) {
    auto f = [&](int64_t x) { return n / double(x) + 3 * double(x); };
    int64_t best = std::llround(std::sqrt(n / 3));
    int64_t found = integerMinimum(1, 1 << 20, f);
    EXPECT_LE(std::abs(found - best), 1) << n;
    EXPECT_LE(f(found),
              std::min(f(found + 1), f(std::max<int64_t>(found - 1, 1))));
  }
}

TEST(IntegerMinimum, SeesSeveralMinimaOfShortIntervals) {
  auto f = [](int64_t x) { return x == 3 ? 1.0 : x == 60 ? 0.5 : 2.0; };
  EXPECT_EQ(integerMinimum(0, 64, f), 60);
}

TEST(IntegerMinimum, PassesOverWhatIsImpossible) {
  auto f = [](int64_t x) {
    return x < 5000    ? std::numeric_limits<double>::infinity()
           : x == 5000 ? NAN
                       : double(x);
  };
  EXPECT_EQ(integerMinimum(0, 10000, f), 5001);
  EXPECT_EQ(integerMinimum(3, 9,
                           [](int64_t) {
                             return std::numeric_limits<double>::infinity();
                           }),
            3);
}

TEST(IntegerMinimum, StaysInsideTheLargestInterval) {
  int64_t most = std::numeric_limits<int32_t>::max();
  EXPECT_EQ(integerMinimum(-most, most, [](int64_t x) { return double(-x); }),
            most);
}

} // namespace
