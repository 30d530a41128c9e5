//===- BoxSelection.h - Patterns found box by box ---------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_SPARSE_BOXSELECTION_H
#define ZRT_SPARSE_BOXSELECTION_H

#include "Sparse/OwnSteps.h"
#include "Sparse/Pattern.h"

#include <array>

namespace zrt {

/// Asks for all indices of a dense region that this processor owns, in boxes,
/// and keeps those that the answers take. The base is what the program sees.
class BoxSelection final : public zrt_box {
public:
  /// Of the indices of \p among only, if that is not null. \p id and \p name: of
  /// the pattern and its region, as for PatternBuilder.
  BoxSelection(const IndexOwners &owners, const zrt_region &region,
               PatternPtr among, uint64_t id, const char *name,
               const zrt_loc *loc);
  BoxSelection(const BoxSelection &) = delete;
  BoxSelection &operator=(const BoxSelection &) = delete;

  /// Takes a zrt_select_answer to what was asked for last; the next
  /// zrt_select_question.
  int32_t next(int32_t answer);
  /// The pattern, when all has been asked for.
  PatternPtr finish() { return builder.finish(); }

private:
  /// Steps from `begin` up to `end`, in each dimension.
  struct Part {
    std::array<int32_t, ZRT_MAX_RANK> begin, end;
    bool isSmall = false;   ///< asked index by index at once
    bool isRows = false;    ///< asked for the pieces of its rows
    bool isTooWide = false; ///< they have been too much
  };
  /// Steps of the last dimension, one behind the other, in a row.
  struct Run {
    /// Of rank 2 its step in the strip, of more its number in rows.
    int32_t row;
    int32_t first, count;
  };
  /// Steps in the other dimensions.
  using Row = std::array<int32_t, ZRT_MAX_RANK>;

  void findBounds();
  int32_t ask();
  int32_t askEach();
  int32_t askRows();
  int32_t askCandidates();
  void split();
  void splitBox();
  std::pair<int64_t, int> rowsOfPart() const;
  void halve(const Part &whole);
  void cutRows(const Part &whole, int d);
  int64_t findColumns();
  bool nextStrip();
  int32_t nextAmong(int32_t answer);
  int32_t nextRuns(int32_t answer);
  int32_t askRuns();
  void takeRuns();
  void add(const int32_t *at);
  template <typename F> void forEachRow(F &&row) const;
  void takeAll();
  void takeFlagged();
  void takeRows();
  void appendRows();
  void findCandidates();
  bool comesNext() const;
  std::span<const StepRange> columnsOfRow(int64_t number);
  void takeCandidates();
  void take(const Row &row, int32_t first, int32_t count);
  void sortRuns();
  void sortByCounting();
  void endStrip();
  void startRow(const Row &row);
  int compareRows(const Run &a, const Run &b) const;

  static constexpr int64_t Strip = 4096; ///< steps of the first dimension
  /// Indices that are asked one by one, and rows that are asked at once.
  static constexpr int64_t Small = 128;
  static constexpr int64_t FewRows = 8; ///< for which columns are cut out
  /// Indices of a row, on the average, that its pieces may have and are asked
  /// one by one.
  static constexpr int64_t FewColumns = 64;

  static constexpr int64_t Room = 16384; ///< indices of runs asked at once

  const IndexOwners owners;
  const int rank;
  OwnSteps along[ZRT_MAX_RANK];
  PatternBuilder builder;
  const PatternPtr among;
  Box bounds;           ///< of the region
  int64_t position = 0; ///< in `among`, of what is asked for next
  Row current = {};     ///< with `among`: the row that was added to
  bool isRowOpen = false;
  bool isAsking = false;
  /// With `is_open`: the steps of the row that comes next, or is cut, and the
  /// first of its columns that has not been asked for; whether there is one.
  Row nextRow = {};
  int64_t nextColumn = 0;
  bool hasRuns = true;
  int64_t beginColumn = 0; ///< what was asked for begins there
  std::vector<uint8_t> runFlags;
  Part part = {};                 ///< what was asked for
  std::vector<StepRange> columns; ///< of it, from the answer: in order
  PieceSteps steps;               ///< scratch
  /// Of rows whose pieces are not exact, what is left to be asked for; `row` is
  /// a number in candidateRows.
  std::vector<Run> candidates;
  std::vector<Row> candidateRows;
  size_t candidate = 0;
  /// They go to the pattern at once; `openRow` is the last one of them there.
  bool candidatesComeNext = false;
  int32_t openRow = -1;
  std::vector<int32_t> appended; ///< scratch
  std::vector<Part> parts;       ///< to be asked for, the next one last
  /// First steps of the strip and the next one.
  int64_t begin = 0, nextBegin = 0;
  std::vector<Run> runs; ///< of the strip, sorted at its end
  bool isInOrder = true; ///< they are
  std::vector<Row> rows;
  std::vector<Run> unsorted;   ///< scratch
  std::vector<int32_t> places; ///< scratch
  int32_t indices[ZRT_MAX_RANK][Small];
  uint8_t room[Small + 8] = {}; ///< of flags, and what flagBits reads behind
  std::vector<zrt_piece> rowPieces;
  std::vector<zrt_windows> rowWindows;
};

} // namespace zrt

#endif // ZRT_SPARSE_BOXSELECTION_H
