//===- Pieces.h - A block in boxes ------------------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_TRANSFER_PIECES_H
#define ZRT_TRANSFER_PIECES_H

#include "Grid/Distribution.h"
#include "Layout/Box.h"
#include "Transport/Transport.h"

namespace zrt {

/// How far something reads beyond a block, in indices, against and along each
/// dimension; never negative.
struct Reach {
  int64_t below[ZRT_MAX_RANK] = {};
  int64_t above[ZRT_MAX_RANK] = {};
  /// Where blocks at the edge of the grid begin and end, if they read what is
  /// at the other edge; else nothing is read beyond them.
  Range wrapped[ZRT_MAX_RANK];

  Reach() {
    std::fill_n(wrapped, ZRT_MAX_RANK, Range{-IndexLimit, IndexLimit});
  }

  /// As far as \p direction leads from indices of \p region, where blocks have
  /// neighbours; not in the dimensions of \p floods.
  void add(const Distribution &distribution, const zrt_region &region,
           int floods, const int64_t *direction);
};

/// Whether it pays to compute while these are under way: some of it comes from
/// far away, or ZRT_INTERIOR says so.
bool travel(const Transport &transport, const std::vector<Pair> &pairs);

/// The boxes in which a loop goes through its processor's block: the interior,
/// whose indices read nothing beyond the block, and the slabs around it; or the
/// block.
///
///     begin(0..9 x 0..9)  leaveOut({1, 1}, {1, 1})  cut():
///     1..8 x 1..8;  0 x 0..9,  9 x 0..9,  1..8 x 0,  1..8 x 9
///
/// Slabs of the first dimensions go from edge to edge: rows stay whole.
class Pieces {
public:
  void begin(const zrt_domain &own, int rank);
  /// Takes from the interior what reads beyond the block.
  void leaveOut(const Reach &reach);
  /// Makes the boxes; the block itself is the only one if the interior would be
  /// empty or nothing was left out.
  void cut();

  int size() const { return count; }
  /// The box \p number, or null after the last one.
  const zrt_domain *find(int number) const {
    return number < count ? &boxes[number] : nullptr;
  }

private:
  zrt_domain block = {}, interior = {};
  int rank = 0;
  zrt_domain boxes[2 * ZRT_MAX_RANK + 1] = {};
  int count = 0;
};

} // namespace zrt

#endif // ZRT_TRANSFER_PIECES_H
