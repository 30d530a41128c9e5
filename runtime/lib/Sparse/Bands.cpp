//===- Bands.cpp - Rows of a pattern that look alike ----------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Matrices of grids and of differences have few shapes of rows: rows 2 to n-1 of
// a tridiagonal one have the columns r-1, r, r+1. Such rows that follow each
// other, each the one before moved by one index along both dimensions, are a
// band. Loops take several rows of a band at a time and read the columns of the
// first only.
//
//     [1..5, 1..5] where abs(Index1 - Index2) < 2
//
//     row       1     2       3       4       5
//     columns   1 2   1 2 3   2 3 4   3 4 5   4 5
//     bands     ---   ---------------------   ---
//
// Of rows with the same number of columns, say 3, a band goes on as long as each
// column is one more than that 3 places before; this is asked of 16 columns at a
// time.
//
// Cost: a look at each row and each column. It ends as soon as there are too
// many bands for the rows that were looked at.
//
//===----------------------------------------------------------------------===//

#include "Sparse/Bands.h"

#include <algorithm>

namespace zrt {

/// Bands have so many rows at least, on the average, or there are none: a loop
/// takes several rows of a band at a time. The first few may be shorter.
static constexpr int64_t RowsOfBand = 16, FewBands = 16;

/// The end of the rows from \p from on that follow each other without a gap and
/// have as many columns as this one.
static int64_t endOfEqualRows(const zrt_pattern &pattern, int64_t from) {
  int32_t length = pattern.starts[from + 1] - pattern.starts[from];
  const int32_t *row = pattern.row[0];
  int64_t r = from + 1;
  while (r < pattern.rows && row[r] == row[r - 1] + 1 &&
         pattern.starts[r + 1] - pattern.starts[r] == length)
    ++r;
  return r;
}

/// The first position in \p from .. \p to - 1 whose column is not one more than
/// that \p distance before it; else \p to.
static int64_t endOfMoved(const int32_t *column, int64_t from, int64_t to,
                          int64_t distance) {
  auto differs = [&](int64_t k) {
    return static_cast<uint32_t>(column[k]) -
           static_cast<uint32_t>(column[k - distance]) - 1;
  };
  constexpr int64_t Block = 16;
  int64_t k = from;
  for (; k + Block <= to; k += Block) {
    uint32_t difference = 0;
    for (int64_t i = 0; i < Block; ++i)
      difference |= differs(k + i);
    if (difference != 0)
      break;
  }
  while (k < to && differs(k) == 0)
    ++k;
  return k;
}

LargeList<int32_t> bandsOf(const zrt_pattern &pattern) {
  LargeList<int32_t> bands;
  int64_t equal = 0;
  for (int64_t r = 0; r < pattern.rows;) {
    bands.push_back(static_cast<int32_t>(r));
    if (static_cast<int64_t>(bands.size()) > FewBands + r / RowsOfBand)
      return {};
    if (r == equal)
      equal = endOfEqualRows(pattern, r);
    int64_t start = pattern.starts[r], next = pattern.starts[r + 1];
    int64_t end =
        endOfMoved(pattern.column, next, pattern.starts[equal], next - start);
    r += (end - start) / (next - start);
  }
  bands.push_back(static_cast<int32_t>(pattern.rows));
  return bands;
}

} // namespace zrt
