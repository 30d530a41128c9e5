//===- Search.cpp - Roots and minima over integers ------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A root by binary search for the change of sign. A minimum by sampling: of 65
// points at equal distances, with one minimum it lies between the neighbours of
// the best one, which are sampled in the same way, until they are next to it:
//
//     0 ... 4096   step 64, best at 640     ->  576 ... 704
//                  step 2,  best at 642     ->  640 ... 644   all of them
//
// The dissertation halves the interval by the sign of f(m+1) - f(m). That is 12
// evaluations here, not 133 (some microseconds); but the samples see several
// minima, plateaus, and preconditions that make an end infinite, where a
// difference says nothing.
//
//===----------------------------------------------------------------------===//

#include "zpl/Cost/Search.h"
#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

namespace zpl {

int64_t integerRoot(int64_t bottom, int64_t top, IntegerFunction f) {
  assert(bottom <= top && "an empty interval");
  double atBottom = f(bottom), atTop = f(top);
  if (atBottom == 0)
    return bottom;
  if (atTop == 0)
    return top;
  if (atBottom < 0 && atTop < 0)
    return bottom - 1;
  if (atBottom > 0 && atTop > 0)
    return top + 1;
  int64_t before = bottom, behind = top;
  while (behind - before > 1) {
    int64_t middle = before + (behind - before) / 2;
    double value = f(middle);
    if (value == 0)
      return middle;
    ((value < 0) == (atBottom < 0) ? before : behind) = middle;
  }
  return before;
}

namespace {

struct Best {
  int64_t at;
  double value;
};

} // namespace

/// The best of bottom, bottom + step, ... and top.
static Best bestSample(int64_t bottom, int64_t top, int64_t step,
                       IntegerFunction f) {
  Best best = {bottom, std::numeric_limits<double>::infinity()};
  for (int64_t at = bottom;;) {
    double value = f(at);
    if (value < best.value) // false for what is not a number
      best = {at, value};
    if (at == top)
      return best;
    at = top - at < step ? top : at + step;
  }
}

int64_t integerMinimum(int64_t bottom, int64_t top, IntegerFunction f) {
  assert(bottom <= top && "an empty interval");
  constexpr int64_t Pieces = 64;
  while (true) {
    int64_t step = (top - bottom + Pieces - 1) / Pieces;
    Best best = bestSample(bottom, top, std::max<int64_t>(step, 1), f);
    if (step <= 1 || std::isinf(best.value))
      return best.at;
    bottom = best.at - bottom < step ? bottom : best.at - step;
    top = top - best.at < step ? top : best.at + step;
  }
}

} // namespace zpl
