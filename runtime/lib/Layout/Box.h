//===- Box.h - Ranges and boxes of indices ----------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_LAYOUT_BOX_H
#define ZRT_LAYOUT_BOX_H

#include "zrt/Abi.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace zrt {

using Range = zrt_range;

/// Own ranges at the edge of the grid end here: beyond every index and every
/// index moved by a direction, and far enough from the limits of 64 bits that
/// sums of the two do not overflow.
inline constexpr int64_t IndexLimit = int64_t(1) << 62;

/// The range that stays empty whatever it is intersected with.
inline constexpr Range EmptyRange = {0, -1};

inline bool isEmpty(Range r) { return r.lo > r.hi; }

/// Number of indices; the bounds are at most IndexLimit / 2 apart from zero.
inline int64_t size(Range r) { return isEmpty(r) ? 0 : r.hi - r.lo + 1; }

inline Range intersect(Range a, Range b) {
  return {std::max(a.lo, b.lo), std::min(a.hi, b.hi)};
}

inline Range shift(Range r, int64_t distance) {
  return {r.lo + distance, r.hi + distance};
}

inline bool operator==(Range a, Range b) {
  return (isEmpty(a) && isEmpty(b)) || (a.lo == b.lo && a.hi == b.hi);
}

/// True if every index of \p inner is one of \p outer.
inline bool contains(Range outer, Range inner) {
  return isEmpty(inner) || (outer.lo <= inner.lo && inner.hi <= outer.hi);
}

/// The product of ranges: an index set of `rank` dimensions, the last one
/// varying fastest in row-major order.
struct Box {
  int rank = 0;
  Range dim[ZRT_MAX_RANK] = {};
};

/// The index set of a region of the program.
Box boxOf(const zrt_region &region);
Box makeBox(int rank, const Range *dim);

/// A box without an index.
Box emptyBox(int rank);

bool isEmpty(const Box &box);

/// Number of indices; the caller knows that it fits 64 bits.
int64_t size(const Box &box);

Box intersect(const Box &a, const Box &b);

/// \p sign times \p distance is added to every index.
Box shift(const Box &box, const int64_t *distance, int sign = 1);

bool contains(const Box &outer, const Box &inner);
bool operator==(const Box &a, const Box &b);

/// The smallest box that holds both; an empty one adds nothing.
Box hull(const Box &a, const Box &b);

/// Makes the union of \p boxes out of fewer of them where that is simple: one
/// inside another is dropped, two whose union is a box become that box. The
/// result depends only on the list, in order.
void joinBoxes(std::vector<Box> &boxes);

/// `[1..8, 5]`: bit d of \p singletons asks for the short form of dimension d.
std::string toString(const Box &box, int singletons = 0);

} // namespace zrt

#endif // ZRT_LAYOUT_BOX_H
