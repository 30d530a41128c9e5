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
// The owners of a box are a box of grid coordinates, since owners along a
// dimension are consecutive. So finding them costs two divisions per dimension
// and then one step per owner, whatever the number of processors.
//
//===----------------------------------------------------------------------===//

#include "Grid/Distribution.h"

namespace zrt {

Distribution::Distribution(const ProcessGrid &grid, const Box &bounds)
    : grid(grid) {
  for (int d = 0; d < grid.rank; ++d)
    cut[d] = {bounds.dim[d], grid.extent[d]};
}

Box Distribution::own(int processor) const {
  int coordinate[ZRT_MAX_RANK];
  grid.coordinates(processor, coordinate);
  Box box;
  box.rank = grid.rank;
  for (int d = 0; d < grid.rank; ++d)
    box.dim[d] = cut[d].own(coordinate[d]);
  return isEmpty(box) ? emptyBox(grid.rank) : box;
}

std::vector<int> Distribution::owners(const Box &box) const {
  std::vector<int> result;
  if (isEmpty(box))
    return result;
  int first[ZRT_MAX_RANK], last[ZRT_MAX_RANK], at[ZRT_MAX_RANK];
  for (int d = 0; d < grid.rank; ++d) {
    at[d] = first[d] = static_cast<int>(cut[d].owner(box.dim[d].lo));
    last[d] = static_cast<int>(cut[d].owner(box.dim[d].hi));
  }
  while (true) {
    result.push_back(grid.processor(at));
    int d = grid.rank - 1;
    while (d >= 0 && at[d] == last[d]) {
      at[d] = first[d];
      --d;
    }
    if (d < 0)
      return result;
    ++at[d];
  }
}

bool Distribution::crosses(const int64_t *direction) const {
  for (int d = 0; d < grid.rank; ++d)
    if (distributed(d) && direction[d] != 0)
      return true;
  return false;
}

} // namespace zrt
