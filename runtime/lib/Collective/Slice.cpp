//===- Slice.cpp - Processors that work together --------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Six processors in a grid of 2 x 3, and the slices of processor 4:
//
//     0 1 2      along dimension 1 (dims 0b01)   1 4
//     3 4 5      along dimension 2 (dims 0b10)   3 4 5
//                along both                      0 1 2 3 4 5
//
// Members are listed in row-major order, which is that of their numbers. A
// program asks for the same few slices at every collective, so they are kept;
// finding one again is a look into a small map, and that of all processors not
// even that.
//
//===----------------------------------------------------------------------===//

#include "Collective/Slice.h"

#include <numeric>

namespace zrt {

Slice everybody(const Transport &transport) {
  Slice slice;
  slice.members.resize(static_cast<size_t>(transport.size()));
  std::iota(slice.members.begin(), slice.members.end(), 0);
  slice.self = transport.rank();
  return slice;
}

Slice sliceOf(const ProcessGrid &grid, int processor, int dims) {
  int own[ZRT_MAX_RANK], at[ZRT_MAX_RANK];
  grid.coordinates(processor, own);
  auto moves = [&](int d) { return (dims >> d & 1) != 0; };
  for (int d = 0; d < grid.rank; ++d)
    at[d] = moves(d) ? 0 : own[d];
  Slice slice;
  while (true) {
    int member = grid.processor(at);
    if (member == processor)
      slice.self = slice.size();
    slice.members.push_back(member);
    int d = grid.rank - 1;
    while (d >= 0 && (!moves(d) || at[d] == grid.extent[d] - 1)) {
      at[d] = moves(d) ? 0 : own[d];
      --d;
    }
    if (d < 0)
      return slice;
    ++at[d];
  }
}

const Slice &SliceCache::all(const Transport &transport) {
  if (everyone.members.empty())
    everyone = everybody(transport);
  return everyone;
}

const Slice &SliceCache::along(const Transport &transport,
                               const ProcessGrid &grid, int dims) {
  std::vector<int> extents(grid.extent, grid.extent + grid.rank);
  auto [place, isNew] = slices.try_emplace({dims, std::move(extents)});
  if (isNew)
    place->second = sliceOf(grid, transport.rank(), dims);
  return place->second;
}

} // namespace zrt
