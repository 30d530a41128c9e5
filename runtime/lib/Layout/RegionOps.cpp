//===- RegionOps.cpp - Operators on regions -------------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The formulas of language 6 on (lo, hi, stride, align), dimension by
// dimension. Bounds stay as they are written, so that `[1..10] by [2]` and its
// border `[2] of` that, 11..12, find their indices from the alignment:
//
//     (1, 10, 1, 0)   by  2   (1, 10, 2, 1)    1 3 5 7 9
//                     by -2   (1, 10, 2, 0)    2 4 6 8 10
//     (1, 10, 2, 1)   2 of    (11, 12, 2, 1)   11
//
//===----------------------------------------------------------------------===//

#include "Layout/RegionOps.h"

#include "Layout/Box.h"
#include "Support/Rounding.h"

namespace zrt {

zrt_region regionBy(const zrt_region &region, const int64_t *direction) {
  zrt_region result = region;
  for (int d = 0; d < region.rank; ++d) {
    zrt_dim &dim = result.dim[d];
    bool isKept = (region.singletons | region.floods) >> d & 1;
    if (direction[d] == 0 || isKept)
      continue;
    int64_t first = direction[d] > 0
                        ? dim.lo + modulo(dim.align - dim.lo, dim.stride)
                        : dim.hi - modulo(dim.hi - dim.align, dim.stride);
    // A stride that is no integer is found when the region is checked.
    if (__builtin_mul_overflow(dim.stride, std::abs(direction[d]),
                               &dim.stride) ||
        dim.stride > IndexLimit)
      dim.stride = IndexLimit;
    dim.align = modulo(first, dim.stride);
  }
  return result;
}

zrt_region regionOf(const int64_t *direction, const zrt_region &region) {
  zrt_region result = region;
  for (int d = 0; d < region.rank; ++d) {
    zrt_dim &dim = result.dim[d];
    if (direction[d] < 0) {
      dim.hi = dim.lo - 1;
      dim.lo += direction[d];
    } else if (direction[d] > 0) {
      dim.lo = dim.hi + 1;
      dim.hi += direction[d];
    }
    if (direction[d] != 0)
      result.singletons &= ~(1 << d);
  }
  return result;
}

} // namespace zrt
