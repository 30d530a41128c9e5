//===- ColumnDirectory.cpp - The indices of a pattern by column -----------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compressed rows know the indices of a row, but to find those of a column,
//
//     [S] for j := 1 to n do
//       [ , j] x := +<< A;
//     end;
//
// means to look at all of them. The directory lists their positions column by
// column, four bytes each: those of a column are found by bisection, and they
// are in the order of the rows. (The dissertation, 6.4, links the elements of a
// column instead, beside those of a row.)
//
// Cost: of making it two visits of each index, where columns are not much more
// than indices, else sorting.
//
//===----------------------------------------------------------------------===//

#include "Sparse/ColumnDirectory.h"

#include <algorithm>
#include <numeric>

namespace zrt {

/// Fills \p positions by the columns, which go from \p low to low + \p extent - 1.
static void sortByCounting(const zrt_pattern &pattern, int32_t low,
                           int64_t extent, std::vector<int32_t> &positions) {
  std::vector<int32_t> next(static_cast<size_t>(extent) + 1);
  auto bucket = [&](int64_t k) {
    return static_cast<size_t>(int64_t(pattern.column[k]) - low);
  };
  for (int64_t k = 0; k < pattern.count; ++k)
    ++next[bucket(k) + 1];
  std::partial_sum(next.begin(), next.end(), next.begin());
  for (int64_t k = 0; k < pattern.count; ++k)
    positions[static_cast<size_t>(next[bucket(k)]++)] = static_cast<int32_t>(k);
}

ColumnDirectory::ColumnDirectory(const zrt_pattern &pattern)
    : pattern(pattern), positions(static_cast<size_t>(pattern.count)) {
  if (pattern.count == 0)
    return;
  auto [least, greatest] =
      std::minmax_element(pattern.column, pattern.column + pattern.count);
  int64_t extent = int64_t(*greatest) - *least + 1;
  if (extent <= 4 * pattern.count) {
    sortByCounting(pattern, *least, extent, positions);
    return;
  }
  std::iota(positions.begin(), positions.end(), 0);
  std::stable_sort(positions.begin(), positions.end(),
                   [&](int32_t a, int32_t b) {
                     return pattern.column[a] < pattern.column[b];
                   });
}

std::span<const int32_t> ColumnDirectory::positionsOf(int64_t column) const {
  auto begin = std::lower_bound(
      positions.begin(), positions.end(), column,
      [&](int32_t k, int64_t at) { return pattern.column[k] < at; });
  auto end = std::upper_bound(
      begin, positions.end(), column,
      [&](int64_t at, int32_t k) { return at < pattern.column[k]; });
  return {begin, end};
}

} // namespace zrt
