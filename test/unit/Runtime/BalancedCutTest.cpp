//===- BalancedCutTest.cpp - Cutting where weights say so -----------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The points go from 0 to the number of weights and do not decrease, and no
// other points make the heaviest part lighter: compared with all there are.
//
//===----------------------------------------------------------------------===//

#include "Layout/BalancedCut.h"
#include "Random.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <numeric>

using namespace zrt;

namespace {

double weigh(const std::vector<double> &weights, int64_t from, int64_t to) {
  return std::accumulate(weights.begin() + from, weights.begin() + to, 0.0);
}

/// The least weight of the heaviest of \p parts of the numbers from \p from on.
double leastHeaviest(const std::vector<double> &weights, int64_t from,
                     int64_t parts) {
  auto end = static_cast<int64_t>(weights.size());
  double least = weigh(weights, from, end);
  for (int64_t to = from; parts > 1 && to <= end; ++to)
    least = std::min(least, std::max(weigh(weights, from, to),
                                     leastHeaviest(weights, to, parts - 1)));
  return least;
}

double heaviest(const std::vector<double> &weights,
                const std::vector<int64_t> &points) {
  double most = 0;
  for (size_t q = 0; q + 1 < points.size(); ++q)
    most = std::max(most, weigh(weights, points[q], points[q + 1]));
  return most;
}

void check(const std::vector<double> &weights, int64_t parts) {
  std::vector<int64_t> points = balancedCut(weights, parts);
  ASSERT_EQ(points.size(), static_cast<size_t>(parts) + 1);
  EXPECT_EQ(points.front(), 0);
  EXPECT_EQ(points.back(), static_cast<int64_t>(weights.size()));
  EXPECT_TRUE(std::is_sorted(points.begin(), points.end()));
  EXPECT_EQ(heaviest(weights, points), leastHeaviest(weights, 0, parts));
}

TEST(BalancedCut, NoOtherPointsAreBetter) {
  Random random(7);
  for (int round = 0; round < 300; ++round) {
    std::vector<double> weights(static_cast<size_t>(random(0, 9)));
    for (double &weight : weights)
      weight = static_cast<double>(random(0, round % 3 == 0 ? 1 : 20));
    check(weights, random(1, 5));
  }
}

TEST(BalancedCut, EqualWeightsMakeEqualParts) {
  for (double weight : {0.0, 1.0}) {
    std::vector<int64_t> points =
        balancedCut(std::vector<double>(12, weight), 4);
    EXPECT_EQ(points, (std::vector<int64_t>{0, 3, 6, 9, 12}));
  }
}

TEST(BalancedCut, PartsAtTheEndAreNotLeftOut) {
  EXPECT_EQ(balancedCut({8, 1, 1, 1, 1}, 3),
            (std::vector<int64_t>{0, 1, 3, 5}));
}

} // namespace
