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
// column. The columns of the result are written where they come to lie. What a
// comparison of two columns says is no branch but a step of 0 or 1, since nobody
// can guess it:
//
//     3 5 9     5 of both: each goes on
//     4 5 7     then 7 < 9: the second one does
//
// Cost: a step for each index of both, less where one of them has no row.
//
//===----------------------------------------------------------------------===//

#include "Sparse/MergedPatterns.h"

#include <algorithm>

namespace zrt {

namespace {

using Columns = std::span<const int32_t>;

/// As compareRow, of two rows.
int compareRows(const Pattern &a, int64_t p, const Pattern &b, int64_t q) {
  for (int d = 0; d + 1 < a.rank; ++d)
    if (a.row[d][p] != b.row[d][q])
      return a.row[d][p] < b.row[d][q] ? -1 : 1;
  return 0;
}

/// Goes through the rows of both, in order: calls \p onlyA, \p onlyB or \p both
/// with their numbers.
template <typename A, typename B, typename Both>
void forEachRow(const Pattern *a, const Pattern *b, A onlyA, B onlyB,
                Both both) {
  int64_t p = 0, q = 0, rowsA = a ? a->rows : 0, rowsB = b ? b->rows : 0;
  while (p < rowsA && q < rowsB) {
    int order = compareRows(*a, p, *b, q);
    if (order < 0)
      onlyA(p++);
    else if (order > 0)
      onlyB(q++);
    else
      both(p++, q++);
  }
  while (p < rowsA)
    onlyA(p++);
  while (q < rowsB)
    onlyB(q++);
}

/// A pattern whose rows are written by `write(columns of a, columns of b, to)`,
/// which returns their end; \p most columns in all.
struct Merged {
  PatternBuilder &builder;

  void startRow(const Pattern &pattern, int64_t r) {
    int32_t at[ZRT_MAX_RANK];
    pattern.rowAt(r, at);
    builder.startRow(at);
  }
  void take(const Pattern &pattern, int64_t r) {
    startRow(pattern, r);
    builder.add(columnsOf(pattern, r));
  }
  template <typename F>
  void merge(const Pattern &a, int64_t p, const Pattern &b, int64_t q,
             F &&write) {
    startRow(a, p);
    Columns one = columnsOf(a, p), other = columnsOf(b, q);
    builder.addUpTo(write(one, other, builder.room(one.size() + other.size())));
  }
};

/// Of few columns mostly, of which a call of memmove would take longer.
int32_t *copyColumns(const int32_t *from, const int32_t *end, int32_t *to) {
  while (from != end)
    *to++ = *from++;
  return to;
}

int32_t *unionOf(Columns one, Columns other, int32_t *to) {
  const int32_t *p = one.data(), *pEnd = p + one.size();
  const int32_t *q = other.data(), *qEnd = q + other.size();
  while (p != pEnd && q != qEnd) {
    int32_t x = *p, y = *q;
    *to++ = std::min(x, y);
    p += x <= y;
    q += y <= x;
  }
  return copyColumns(q, qEnd, copyColumns(p, pEnd, to));
}

int32_t *commonOf(Columns one, Columns other, int32_t *to) {
  const int32_t *p = one.data(), *pEnd = p + one.size();
  const int32_t *q = other.data(), *qEnd = q + other.size();
  while (p != pEnd && q != qEnd) {
    int32_t x = *p, y = *q;
    *to = x;
    to += x == y;
    p += x <= y;
    q += y <= x;
  }
  return to;
}

int32_t *restOf(Columns one, Columns other, int32_t *to) {
  const int32_t *p = one.data(), *pEnd = p + one.size();
  const int32_t *q = other.data(), *qEnd = q + other.size();
  while (p != pEnd && q != qEnd) {
    int32_t x = *p, y = *q;
    *to = x;
    to += x < y;
    p += x <= y;
    q += y <= x;
  }
  return copyColumns(p, pEnd, to);
}

int64_t countOf(const Pattern *pattern) { return pattern ? pattern->count : 0; }
int64_t rowsOf(const Pattern *pattern) { return pattern ? pattern->rows : 0; }
constexpr auto NoRow = [](int64_t) {};

} // namespace

PatternPtr united(const Pattern *a, const Pattern *b, PatternBuilder builder) {
  builder.reserve(std::max(rowsOf(a), rowsOf(b)), countOf(a) + countOf(b));
  Merged merged{builder};
  forEachRow(
      a, b, [&](int64_t p) { merged.take(*a, p); },
      [&](int64_t q) { merged.take(*b, q); },
      [&](int64_t p, int64_t q) { merged.merge(*a, p, *b, q, unionOf); });
  return builder.finish();
}

PatternPtr common(const Pattern *a, const Pattern *b, PatternBuilder builder) {
  Merged merged{builder};
  forEachRow(a, b, NoRow, NoRow, [&](int64_t p, int64_t q) {
    merged.merge(*a, p, *b, q, commonOf);
  });
  return builder.finish();
}

PatternPtr without(const Pattern *a, const Pattern *b, PatternBuilder builder) {
  Merged merged{builder};
  forEachRow(
      a, b, [&](int64_t p) { merged.take(*a, p); }, NoRow,
      [&](int64_t p, int64_t q) { merged.merge(*a, p, *b, q, restOf); });
  return builder.finish();
}

} // namespace zrt
