//===- Facts.cpp - What is true of a whole pattern ------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A processor knows its own indices; what is asked of the whole takes a
// reduction. Patterns do not change, so it is asked once for each.
//
//===----------------------------------------------------------------------===//

#include "Sparse/Facts.h"

#include "Collective/Collective.h"

#include <algorithm>

namespace zrt {

int64_t totalOf(Transport &transport, const Pattern &pattern) {
  if (!pattern.total) {
    int64_t total = pattern.count;
    reduce(transport, &total, ZRT_I64, ZRT_SUM);
    pattern.total = total;
  }
  return *pattern.total;
}

/// The least and the greatest of some numbers; an empty range of none.
static Range extremes(const int32_t *numbers, int64_t count) {
  Range range = {IndexLimit, -IndexLimit};
  for (int64_t k = 0; k < count; ++k) {
    range.lo = std::min<int64_t>(range.lo, numbers[k]);
    range.hi = std::max<int64_t>(range.hi, numbers[k]);
  }
  return range;
}

const std::vector<int64_t> &countsOf(Transport &transport,
                                     const Pattern &pattern) {
  if (pattern.counts.empty())
    pattern.counts = allNumbers(transport, everybody(transport), pattern.count);
  return pattern.counts;
}

const Box &hullOf(Transport &transport, const Pattern &pattern) {
  if (pattern.hull)
    return *pattern.hull;
  int last = pattern.rank - 1;
  // The least ones, and the greatest ones negated.
  int64_t least[2 * ZRT_MAX_RANK] = {};
  for (int d = 0; d <= last; ++d) {
    Range range = d < last ? extremes(pattern.row[d], pattern.rows)
                           : extremes(pattern.column, pattern.count);
    least[d] = range.lo;
    least[ZRT_MAX_RANK + d] = -range.hi;
  }
  reduce(transport, everybody(transport), least, 2 * ZRT_MAX_RANK, ZRT_I64,
         ZRT_MIN);
  Box hull = emptyBox(pattern.rank);
  for (int d = 0; d <= last; ++d)
    hull.dim[d] = seqOf(Range{least[d], -least[ZRT_MAX_RANK + d]});
  pattern.hull = hull;
  return *pattern.hull;
}

bool findOutside(Transport &transport, const OwnIndices &indices,
                 const int64_t *direction, const std::vector<Box> &boxes,
                 int floods, int64_t *index) {
  const Pattern &pattern = *indices.pattern;
  auto isIn = [&](const Box &box, const int64_t *at) {
    for (int d = 0; d < pattern.rank; ++d)
      if (!(floods >> d & 1) &&
          !contains(box.dim[d], at[d] + (direction ? direction[d] : 0)))
        return false;
    return true;
  };
  int64_t first = -1, at[ZRT_MAX_RANK];
  for (int64_t r = 0; r < pattern.rows && first < 0; ++r) {
    for (int d = 0; d + 1 < pattern.rank; ++d)
      at[d] = pattern.row[d][r];
    for (int64_t k = pattern.starts[r]; k < pattern.starts[r + 1]; ++k) {
      at[pattern.rank - 1] = pattern.column[k];
      if (std::any_of(boxes.begin(), boxes.end(),
                      [&](const Box &box) { return isIn(box, at); }))
        continue;
      first = k;
      break;
    }
  }
  return firstOfAll(transport, indices, first, index);
}

bool areSame(Transport &transport, const Pattern &a, const Pattern &b) {
  if (&a == &b)
    return true;
  int32_t same = sameIndices(a, b);
  reduce(transport, &same, ZRT_I32, ZRT_MIN);
  return same != 0;
}

} // namespace zrt
