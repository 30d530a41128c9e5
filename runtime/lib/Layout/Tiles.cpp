//===- Tiles.cpp - A box in pieces that stay in the cache -----------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Loops over U by [2,2] and over that moved by [-1,-1], 1000 x 1000 doubles:
//
//     128 KB / 8 bytes   16384 indices, 16 whole rows: the first tile is
//                        0..15 x 0..999, the next one 16..31 x 0..999
//
// From the last dimension on each takes what the budget allows beside one step,
// of the largest stride, of those before it, in whole steps; so rows are cut
// last. Tiles lie on the processor's part of the smallest box around all
// regions, and follow each other row-major.
//
// Cost: a few comparisons per dimension and tile.
//
//===----------------------------------------------------------------------===//

#include "Layout/Tiles.h"

#include "Machine/RunFigures.h"

#include <algorithm>
#include <numeric>

using namespace zrt;

/// `tileBytes` is what the arrays of a tile may take: much less than a second cache, of which
/// other arrays and the lines that are fetched ahead need some, and enough that
/// it does not matter what a loop does before its first index.
///
/// `apartBytes` is the same, but that rows stay whole, for boxes of more than `apartFrom`
/// whose loops store every second row, say, and read no other: the sooner the
/// loops of the rows between follow, the more their memory comes in order, for
/// which processors fetch ahead. Measured (Zen 4, the eight loops of an
/// interpolation, seconds by kilobytes):
///
///             128     64     32     24     16     12
///     256^3  0.127  0.136  0.122  0.103  0.094          rows of 4 KB
///     128^3  0.159  0.149  0.171  0.163  0.135  0.111   rows of 2 KB
///      64^3  0.094  0.099  0.099  0.088  0.100  0.106   all in the cache
///
/// Where loops read the rows between, small tiles lose: red-black relaxation of
/// 2000 x 2000, 0.363 with 128, 0.422 with 32.
void Tiles::begin(const zrt_domain &own, const zrt_region *const *regions,
                  int64_t count, int64_t bytes, bool isApart) {
  rank = regions[0]->rank;
  isAtEnd = false;
  int64_t stride[ZRT_MAX_RANK];
  for (int d = 0; d < rank; ++d) {
    zrt_range &range = whole.own[d];
    range = {INT64_MAX, INT64_MIN};
    stride[d] = 1;
    for (int64_t k = 0; k < count; ++k) {
      const zrt_dim &dim = regions[k]->dim[d];
      range.lo = std::min(range.lo, dim.lo);
      range.hi = std::max(range.hi, dim.hi);
      stride[d] = std::max(stride[d], dim.stride);
    }
    range = {std::max(range.lo, own.own[d].lo),
             std::min(range.hi, own.own[d].hi)};
    isAtEnd |= range.lo > range.hi;
  }
  if (isAtEnd)
    return;
  // Dimension by dimension from the last one on, what the budget allows beside
  // one step of those before it.
  int64_t size = std::max<int64_t>(bytes, 1), taken = 1;
  bool fits = true;
  const RunFigures &figures = runFigures();
  int64_t room = int64_t(figures.apartFrom) / size;
  for (int d = 0; d < rank; ++d) {
    extent[d] = whole.own[d].hi - whole.own[d].lo + 1;
    stride[d] = std::min({stride[d], extent[d], int64_t(16)});
    taken *= stride[d];
    fits &= extent[d] <= room;
    room /= extent[d];
  }
  for (int d = rank - 1; d >= 0; --d) {
    auto most = int64_t(isApart && !fits && d != rank - 1 ? figures.apartBytes
                                                          : figures.tileBytes);
    int64_t budget = most / size;
    taken /= stride[d];
    int64_t fitting = std::max(budget / taken, stride[d]);
    extent[d] = std::min(fitting - fitting % stride[d], extent[d]);
    taken *= extent[d];
    tile.own[d].lo = whole.own[d].lo;
  }
  tile.own[rank - 1].lo -= extent[rank - 1]; // next() adds it
}

const zrt_domain *Tiles::next() {
  for (int d = rank - 1; d >= 0 && !isAtEnd; --d) {
    zrt_range &range = tile.own[d];
    range.lo += extent[d];
    if (range.lo <= whole.own[d].hi) {
      for (int k = 0; k < rank; ++k)
        tile.own[k].hi =
            std::min(tile.own[k].lo + extent[k] - 1, whole.own[k].hi);
      return &tile;
    }
    range.lo = whole.own[d].lo;
  }
  isAtEnd = true;
  return nullptr;
}

/// Whether no number is in both ranges, or strides keep them apart.
static bool areApart(const zrt_dim &a, const zrt_dim &b) {
  if (std::max(a.lo, b.lo) > std::min(a.hi, b.hi))
    return true;
  int64_t common =
      a.stride == b.stride ? a.stride : std::gcd(a.stride, b.stride);
  return common > 1 && (a.align - b.align) % common != 0;
}

bool zrt::areDisjoint(const zrt_region *const *regions, int64_t count) {
  for (int64_t i = 1; i < count; ++i)
    for (int64_t j = 0; j < i; ++j) {
      int d = 0;
      while (d < regions[i]->rank &&
             !areApart(regions[i]->dim[d], regions[j]->dim[d]))
        ++d;
      if (d == regions[i]->rank)
        return false;
    }
  return true;
}
