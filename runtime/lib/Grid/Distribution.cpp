//===- Distribution.cpp - Who owns which indices of a rank ----------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A distribution is one BlockCut per dimension, [1..8, 1..6] over 2 x 2:
//
//     processor 0: 1..4, 1..3    processor 1: 1..4, 4..6
//     processor 2: 5..8, 1..3    processor 3: 5..8, 4..6
//
// The owners of a box are a product of grid coordinates. Along a dimension they
// lie between the owners of the first and the last index; of a sequence with a
// stride some in between may own none. So finding them costs two divisions per
// dimension and then one step per owner, whatever the number of processors.
//
// A row that is flooded, [1..8, *], is stored by every processor, its part of
// 1..8: to processor 1 above the owners of all of it are 1 and 3, the
// processors at its own place in dimension 2.
//
//===----------------------------------------------------------------------===//

#include "Grid/Distribution.h"

namespace zrt {

Distribution::Distribution(const ProcessGrid &grid, const Box &bounds)
    : grid(grid) {
  for (int d = 0; d < grid.rank; ++d)
    cut[d] = {rangeOf(bounds.dim[d]), grid.extent[d]};
}

Box Distribution::own(int processor, int floods) const {
  int coordinate[ZRT_MAX_RANK];
  grid.coordinates(processor, coordinate);
  Box box;
  box.rank = grid.rank;
  for (int d = 0; d < grid.rank; ++d)
    box.dim[d] = floods >> d & 1 ? Seq{-IndexLimit, IndexLimit, 1}
                                 : seqOf(cut[d].own(coordinate[d]));
  return isEmpty(box) ? emptyBox(grid.rank) : box;
}

/// The parts of \p cut that own an index of \p seq, which has one.
static std::vector<int> partsOf(const BlockCut &cut, const Seq &seq) {
  std::vector<int> parts;
  int64_t last = cut.owner(seq.hi);
  for (int64_t part = cut.owner(seq.lo); part <= last; ++part)
    if ((seq.stride == 1 && cut.points.empty()) ||
        !isEmpty(intersect(seq, cut.own(part))))
      parts.push_back(static_cast<int>(part));
  return parts;
}

/// The places \p seq, of stride 1.
static std::vector<int> placesIn(const Seq &seq) {
  std::vector<int> places;
  for (int64_t place = seq.lo; place <= seq.hi; ++place)
    places.push_back(static_cast<int>(place));
  return places;
}

std::vector<int> Distribution::owners(const Box &box, int floods, int self,
                                      int grids) const {
  std::vector<int> result;
  if (isEmpty(box))
    return result;
  int place[ZRT_MAX_RANK], coordinate[ZRT_MAX_RANK];
  size_t at[ZRT_MAX_RANK] = {};
  std::vector<int> parts[ZRT_MAX_RANK];
  grid.coordinates(self, place);
  for (int d = 0; d < grid.rank; ++d) {
    parts[d] = grids >> d & 1    ? placesIn(box.dim[d])
               : floods >> d & 1 ? std::vector<int>{place[d]}
                                 : partsOf(cut[d], box.dim[d]);
    coordinate[d] = parts[d][0];
  }
  while (true) {
    result.push_back(grid.processor(coordinate));
    int d = grid.rank - 1;
    for (; d >= 0 && at[d] + 1 == parts[d].size(); --d)
      coordinate[d] = parts[d][at[d] = 0];
    if (d < 0)
      return result;
    coordinate[d] = parts[d][++at[d]];
  }
}

bool Distribution::crosses(const int64_t *direction, int floods) const {
  for (int d = 0; d < grid.rank; ++d)
    if (distributed(d) && direction[d] != 0 && !(floods >> d & 1))
      return true;
  return false;
}

} // namespace zrt
