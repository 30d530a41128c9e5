//===- BalancedCut.cpp - Cutting where weights say so ---------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     weights 1 1 1 1 8 1 1 2 over 3 parts
//     sums    0 1 2 3 4 12 13 14 16           sum(k): of all before k
//     the heaviest part has at least 8        1 1 1 1 | 8 | 1 1 2
//
// Whether parts of at most some weight suffice is seen by taking for one part
// after the other all that fits; the least such weight is found by bisection.
// With it each point may lie anywhere between the first place from which the
// parts behind it still suffice and the last one that the parts before it
// reach; the one taken is nearest to an equal share of what is left, so that no
// part at the end has less than it could.
//
// Cost: the sums, and a binary search per part and step of the bisection.
//
//===----------------------------------------------------------------------===//

#include "Layout/BalancedCut.h"

#include <algorithm>
#include <numeric>

namespace zrt {

/// The last place up to which the numbers from \p first on weigh at most
/// \p most.
static int64_t reach(const std::vector<double> &sums, int64_t first,
                     double most) {
  auto from = sums.begin() + first;
  auto end = std::upper_bound(from, sums.end(), *from + most);
  return end - sums.begin() - 1;
}

static bool suffices(const std::vector<double> &sums, int64_t parts,
                     double most) {
  int64_t place = 0, last = static_cast<int64_t>(sums.size()) - 1;
  for (int64_t part = 0; part < parts && place < last; ++part)
    place = reach(sums, place, most);
  return place == last;
}

/// The least weight of the heaviest part, but for rounding not below it.
static double leastMost(const std::vector<double> &sums, int64_t parts) {
  double enough = sums.back(), tooLittle = 0;
  constexpr int Steps = 60; // more than a double has bits
  for (int step = 0; step < Steps && tooLittle < enough; ++step) {
    double middle = tooLittle + (enough - tooLittle) / 2;
    (suffices(sums, parts, middle) ? enough : tooLittle) = middle;
  }
  return enough;
}

/// By part the first place from which it and the parts behind it suffice.
static std::vector<int64_t> earliest(const std::vector<double> &sums,
                                     int64_t parts, double most) {
  std::vector<int64_t> places(static_cast<size_t>(parts) + 1);
  places.back() = static_cast<int64_t>(sums.size()) - 1;
  for (auto q = places.size() - 1; q-- > 0;) {
    int64_t end = places[q + 1], place = end;
    auto reaches = [&](int64_t k) { return reach(sums, k, most) >= end; };
    int64_t low = 0; // the first that reaches the end lies in low..place
    while (low < place) {
      int64_t middle = low + (place - low) / 2;
      if (reaches(middle))
        place = middle;
      else
        low = middle + 1;
    }
    places[q] = place;
  }
  return places;
}

std::vector<int64_t> balancedCut(const std::vector<double> &weights,
                                 int64_t parts) {
  std::vector<double> sums(weights.size() + 1);
  std::partial_sum(weights.begin(), weights.end(), sums.begin() + 1);
  if (sums.back() == 0)
    std::iota(sums.begin(), sums.end(), 0.0);
  double most = leastMost(sums, parts);
  std::vector<int64_t> first = earliest(sums, parts, most);
  std::vector<int64_t> points = {0};
  for (int64_t q = 1; q < parts; ++q) {
    double before = sums[static_cast<size_t>(points.back())];
    double share = (sums.back() - before) / static_cast<double>(parts - q + 1);
    int64_t equal = std::lower_bound(sums.begin(), sums.end(), before + share) -
                    sums.begin();
    int64_t last = reach(sums, points.back(), most);
    int64_t least = std::max(first[static_cast<size_t>(q)], points.back());
    points.push_back(std::clamp(equal, least, std::max(least, last)));
  }
  points.push_back(static_cast<int64_t>(weights.size()));
  return points;
}

} // namespace zrt
