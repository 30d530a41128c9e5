//===- Pattern.cpp - The indices that a sparse region has here ------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// A pattern is data: the indices that a processor owns, in compressed rows.
// Of [1..4, 1..4] where abs(Index1 - Index2) < 2, on the second of two
// processors, which has the rows 3 and 4:
//
//     row[0]     3           4
//     starts     0           3        5
//     column     2   3   4   3   4
//
// In three dimensions a row has two indices, row[0] and row[1]; of rank 1 there
// is one row, without any. So the memory is four bytes per index and four per
// row and dimension that has an index, however large the region's bounds are.
// In scattered domains indices and places differ, and both are kept.
//
// In two dimensions a pattern knows where bands begin (Bands).
//
// Who asks for a second column of a pattern gets a directory of all columns,
// which the pattern keeps (ColumnDirectory).
//
// A finder keeps where it is: asked in order it takes a step or two per index,
// else a binary search among the rows and one in the row.
//
//===----------------------------------------------------------------------===//

#include "Sparse/Pattern.h"

#include "Sparse/Bands.h"
#include "Support/Error.h"

#include <algorithm>
#include <limits>

namespace zrt {

Pattern::Pattern(int rank, uint64_t id, PatternLists numbers, bool inPlaces)
    : zrt_pattern(), rank(rank), id(id), lists(std::move(numbers)) {
  count = static_cast<int64_t>(lists.columns.size());
  rows = static_cast<int64_t>(lists.starts.size()) - 1;
  starts = lists.starts.data();
  column = lists.columns.data();
  column_place = inPlaces ? lists.columnPlaces.data() : column;
  for (int d = 0; d + 1 < rank; ++d) {
    row[d] = lists.rows[d].data();
    row_place[d] = inPlaces ? lists.rowPlaces[d].data() : row[d];
  }
  if (rank != 2 || inPlaces)
    return;
  lists.bands = bandsOf(*this);
  if (lists.bands.empty())
    return;
  bands = static_cast<int64_t>(lists.bands.size()) - 1;
  band = lists.bands.data();
}

const ColumnDirectory *Pattern::directory() const {
  if (!columnWasAsked) {
    columnWasAsked = true;
    return nullptr;
  }
  if (!byColumn)
    byColumn = std::make_unique<ColumnDirectory>(*this);
  return byColumn.get();
}

int64_t Pattern::rowOf(int64_t k) const {
  const int32_t *next =
      std::upper_bound(starts, starts + rows + 1, static_cast<int32_t>(k));
  return next - starts - 1;
}

void Pattern::indexAt(int64_t k, int64_t *index) const {
  int64_t r = rowOf(k);
  for (int d = 0; d + 1 < rank; ++d)
    index[d] = row[d][r];
  index[rank - 1] = column[k];
}

PatternBuilder::PatternBuilder(const IndexOwners &owners, uint64_t id,
                               const char *name, const zrt_loc *loc)
    : rank(owners.rank), owners(owners), name(name), loc(loc), id(id) {
  lists.starts.push_back(0);
}

void PatternBuilder::reserve(int64_t rows, int64_t indices) {
  lists.starts.reserve(static_cast<size_t>(rows) + 1);
  lists.columns.reserve(static_cast<size_t>(indices));
  for (int d = 0; d + 1 < owners.rank; ++d)
    lists.rows[d].reserve(static_cast<size_t>(rows));
}

void PatternBuilder::expect(double factor) {
  auto grown = [&](size_t count) { return int64_t(double(count) * factor); };
  constexpr int64_t Most = int64_t(1) << 26; // 256 MB of columns
  reserve(std::min(grown(lists.starts.size()), Most),
          std::min(grown(lists.columns.size()), Most));
}

void PatternBuilder::failCount() const {
  fatal(loc, ErrorScope::Local,
        "region %s has more than 2147483647 indices on one processor",
        name ? name : "");
}

void PatternBuilder::addRows(const int32_t *const *at,
                             std::span<const int64_t> counts,
                             std::span<const int32_t> columns) {
  endRow();
  isOpen = false;
  add(columns);
  if (lists.columns.size() > MostIndices)
    failCount();
  for (size_t r = 0; r < counts.size(); ++r) {
    if (counts[r] == 0)
      continue;
    rowStart += static_cast<size_t>(counts[r]);
    lists.starts.push_back(static_cast<int32_t>(rowStart));
    for (int d = 0; d + 1 < owners.rank; ++d)
      lists.rows[d].push_back(at[d][r]);
  }
}

/// Places of the indices in dimension \p d.
static IndexList placesOf(const IndexOwners &owners, int d,
                          const IndexList &indices) {
  IndexList places;
  places.reserve(indices.size());
  for (int32_t index : indices)
    places.push_back(static_cast<int32_t>(owners.placeOf(d, index)));
  return places;
}

void PatternBuilder::findPlaces() {
  int last = owners.rank - 1;
  for (int d = 0; d < last; ++d)
    lists.rowPlaces[d] = placesOf(owners, d, lists.rows[d]);
  lists.columnPlaces = placesOf(owners, last, lists.columns);
}

PatternPtr PatternBuilder::finish() {
  endRow();
  if (owners.isScattered())
    findPlaces();
  lists.starts.fit();
  lists.columns.fit();
  for (int d = 0; d + 1 < owners.rank; ++d)
    lists.rows[d].fit();
  return std::make_shared<Pattern>(owners.rank, id, std::move(lists),
                                   owners.isScattered());
}

PatternPtr PatternBuilder::finish(PatternLists made) {
  lists = std::move(made);
  isOpen = false;
  if (lists.columns.size() > MostIndices)
    failCount();
  return finish();
}

/// Goes to the row \p at if it is where it would be if all rows between it and
/// this one had indices.
bool PatternFinder::guessRow(const int32_t *at) {
  int last = pattern.rank - 2;
  int64_t from = std::min(r, pattern.rows - 1);
  if (last < 0 || from < 0)
    return false;
  int64_t guess = from + at[last] - pattern.row[last][from];
  bool isThere =
      guess >= 0 && guess < pattern.rows && pattern.compareRow(guess, at) == 0;
  if (isThere)
    r = guess;
  return isThere;
}

bool PatternFinder::toRow(const int32_t *at) {
  int64_t before = r;
  int order = r < pattern.rows ? pattern.compareRow(r, at) : 1;
  if (order < 0 && ++r < pattern.rows)
    order = pattern.compareRow(r, at);
  if (order != 0 && guessRow(at))
    order = 0;
  if (order < 0 || (order > 0 && r > 0 && pattern.compareRow(r - 1, at) >= 0)) {
    int64_t low = order < 0 ? r : 0, high = order < 0 ? pattern.rows : r;
    while (low < high) {
      int64_t middle = low + (high - low) / 2;
      if (pattern.compareRow(middle, at) < 0)
        low = middle + 1;
      else
        high = middle;
    }
    r = low;
    order = r < pattern.rows ? pattern.compareRow(r, at) : 1;
  }
  if (order == 0 && (r != before || !isAtRow))
    k = pattern.starts[r];
  isAtRow = order == 0;
  return isAtRow;
}

int64_t PatternFinder::find(int32_t column) {
  int64_t first = pattern.starts[r], end = pattern.starts[r + 1];
  // Where it is likely to be: at the next positions.
  for (int step = 0; step < 4 && k < end; ++step) {
    if (pattern.column[k] == column)
      return k++;
    if (pattern.column[k] > column)
      break;
    ++k;
  }
  if (k < end && pattern.column[k] <= column)
    first = k;
  else if (k == first || pattern.column[k - 1] < column)
    return -1; // between two neighbours, or behind the last one
  else
    end = k;
  const int32_t *found =
      std::lower_bound(pattern.column + first, pattern.column + end, column);
  k = found - pattern.column;
  return k < end && *found == column ? k++ : -1;
}

/// The first number from \p from on, less than \p to, that is not before what is
/// sought, or \p to: steps of 1, 2, 4 ..., then bisection.
template <typename IsBefore>
static int64_t gallop(int64_t from, int64_t to, IsBefore isBefore) {
  int64_t step = 1;
  while (from + step < to && isBefore(from + step)) {
    from += step;
    step *= 2;
  }
  int64_t end = std::min(from + step, to);
  while (from < end) {
    int64_t middle = from + (end - from) / 2;
    if (isBefore(middle))
      from = middle + 1;
    else
      end = middle;
  }
  return from;
}

int64_t seekRow(const Pattern &pattern, int64_t from, const int64_t *index) {
  int32_t at[ZRT_MAX_RANK];
  std::copy(index, index + pattern.rank - 1, at);
  int64_t found = gallop(from, pattern.rows, [&](int64_t r) {
    return pattern.compareRow(r, at) < 0;
  });
  bool isThere = found < pattern.rows && pattern.compareRow(found, at) == 0;
  return isThere ? found : ~found;
}

int64_t seekColumn(const zrt_pattern &pattern, int64_t from, int64_t to,
                   int64_t column) {
  return gallop(from, to,
                [&](int64_t k) { return pattern.column[k] < column; });
}

bool sameIndices(const Pattern &a, const Pattern &b) {
  if (&a == &b)
    return true;
  auto same = [](const int32_t *p, const int32_t *q, int64_t count) {
    return std::equal(p, p + count, q);
  };
  bool equal = a.rank == b.rank && a.count == b.count && a.rows == b.rows &&
               same(a.starts, b.starts, a.rows + 1) &&
               same(a.column, b.column, a.count);
  for (int d = 0; d + 1 < a.rank && equal; ++d)
    equal = same(a.row[d], b.row[d], a.rows);
  return equal;
}

bool hasPattern(const zrt_array &array, const Pattern *pattern) {
  const Pattern *own = patternOf(array.region.pattern);
  return own == pattern || (own && pattern && sameIndices(*own, *pattern));
}

} // namespace zrt
