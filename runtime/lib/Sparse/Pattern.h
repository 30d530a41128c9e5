//===- Pattern.h - The indices that a sparse region has here ----*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_SPARSE_PATTERN_H
#define ZRT_SPARSE_PATTERN_H

#include "Sparse/ColumnDirectory.h"
#include "Sparse/IndexOwners.h"
#include "Support/LargeList.h"

#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace zrt {

/// Where the indices of a pattern are in row-major order of the whole.
struct PatternOrder {
  /// Those of each processor come before those of the next one.
  bool ascends = true;
  std::vector<int64_t> places; ///< else: of this processor's, by position
};

using IndexList = LargeList<int32_t>;

/// What a zrt_pattern points to.
struct PatternLists {
  IndexList starts, columns, columnPlaces, bands;
  IndexList rows[ZRT_MAX_RANK], rowPlaces[ZRT_MAX_RANK];
};

/// What this processor has of a pattern, and what all know of the whole. Never
/// changes once it is made; shared by places of the program, arrays and plans.
class Pattern final : public zrt_pattern,
                      public std::enable_shared_from_this<Pattern> {
public:
  /// \p id: unique, and the same on all processors. \p inPlaces: the lists have
  /// places, too.
  Pattern(int rank, uint64_t id, PatternLists numbers, bool inPlaces);
  Pattern(const Pattern &) = delete;
  Pattern &operator=(const Pattern &) = delete;

  const int rank;
  const uint64_t id;

  /// Writes the index at position \p k. Cost: a search among the rows.
  void indexAt(int64_t k, int64_t *index) const;
  /// Writes the index of row \p r in the dimensions before the last one.
  void rowAt(int64_t r, int32_t *at) const {
    for (int d = 0; d + 1 < rank; ++d)
      at[d] = row[d][r];
  }
  /// Less, equal or greater than 0 as row \p r comes before, at or after \p at.
  int compareRow(int64_t r, const int32_t *at) const {
    for (int d = 0; d + 1 < rank; ++d)
      if (row[d][r] != at[d])
        return row[d][r] < at[d] ? -1 : 1;
    return 0;
  }
  /// The row that holds position \p k.
  int64_t rowOf(int64_t k) const;

  /// Calls \p f with the row and position of each index whose last dimension is
  /// \p column, in row-major order. Cost: of the first column, all indices;
  /// after the second one, these and a search.
  template <typename F> void forEachInColumn(int64_t column, F &&f) const;

  /// Of all processors together, once somebody has asked.
  mutable std::optional<int64_t> total;
  mutable std::vector<int64_t> counts; ///< per processor
  mutable std::optional<Box> hull;
  mutable std::optional<PatternOrder> order;

private:
  /// Null: a column is asked for the first time.
  const ColumnDirectory *directory() const;

  PatternLists lists;
  mutable std::unique_ptr<ColumnDirectory> byColumn;
  mutable bool columnWasAsked = false;
};

using PatternPtr = std::shared_ptr<const Pattern>;

/// The object behind a descriptor of the program; null stays null.
inline const Pattern *patternOf(const zrt_pattern *pattern) {
  return static_cast<const Pattern *>(pattern);
}
inline PatternPtr sharedPattern(const zrt_pattern *pattern) {
  return pattern ? patternOf(pattern)->shared_from_this() : nullptr;
}

/// Makes a pattern of indices that come in row-major order, each once.
class PatternBuilder {
public:
  /// \p name: of the region, for the message if there are too many.
  PatternBuilder(const IndexOwners &owners, uint64_t id, const char *name,
                 const zrt_loc *loc);

  /// Room for so many, if that is known.
  void reserve(int64_t rows, int64_t indices);
  /// What has been added is expected to grow by that \p factor.
  void expect(double factor);
  /// Begins the row \p at, of which the columns are added next. A row without
  /// any does not count.
  void startRow(const int32_t *at) {
    endRow();
    for (int d = 0; d + 1 < rank; ++d)
      current[d] = at[d];
    isOpen = true;
  }
  void add(int32_t column) { lists.columns.push_back(column); }
  void add(std::span<const int32_t> columns) { lists.columns.append(columns); }
  /// Room for \p count columns of the row, of which the caller writes some and
  /// passes their end to addUpTo.
  int32_t *room(size_t count) { return lists.columns.extend(count); }
  void addUpTo(const int32_t *end) {
    lists.columns.resize(static_cast<size_t>(end - lists.columns.data()));
  }
  /// Adds whole rows behind each other: `at[d][r]` is the index of row r in
  /// dimension d, counts[r] how many of \p columns it has.
  void addRows(const int32_t *const *at, std::span<const int64_t> counts,
               std::span<const int32_t> columns);
  PatternPtr finish();
  /// A pattern of these rows, which have no places yet, instead.
  PatternPtr finish(PatternLists made);

  const int rank;

private:
  void endRow() {
    size_t end = lists.columns.size();
    if (!isOpen || end == rowStart)
      return;
    if (end > MostIndices) [[unlikely]]
      failCount();
    rowStart = end;
    lists.starts.push_back(static_cast<int32_t>(end));
    for (int d = 0; d + 1 < rank; ++d)
      lists.rows[d].push_back(current[d]);
  }
  [[noreturn]] void failCount() const;
  void findPlaces();

  static constexpr size_t MostIndices = INT32_MAX;

  const IndexOwners &owners;
  const char *name;
  const zrt_loc *loc;
  uint64_t id;
  PatternLists lists;
  int32_t current[ZRT_MAX_RANK] = {};
  bool isOpen = false;
  size_t rowStart = 0;
};

/// Finds positions; fast if the indices are asked for in row-major order.
class PatternFinder {
public:
  explicit PatternFinder(const Pattern &pattern) : pattern(pattern) {}

  /// Goes to the row \p at; false if it has no index.
  bool toRow(const int32_t *at);
  /// The position of \p column in the row, or -1.
  int64_t find(int32_t column);
  /// The position of an index, or -1.
  int64_t find(const int32_t *at, int32_t column) {
    return toRow(at) ? find(column) : -1;
  }
  int64_t row() const { return r; }

private:
  bool guessRow(const int32_t *at);

  const Pattern &pattern;
  int64_t r = 0; ///< the row, or where it would be
  bool isAtRow = false;
  int64_t k = 0; ///< behind the last position that was found in it
};

/// The columns of row \p r.
inline std::span<const int32_t> columnsOf(const zrt_pattern &pattern,
                                          int64_t r) {
  return {pattern.column + pattern.starts[r],
          static_cast<size_t>(pattern.starts[r + 1] - pattern.starts[r])};
}

/// As zrtA_seek_row and zrtA_seek_column.
int64_t seekRow(const Pattern &pattern, int64_t from, const int64_t *index);
int64_t seekColumn(const zrt_pattern &pattern, int64_t from, int64_t to,
                   int64_t column);

template <typename F>
void Pattern::forEachInColumn(int64_t column, F &&f) const {
  if (const ColumnDirectory *known = directory()) {
    for (int32_t k : known->positionsOf(column))
      f(rowOf(k), int64_t(k));
    return;
  }
  for (int64_t r = 0; r < rows; ++r)
    if (int64_t k = seekColumn(*this, starts[r], starts[r + 1], column);
        k < starts[r + 1] && this->column[k] == column)
      f(r, k);
}

/// Calls \p f with positions in \p a and \p b of each index that is in both.
template <typename F>
void forEachCommon(const Pattern &a, const Pattern &b, F &&f) {
  PatternFinder finder(b);
  int32_t at[ZRT_MAX_RANK];
  for (int64_t r = 0; r < a.rows; ++r) {
    a.rowAt(r, at);
    if (!finder.toRow(at))
      continue;
    for (int64_t k = a.starts[r]; k < a.starts[r + 1]; ++k)
      if (int64_t other = finder.find(a.column[k]); other >= 0)
        f(k, other);
  }
}

/// Whether both have the same indices here.
bool sameIndices(const Pattern &a, const Pattern &b);
/// Whether the sparse \p array has \p pattern here, or an equal one.
bool hasPattern(const zrt_array &array, const Pattern *pattern);

} // namespace zrt

#endif // ZRT_SPARSE_PATTERN_H
