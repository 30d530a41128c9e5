//===- BlockCut.cpp - One dimension cut into blocks -----------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Ownership along one dimension. The 10 indices 1..10 over 4 parts:
//
//     part     0        1       2      3
//     block    1..3     4..6    7..8   9..10
//     own      -2^62..3 4..6    7..8   9..2^62
//
// n = parts * small + larger: the first `larger` parts get small + 1 indices
// and all others `small`. That choice, against rounding n*part/parts, puts all
// parts without a block at the end, so that owners are consecutive numbers and
// neighbouring blocks have neighbouring owners. Both directions, block and
// owner, take at most two divisions.
//
//===----------------------------------------------------------------------===//

#include "Layout/BlockCut.h"

namespace zrt {

/// The block of \p part between cut points.
static Range blockBetween(const std::vector<int64_t> &points, int64_t part) {
  auto at = points.begin() + part;
  return at[0] == at[1] ? EmptyRange : Range{at[0] + 1, at[1]};
}

/// The owner of \p index by cut points that are not all the same. Those before
/// the first and after the last one belong to the first and the last block.
static int64_t ownerBetween(const std::vector<int64_t> &points, int64_t index) {
  index = std::clamp(index, points.front() + 1, points.back());
  return std::lower_bound(points.begin() + 1, points.end(), index) -
         points.begin() - 1;
}

Range BlockCut::block(int64_t part) const {
  if (!points.empty())
    return blockBetween(points, part);
  int64_t n = size(bounds);
  int64_t small = n / parts, larger = n % parts;
  int64_t first = bounds.lo + part * small + std::min(part, larger);
  int64_t count = small + (part < larger ? 1 : 0);
  return count == 0 ? EmptyRange : Range{first, first + count - 1};
}

Range BlockCut::own(int64_t part) const {
  if (!points.empty() && !isEmpty(bounds)) {
    Range result = blockBetween(points, part);
    if (isEmpty(result))
      return EmptyRange;
    return {result.lo == bounds.lo ? -IndexLimit : result.lo,
            result.hi == bounds.hi ? IndexLimit : result.hi};
  }
  int64_t lastOwner = std::max<int64_t>(std::min(size(bounds), parts) - 1, 0);
  if (part > lastOwner)
    return EmptyRange;
  Range result = block(part);
  if (part == 0)
    result.lo = -IndexLimit;
  if (part == lastOwner)
    result.hi = IndexLimit;
  return result;
}

int64_t BlockCut::owner(int64_t index) const {
  int64_t n = size(bounds);
  if (n == 0)
    return 0;
  if (!points.empty())
    return ownerBetween(points, index);
  int64_t offset = std::clamp(index, bounds.lo, bounds.hi) - bounds.lo;
  int64_t small = n / parts, larger = n % parts;
  int64_t inLarger = larger * (small + 1);
  if (offset < inLarger)
    return offset / (small + 1);
  return larger + (offset - inLarger) / small;
}

} // namespace zrt
