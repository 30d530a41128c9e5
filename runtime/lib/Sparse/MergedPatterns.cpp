//===- MergedPatterns.cpp - Unions and intersections ----------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     S |= M;    S &= M;    S := R where (A & !B);
//
// Both patterns are gone through row by row, and rows that both have column by
// column. The columns of the result are written where they come to lie. Which
// side goes on is no branch but a step of 0 or 1, since nobody can guess it:
//
//     3 5 9     5 of both: each goes on
//     4 5 7     then 7 < 9: the second one does
//
// Of rows with few columns, as matrices of grids have, one is in two vectors as
// a whole, and each column of the other is compared with all of it at once:
// the steps of a merge end somewhere else in each row, which is guessed wrong.
//
// Cost: a step for each index of both, less where one of them has no row.
//
//===----------------------------------------------------------------------===//

#include "Sparse/MergedPatterns.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace zrt {

namespace {

using Columns = std::span<const int32_t>;

/// One of both patterns, or none; its lists at hand, for what is written might
/// be part of the pattern as far as a compiler knows.
struct Side {
  explicit Side(const Pattern *pattern) {
    if (!pattern)
      return;
    rank = pattern->rank;
    rows = pattern->rows;
    count = pattern->count;
    starts = pattern->starts;
    column = pattern->column;
    std::copy(pattern->row, pattern->row + rank - 1, row);
  }
  Columns columnsOf(int64_t r) const {
    return {column + starts[r], static_cast<size_t>(starts[r + 1] - starts[r])};
  }

  /// Whether so many columns may be read from the first one of \p row on.
  bool hasRoom(Columns row, size_t columns) const {
    return columns <= static_cast<size_t>(column + count - row.data());
  }

  int rank = 1;
  int64_t rows = 0, count = 0;
  const int32_t *starts = nullptr, *column = nullptr;
  const int32_t *row[ZRT_MAX_RANK] = {};
};

/// As Pattern::compareRow, of two rows.
int compareRows(const Side &a, int64_t p, const Side &b, int64_t q) {
  for (int d = 0; d + 1 < a.rank; ++d)
    if (a.row[d][p] != b.row[d][q])
      return a.row[d][p] < b.row[d][q] ? -1 : 1;
  return 0;
}

/// The lists of the result, which are as large as they may become before rows
/// are written.
class Result {
public:
  Result(int rank, int64_t mostRows, int64_t most) : rank(rank) {
    lists.starts.resize(static_cast<size_t>(mostRows) + 1);
    lists.columns.resize(static_cast<size_t>(most));
    for (int d = 0; d + 1 < rank; ++d) {
      lists.rows[d].resize(static_cast<size_t>(mostRows));
      row[d] = lists.rows[d].data();
    }
    end = begin = lists.columns.data();
    starts = lists.starts.data();
    starts[0] = 0;
  }

  /// Where the next row has its columns.
  int32_t *next() const { return end; }
  /// It has the indices of row \p r of \p side, and its columns end at \p to; a
  /// row without any does not count.
  void addRow(const Side &side, int64_t r, int32_t *to) {
    if (to == end)
      return;
    end = to;
    for (int d = 0; d + 1 < rank; ++d)
      row[d][rows] = side.row[d][r];
    starts[++rows] = static_cast<int32_t>(end - begin);
  }
  PatternPtr finish(PatternBuilder &builder) {
    lists.starts.resize(rows + 1);
    lists.columns.resize(static_cast<size_t>(end - begin));
    for (int d = 0; d + 1 < rank; ++d)
      lists.rows[d].resize(rows);
    return builder.finish(std::move(lists));
  }

private:
  const int rank;
  PatternLists lists;
  size_t rows = 0;
  int32_t *begin, *end, *starts;
  int32_t *row[ZRT_MAX_RANK] = {};
};

/// Of few columns mostly, of which a call of memmove would take longer.
int32_t *copyColumns(Columns columns, int32_t *to) {
  for (int32_t column : columns)
    *to++ = column;
  return to;
}

int32_t *unionOf(Columns one, Columns other, int32_t *to) {
  size_t p = 0, q = 0;
  while (p < one.size() && q < other.size()) {
    int32_t x = one[p], y = other[q];
    *to++ = std::min(x, y);
    p += x <= y;
    q += y <= x;
  }
  return copyColumns(other.subspan(q), copyColumns(one.subspan(p), to));
}

int32_t *commonOf(Columns one, Columns other, int32_t *to) {
  size_t p = 0, q = 0;
  while (p < one.size() && q < other.size()) {
    int32_t x = one[p], y = other[q];
    if (x == y)
      *to++ = x;
    p += x <= y;
    q += y <= x;
  }
  return to;
}

/// Columns that a row may have to be in vectors.
constexpr size_t Few = 8;
using Lanes = int32_t __attribute__((vector_size(16)));

/// The same of an \p other that has few columns, behind which more may be read.
int32_t *commonOfFew(Columns one, Columns other, int32_t *to) {
  constexpr Lanes LowBits = {1, 2, 4, 8}, HighBits = {16, 32, 64, 128};
  Lanes low, high, isLow = {}, isHigh = {};
  std::memcpy(&low, other.data(), sizeof low);
  std::memcpy(&high, other.data() + Few / 2, sizeof high);
  for (int32_t x : one) {
    isLow |= low == x;
    isHigh |= high == x;
  }
  Lanes bits = (isLow & LowBits) | (isHigh & HighBits);
  uint64_t half[2];
  std::memcpy(half, &bits, sizeof half);
  uint64_t both = half[0] | half[1];
  uint64_t found = (both | both >> 32) & ((1u << other.size()) - 1);
  for (; found != 0; found &= found - 1)
    *to++ = other[static_cast<size_t>(std::countr_zero(found))];
  return to;
}

int32_t *restOf(Columns one, Columns other, int32_t *to) {
  size_t p = 0, q = 0;
  while (p < one.size() && q < other.size()) {
    int32_t x = one[p], y = other[q];
    *to = x;
    to += x < y;
    p += x <= y;
    q += y <= x;
  }
  return copyColumns(one.subspan(p), to);
}

/// Goes through the rows of both in order. `onlyA`, `onlyB` and `both` write the
/// columns of a row, of one or both, to an address and return their end.
template <typename A, typename B, typename Both>
PatternPtr merged(const Side &a, const Side &b, Result result,
                  PatternBuilder &builder, A onlyA, B onlyB, Both both) {
  int64_t p = 0, q = 0;
  while (p < a.rows || q < b.rows) {
    int order = p == a.rows ? 1 : q == b.rows ? -1 : compareRows(a, p, b, q);
    int32_t *to = result.next();
    if (order == 0)
      result.addRow(a, p, both(a.columnsOf(p), b.columnsOf(q), to));
    else if (order < 0)
      result.addRow(a, p, onlyA(a.columnsOf(p), to));
    else
      result.addRow(b, q, onlyB(b.columnsOf(q), to));
    p += order <= 0;
    q += order >= 0;
  }
  return result.finish(builder);
}

constexpr auto All = copyColumns;
constexpr auto None = [](Columns, int32_t *to) { return to; };

} // namespace

PatternPtr united(const Pattern *p, const Pattern *q, PatternBuilder builder) {
  Side a(p), b(q);
  Result result(builder.rank, a.rows + b.rows, a.count + b.count);
  return merged(a, b, std::move(result), builder, All, All, unionOf);
}

PatternPtr common(const Pattern *p, const Pattern *q, PatternBuilder builder) {
  Side a(p), b(q);
  Result result(builder.rank, std::min(a.rows, b.rows),
                std::min(a.count, b.count));
  auto both = [&](Columns one, Columns other, int32_t *to) {
    bool isFew = one.size() <= Few && other.size() <= Few;
    return isFew && b.hasRoom(other, Few) ? commonOfFew(one, other, to)
                                          : commonOf(one, other, to);
  };
  return merged(a, b, std::move(result), builder, None, None, both);
}

PatternPtr without(const Pattern *p, const Pattern *q, PatternBuilder builder) {
  Side a(p), b(q);
  Result result(builder.rank, a.rows, a.count);
  return merged(a, b, std::move(result), builder, All, None, restOf);
}

} // namespace zrt
