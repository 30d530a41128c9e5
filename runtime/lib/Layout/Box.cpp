//===- Box.cpp - Ranges, sequences and boxes of indices -------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Index sets as the runtime computes with them: products of sequences. All of
// it is exact arithmetic on 64-bit bounds and takes a few nanoseconds; nothing
// here depends on processors or memory.
//
// Sequences are kept in normal form, so that equal sets are equal structures:
// [1..10] by [4] is 1..9 by 4, and 1..4 by 4 is 1..1.
//
// Two sequences of different strides meet in a sequence again (the Chinese
// remainder theorem): with g the greatest common divisor of the strides s and
// t, there is a common index if and only if g divides the distance of the low
// ends, and the common ones are lcm(s, t) apart. 1..100 by 6 and 3..90 by 4:
// g = 2 divides 2, the first is 7, then 19, 31, ...
//
// Joining: the fluff that a five-point stencil needs from one neighbour is one
// box; a nine-point stencil asks the same neighbour for
//
//     A@n [1..8] -> row 8, columns 1..8      A@ne -> row 8, columns 2..8
//
// and joining leaves one box. Pairs are tried until none can be joined. With b
// boxes that is O(b^3) comparisons at worst; b is the number of directions of
// one array in one transfer, so seldom above ten.
//
// Covering: what the first of the boxes leaves of the wanted one is cut into at
// most two slabs per dimension, each of which the other boxes must cover.
//
//===----------------------------------------------------------------------===//

#include "Layout/Box.h"

#include "Support/Rounding.h"

#include <numeric>
#include <utility>

namespace zrt {

/// \p s in normal form, given that its ends are indices unless it is empty.
static Seq normalized(Seq s) {
  if (isEmpty(s))
    return EmptySeq;
  if (s.lo == s.hi)
    s.stride = 1;
  return s;
}

Seq seqOf(Range bounds, int64_t stride, int64_t member) {
  if (isEmpty(bounds))
    return EmptySeq;
  // Each side is reduced before they are subtracted: bounds may be at
  // IndexLimit.
  int64_t residue = modulo(member, stride);
  int64_t up = modulo(residue - modulo(bounds.lo, stride), stride);
  int64_t down = modulo(modulo(bounds.hi, stride) - residue, stride);
  return normalized({bounds.lo + up, bounds.hi - down, stride});
}

/// The inverse of \p a modulo \p m, which have no common divisor.
static int64_t inverse(int64_t a, int64_t m) {
  int64_t r = m, next = modulo(a, m), x = 0, nextX = 1;
  while (next != 0) {
    int64_t quotient = r / next;
    r = std::exchange(next, r - quotient * next);
    x = std::exchange(nextX, x - quotient * nextX);
  }
  return modulo(x, m);
}

Seq intersect(const Seq &a, const Seq &b) {
  if (b.stride == 1)
    return intersect(a, rangeOf(b));
  if (a.stride == 1)
    return intersect(b, rangeOf(a));
  Range bounds = intersect(rangeOf(a), rangeOf(b));
  int64_t g = std::gcd(a.stride, b.stride);
  int64_t distance = b.lo - a.lo;
  if (isEmpty(bounds) || distance % g != 0)
    return EmptySeq;
  // a.lo + k * a.stride is in b when k * (a.stride / g) = distance / g modulo
  // b.stride / g.
  int64_t m = b.stride / g;
  __int128 k = static_cast<__int128>(modulo(distance / g, m)) *
               inverse(a.stride / g, m) % m;
  __int128 stride = static_cast<__int128>(a.stride) * m;
  __int128 first = a.lo + k * a.stride;
  if (first < bounds.lo)
    first += (bounds.lo - first + stride - 1) / stride * stride;
  if (first > bounds.hi)
    return EmptySeq;
  __int128 last = first + (bounds.hi - first) / stride * stride;
  if (first == last)
    stride = 1;
  return {static_cast<int64_t>(first), static_cast<int64_t>(last),
          static_cast<int64_t>(stride)};
}

bool contains(const Seq &outer, const Seq &inner) {
  if (isEmpty(inner))
    return true;
  if (inner.lo < outer.lo || outer.hi < inner.hi)
    return false;
  return outer.stride == 1 ||
         ((inner.lo - outer.lo) % outer.stride == 0 &&
          (inner.lo == inner.hi || inner.stride % outer.stride == 0));
}

/// The distance of neighbours, 0 if there is only one index.
static int64_t step(const Seq &s) { return s.lo == s.hi ? 0 : s.stride; }

Seq hull(const Seq &a, const Seq &b) {
  if (isEmpty(a))
    return b;
  if (isEmpty(b))
    return a;
  int64_t stride = std::gcd(std::gcd(step(a), step(b)), b.lo - a.lo);
  return normalized({std::min(a.lo, b.lo), std::max(a.hi, b.hi), stride});
}

Box makeBox(int rank, const Range *dim) {
  Box box;
  box.rank = rank;
  for (int d = 0; d < rank; ++d)
    box.dim[d] = seqOf(dim[d]);
  return box;
}

Box boxOf(const zrt_region &region) {
  Box box;
  box.rank = region.rank;
  for (int d = 0; d < box.rank; ++d)
    box.dim[d] = seqOf(region.dim[d]);
  return flooded(box, region.floods);
}

Box emptyBox(int rank) {
  Box box;
  box.rank = rank;
  return box;
}

bool isEmpty(const Box &box) {
  for (int d = 0; d < box.rank; ++d)
    if (isEmpty(box.dim[d]))
      return true;
  return false;
}

int64_t size(const Box &box) {
  int64_t n = 1;
  for (int d = 0; d < box.rank; ++d)
    n *= size(box.dim[d]);
  return n;
}

Box intersect(const Box &a, const Box &b) {
  Box result = a;
  for (int d = 0; d < a.rank; ++d)
    result.dim[d] = intersect(a.dim[d], b.dim[d]);
  return result;
}

Box shift(const Box &box, const int64_t *distance, int sign) {
  Box result = box;
  for (int d = 0; d < box.rank; ++d)
    result.dim[d] = shift(box.dim[d], sign * distance[d]);
  return result;
}

Box flooded(const Box &box, int floods) {
  Box result = box;
  for (int d = 0; d < box.rank; ++d)
    if (floods >> d & 1)
      result.dim[d] = {0, 0, 1};
  return result;
}

bool contains(const Box &outer, const Box &inner) {
  if (isEmpty(inner))
    return true;
  for (int d = 0; d < inner.rank; ++d)
    if (!contains(outer.dim[d], inner.dim[d]))
      return false;
  return true;
}

bool operator==(const Box &a, const Box &b) {
  return a.rank == b.rank && contains(a, b) && contains(b, a);
}

Box hull(const Box &a, const Box &b) {
  if (isEmpty(a))
    return b;
  if (isEmpty(b))
    return a;
  Box result = a;
  for (int d = 0; d < a.rank; ++d)
    result.dim[d] = hull(a.dim[d], b.dim[d]);
  return result;
}

/// True if the union of two sequences is their hull.
static bool joinsIntoSeq(const Seq &a, const Seq &b) {
  return size(hull(a, b)) == size(a) + size(b) - size(intersect(a, b));
}

/// True if the union of two non-empty boxes is their hull: one contains the
/// other, or they differ in one dimension, in which that is so.
static bool joinsIntoBox(const Box &a, const Box &b) {
  if (contains(a, b) || contains(b, a))
    return true;
  int differing = 0;
  for (int d = 0; d < a.rank; ++d) {
    if (a.dim[d] == b.dim[d])
      continue;
    if (!joinsIntoSeq(a.dim[d], b.dim[d]))
      return false;
    ++differing;
  }
  return differing == 1;
}

/// Joins one pair of boxes; false if there is none.
static bool joinOnePair(std::vector<Box> &boxes) {
  for (size_t i = 0; i < boxes.size(); ++i)
    for (size_t j = i + 1; j < boxes.size(); ++j)
      if (joinsIntoBox(boxes[i], boxes[j])) {
        boxes[i] = hull(boxes[i], boxes[j]);
        boxes.erase(boxes.begin() + j);
        return true;
      }
  return false;
}

void joinBoxes(std::vector<Box> &boxes) {
  std::erase_if(boxes, [](const Box &box) { return isEmpty(box); });
  while (joinOnePair(boxes)) {
  }
}

void cutOff(const Box &box, const Box &other, std::vector<Box> &rest) {
  Box inside = intersect(box, other);
  for (int d = 0; d < box.rank; ++d)
    if (isEmpty(inside) || (inside.dim[d].stride != box.dim[d].stride &&
                            size(inside.dim[d]) > 1)) {
      rest.push_back(box);
      return;
    }
  Box left = box;
  for (int d = 0; d < box.rank; ++d) {
    const Seq whole = left.dim[d], common = inside.dim[d];
    for (Range beside :
         {Range{whole.lo, common.lo - 1}, Range{common.hi + 1, whole.hi}}) {
      left.dim[d] = intersect(whole, beside);
      if (!isEmpty(left.dim[d]))
        rest.push_back(left);
    }
    left.dim[d] = common;
  }
}

/// Whether the \p count regions cover what \p common leaves of \p box, of which
/// it is a part.
static bool isRestCovered(Box box, const Box &common, const zrt_region *regions,
                          int64_t count) {
  // Cut off what lies beside the common part, one dimension after the other.
  for (int d = 0; d < box.rank; ++d) {
    const Seq whole = box.dim[d], inside = common.dim[d];
    if (inside.stride != whole.stride && size(inside) > 1)
      return false; // in the gaps of this region, so in those of all
    for (Range beside :
         {Range{whole.lo, inside.lo - 1}, Range{inside.hi + 1, whole.hi}}) {
      box.dim[d] = intersect(whole, beside);
      if (isEmpty(box.dim[d]))
        continue;
      if (count == 0 || !isCovered(box, regions[0], regions + 1, count - 1))
        return false;
    }
    box.dim[d] = inside;
  }
  return true;
}

bool isCovered(const Box &box, const zrt_region &first,
               const zrt_region *others, int64_t count) {
  if (isEmpty(box))
    return true;
  Box common = intersect(box, boxOf(first));
  if (!isEmpty(common))
    return isRestCovered(box, common, others, count);
  return count > 0 && isCovered(box, others[0], others + 1, count - 1);
}

std::string toString(const Box &box, int singletons, int floods, int grids) {
  std::string text = "[";
  for (int d = 0; d < box.rank; ++d) {
    const Seq &seq = box.dim[d];
    if (d != 0)
      text += ", ";
    if (floods >> d & 1) {
      text += grids >> d & 1 ? "::" : "*";
      continue;
    }
    text += std::to_string(seq.lo);
    if (!(singletons >> d & 1))
      text += ".." + std::to_string(seq.hi);
    if (seq.stride != 1)
      text += " by " + std::to_string(seq.stride);
  }
  return text + "]";
}

std::string toString(const zrt_region &region) {
  Box box = boxOf(region);
  for (int d = 0; d < box.rank; ++d)
    if (isEmpty(box.dim[d]))
      box.dim[d] = {region.dim[d].lo, region.dim[d].hi, region.dim[d].stride};
  return toString(box, region.singletons, region.floods, region.grids);
}

} // namespace zrt
