//===- Box.h - Ranges, sequences and boxes of indices -----------*- C++ -*-===//
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

/// Consecutive numbers: an own block of indices, or positions.
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

/// The indices lo, lo + stride, ..., hi of one dimension, in normal form: both
/// ends are indices, and the stride is 1 where there is at most one. What makes
/// an empty one makes EmptySeq; any with lo > hi counts as empty.
struct Seq {
  int64_t lo = 0;
  int64_t hi = -1;
  int64_t stride = 1;
};

inline constexpr Seq EmptySeq = {};

inline bool isEmpty(const Seq &s) { return s.lo > s.hi; }

/// Number of indices; as that of a range.
inline int64_t size(const Seq &s) {
  if (isEmpty(s))
    return 0;
  return s.stride == 1 ? s.hi - s.lo + 1 : (s.hi - s.lo) / s.stride + 1;
}

/// The range as a sequence.
inline Seq seqOf(Range r) { return isEmpty(r) ? EmptySeq : Seq{r.lo, r.hi, 1}; }

/// The indices x of lo..hi with x = \p member (mod \p stride).
Seq seqOf(Range bounds, int64_t stride, int64_t member);

/// The indices of one dimension of a region.
inline Seq seqOf(const zrt_dim &dim) {
  Range bounds = {dim.lo, dim.hi};
  return dim.stride == 1 ? seqOf(bounds) : seqOf(bounds, dim.stride, dim.align);
}

/// From the first to the last index.
inline Range rangeOf(const Seq &s) { return {s.lo, s.hi}; }

inline Seq intersect(const Seq &s, Range r) {
  r = intersect(rangeOf(s), r);
  return s.stride == 1 ? seqOf(r) : seqOf(r, s.stride, s.lo);
}

/// Both strides may differ.
Seq intersect(const Seq &a, const Seq &b);

inline Seq shift(const Seq &s, int64_t distance) {
  return {s.lo + distance, s.hi + distance, s.stride};
}

inline bool operator==(const Seq &a, const Seq &b) {
  return (isEmpty(a) && isEmpty(b)) ||
         (a.lo == b.lo && a.hi == b.hi && a.stride == b.stride);
}

inline bool contains(const Seq &s, int64_t index) {
  return s.lo <= index && index <= s.hi && (index - s.lo) % s.stride == 0;
}

/// True if every index of \p inner is one of \p outer.
bool contains(const Seq &outer, const Seq &inner);

/// The smallest sequence that holds both.
Seq hull(const Seq &a, const Seq &b);

/// The positions that \p indices, which are all in the sequence that \p dim of
/// an array's region goes on in both directions, have there.
inline Seq positionsOf(const Seq &indices, const zrt_dim &dim) {
  if (dim.stride == 1 || isEmpty(indices))
    return indices;
  return {(indices.lo - dim.align) / dim.stride,
          (indices.hi - dim.align) / dim.stride,
          std::max<int64_t>(indices.stride / dim.stride, 1)};
}

/// The product of sequences: an index set of `rank` dimensions, the last one
/// varying fastest in row-major order.
struct Box {
  int rank = 0;
  Seq dim[ZRT_MAX_RANK] = {};
};

/// The index set of a region of the program. Flooded dimensions have the one
/// index 0.
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

/// \p box with the index 0 alone in the dimensions whose bits are set in
/// \p floods: what it is to an array that is flooded there.
Box flooded(const Box &box, int floods);

bool contains(const Box &outer, const Box &inner);
bool operator==(const Box &a, const Box &b);

/// The smallest box that holds both; an empty one adds nothing.
Box hull(const Box &a, const Box &b);

/// Makes the union of \p boxes out of fewer of them where that is simple: one
/// inside another is dropped, two whose union is a box become that box. The
/// result depends only on the list, in order.
void joinBoxes(std::vector<Box> &boxes);

/// Appends to \p rest boxes of the indices of \p box that are not in \p other,
/// each in one of them. Where \p other has only some indices of a range of
/// \p box it counts as empty.
void cutOff(const Box &box, const Box &other, std::vector<Box> &rest);

/// True if every index of \p box is one of \p first or of the \p count regions
/// \p others. In each dimension all of these have one stride and alignment.
bool isCovered(const Box &box, const zrt_region &first,
               const zrt_region *others, int64_t count);

/// `[1..8, 5, 1..9 by 2, *]`: bit d of \p singletons asks for the short form of
/// dimension d, bit d of \p floods for `*`, or `::` if it is in \p grids too.
std::string toString(const Box &box, int singletons = 0, int floods = 0,
                     int grids = 0);

/// The same of a region; in empty dimensions its bounds as they are.
std::string toString(const zrt_region &region);

} // namespace zrt

#endif // ZRT_LAYOUT_BOX_H
