//===- HandRegions.h - Regions of hand-written programs ---------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Regions with strides and flooded dimensions as the compiler makes them, and
/// loops over them as it would generate them, from nothing but zrt/Abi.h.
///
//===----------------------------------------------------------------------===//

#ifndef ZRT_TEST_HANDREGIONS_H
#define ZRT_TEST_HANDREGIONS_H

#include "zrt/Abi.h"

#include <algorithm>
#include <initializer_list>
#include <limits>

namespace hand {

constexpr zrt_dim range(int64_t lo, int64_t hi) { return {lo, hi, 1, 0}; }

/// lo..hi aligned to \p member modulo \p stride.
constexpr zrt_dim strided(int64_t lo, int64_t hi, int64_t stride,
                          int64_t member) {
  return {lo, hi, stride, ((member % stride) + stride) % stride};
}

/// A flooded dimension in the list of `region`.
inline constexpr zrt_dim Flood = {0, 0, 0, 0};

inline zrt_region region(std::initializer_list<zrt_dim> dims,
                         const char *name = nullptr) {
  zrt_region result = {};
  result.name = name;
  for (const zrt_dim &dim : dims) {
    if (dim.stride == 0)
      result.floods |= 1 << result.rank;
    result.dim[result.rank++] = dim.stride == 0 ? range(0, 0) : dim;
  }
  return result;
}

/// Whether \p index is one of the dimension's.
inline bool holds(const zrt_dim &dim, int64_t index) {
  return dim.lo <= index && index <= dim.hi &&
         (index - dim.align) % dim.stride == 0;
}

/// Whether \p index is one of the region's, whatever it is where that is
/// flooded.
inline bool holds(const zrt_region &region, const int64_t *index) {
  for (int d = 0; d < region.rank; ++d)
    if (!(region.floods >> d & 1) && !holds(region.dim[d], index[d]))
      return false;
  return true;
}

/// Calls \p body with the indices of \p region that lie in \p within, in
/// row-major order; 0 in flooded dimensions.
template <typename Body>
void forIndices(const zrt_region &region, const zrt_range *within, Body body) {
  int64_t first[ZRT_MAX_RANK], last[ZRT_MAX_RANK], index[ZRT_MAX_RANK];
  for (int d = 0; d < region.rank; ++d) {
    bool isFlooded = region.floods >> d & 1;
    first[d] = isFlooded ? 0 : std::max(region.dim[d].lo, within[d].lo);
    last[d] = isFlooded ? 0 : std::min(region.dim[d].hi, within[d].hi);
    while (first[d] <= last[d] && !holds(region.dim[d], first[d]))
      ++first[d];
    if (first[d] > last[d])
      return;
    index[d] = first[d];
  }
  while (true) {
    body(static_cast<const int64_t *>(index));
    int d = region.rank - 1;
    while (d >= 0 && index[d] + region.dim[d].stride > last[d]) {
      index[d] = first[d];
      --d;
    }
    if (d < 0)
      return;
    index[d] += region.dim[d].stride;
  }
}

/// All indices of \p region.
template <typename Body> void forAll(const zrt_region &region, Body body) {
  constexpr int64_t Most = std::numeric_limits<int64_t>::max() / 4;
  zrt_range all[ZRT_MAX_RANK];
  std::fill(all, all + ZRT_MAX_RANK, zrt_range{-Most, Most});
  forIndices(region, all, body);
}

/// Those that this processor owns.
template <typename Body> void forOwn(const zrt_region &region, Body body) {
  forIndices(region, zrtA_domain(region.rank)->own, body);
}

/// The element of \p array at \p index, where it is flooded at any.
inline char *addressOf(const zrt_array &array, const int64_t *index) {
  char *address = array.origin;
  for (int d = 0; d < array.region.rank; ++d) {
    const zrt_dim &dim = array.region.dim[d];
    address += (index[d] - dim.align) / dim.stride * array.pitch[d];
  }
  return address;
}

} // namespace hand

#endif // ZRT_TEST_HANDREGIONS_H
