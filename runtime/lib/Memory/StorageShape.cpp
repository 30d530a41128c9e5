//===- StorageShape.cpp - How an array lies in memory ---------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The stored positions in row-major order, with two adjustments to each pitch
// but the innermost. For doubles over [0..1001, 0..1001] on one processor:
//
//     row        1002 * 8 = 8016 bytes
//     padded     8064, whole cache lines: every row starts like the first one
//     start      56, so that element (0, 1), where stencils begin, is aligned
//
// 1. Rows (planes, ...) are padded to 64 bytes.
// 2. A pitch that is then a multiple of 4096 gets another 64: such rows fall
//    into the same sets of the first cache, and a load after a store to an
//    equal page offset waits for it.
// Both only if the padding adds at most 1/16 to the pitch, so never for the
// rows of [1..n, 1..3]. Pitches stay multiples of the element's size: rows of
// records of 24 bytes are padded in steps of 192. A pitch follows from the
// extents of the later dimensions alone, so processors that store the same
// inner dimensions have the same pitches, which is what Transfer relies on when
// it merges rows.
//
//===----------------------------------------------------------------------===//

#include "Memory/StorageShape.h"

#include "Support/Rounding.h"

#include <algorithm>

namespace zrt {

static constexpr int64_t CacheLine = 64;
static constexpr int64_t PageOffset = 4096;

Box storedBox(const Box &declared, const Box &own, const zrt_fluff *fluff) {
  if (isEmpty(own))
    return emptyBox(declared.rank);
  Box reach = own;
  for (int d = 0; d < own.rank && fluff; ++d) {
    reach.dim[d].lo -= fluff->below[d];
    reach.dim[d].hi += fluff->above[d];
  }
  Box stored = intersect(reach, declared);
  return isEmpty(stored) ? emptyBox(declared.rank) : stored;
}

/// The pitch of things of \p bytes that follow each other, a multiple of
/// \p unit.
static int64_t paddedPitch(int64_t bytes, int64_t unit) {
  int64_t padded = roundUp(bytes, unit);
  if (padded % PageOffset == 0)
    padded += unit;
  return padded - bytes <= bytes / 16 ? padded : bytes;
}

bool planStorage(const Box &stored, int64_t elementSize, int64_t aligned,
                 int floods, StorageShape &shape) {
  shape = StorageShape();
  shape.stored = stored;
  if (isEmpty(stored))
    return true;
  constexpr int64_t Most = IndexLimit; // leaves room for the roundings
  int64_t bytes = elementSize;
  // Cache lines and elements both divide a padded pitch. An element as large
  // as half the memory would make this overflow; its rows are not padded.
  bool small = 0 < elementSize && elementSize < Most / CacheLine;
  int64_t common = std::min(CacheLine, elementSize & -elementSize);
  int64_t unit = small ? CacheLine / common * elementSize : 1;
  for (int d = stored.rank - 1; d >= 0; --d) {
    if (floods >> d & 1)
      continue;
    shape.pitch[d] = bytes;
    if (__builtin_mul_overflow(bytes, size(stored.dim[d]), &bytes) ||
        bytes > Most)
      return false;
    if (d > 0 && small)
      bytes = paddedPitch(bytes, unit);
  }
  Range last = rangeOf(stored.dim[stored.rank - 1]);
  if (last.lo <= aligned && aligned <= last.hi)
    shape.start = roundUp((aligned - last.lo) * elementSize, CacheLine) -
                  (aligned - last.lo) * elementSize;
  shape.bytes = roundUp(shape.start + bytes, CacheLine);
  return true;
}

} // namespace zrt
