//===- Box.cpp - Ranges and boxes of indices ------------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Index sets as the runtime computes with them: products of ranges. All of it
// is exact arithmetic on 64-bit bounds and takes a few nanoseconds; nothing
// here depends on processors or memory.
//
// Joining is the one algorithm. The fluff that a five-point stencil needs from
// one neighbour is one box; a nine-point stencil asks the same neighbour for
//
//     A@n [1..8] -> row 8, columns 1..8      A@ne -> row 8, columns 2..8
//
// and joining leaves one box. Pairs are tried until none can be joined. With b
// boxes that is O(b^3) comparisons at worst; b is the number of directions of
// one array in one transfer, so seldom above ten.
//
//===----------------------------------------------------------------------===//

#include "Layout/Box.h"

namespace zrt {

Box makeBox(int rank, const Range *dim) {
  Box box;
  box.rank = rank;
  std::copy(dim, dim + rank, box.dim);
  return box;
}

Box boxOf(const zrt_region &region) { return makeBox(region.rank, region.dim); }

Box emptyBox(int rank) {
  Box box;
  box.rank = rank;
  std::fill(box.dim, box.dim + rank, EmptyRange);
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
    result.dim[d] = {std::min(a.dim[d].lo, b.dim[d].lo),
                     std::max(a.dim[d].hi, b.dim[d].hi)};
  return result;
}

/// True if the union of two non-empty boxes is their hull: one contains the
/// other, or they differ in one dimension, in which they touch or overlap.
static bool joinsIntoBox(const Box &a, const Box &b) {
  if (contains(a, b) || contains(b, a))
    return true;
  int differing = 0;
  for (int d = 0; d < a.rank; ++d) {
    if (a.dim[d] == b.dim[d])
      continue;
    if (a.dim[d].lo > b.dim[d].hi + 1 || b.dim[d].lo > a.dim[d].hi + 1)
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

std::string toString(const Box &box, int singletons) {
  std::string text = "[";
  for (int d = 0; d < box.rank; ++d) {
    if (d != 0)
      text += ", ";
    text += std::to_string(box.dim[d].lo);
    if (!(singletons >> d & 1))
      text += ".." + std::to_string(box.dim[d].hi);
  }
  return text + "]";
}

} // namespace zrt
