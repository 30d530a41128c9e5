//===- BoxSelection.cpp - Patterns found box by box -----------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     region Tri = [1..n, 1..n] where (abs(Index1 - Index2) < 2);
//
// The program can say of a box of indices that its condition is true at none of
// them, or at all, or that it does not know; and perhaps, in which columns it
// may be true, and that it can solve rows. So boxes are asked for, from large to
// small.
//
//     . . . . | . . . .        2 boxes are known to have no index; of the two
//     . . . . | . . . .        others each row is solved, or their quarters on
//     --------+--------        the diagonal are asked for again
//     . . . . | . . . .
//     . . . . | . . . .
//
// 1. Where rows can be solved, the box is cut into boxes of fewer rows until
//    these are Small; then pieces of columns, and windows, are asked for of each.
//    If they are exact they are the pattern. Else the indices in them are
//    candidates, at which the program looks, Small of them at a time; too many
//    are none, and the box is asked for like those whose rows cannot be solved.
// 2. Where columns are known, and few, the box is cut into boxes of fewer rows,
//    whose columns are fewer; of FewRows the columns are cut out, each piece by
//    itself. Other boxes are halved along their longest dimension. Of Small
//    indices the program looks at each.
// 3. The region is taken in strips along its first dimension, so that what is
//    kept beside the pattern is that of one strip.
// 4. Halves begin at multiples of powers of two in steps. Then a diagonal goes
//    through the corners of small boxes and most rows of them are full.
// 5. What comes first comes first. Hence the runs of a row come in order, and a
//    stable sort by rows at the end of the strip gives row-major order. Whole
//    rows that come next go to the pattern at once.
//
// Of conditions that read arrays at all indices boxes know nothing. Then the
// program looks at each: in some rows, or a part of one, at Room of them at a
// time, side by side.
//
// What is selected among the indices of a pattern, `S &= e`, is asked of these,
// Small of them at a time.
//
// Own indices are numbered in each dimension (OwnSteps.cpp).
//
// Cost: where rows are solved, in proportion to the rows of boxes that are
// neither full nor empty and to the indices; where conditions are known of the
// boxes beside their boundary in proportion to the small boxes that have part of
// it, times the logarithm of the extents at most; where nothing is known, as many
// indices as the region has. Memory: the pattern and the runs of a strip.
//
//===----------------------------------------------------------------------===//

#include "Sparse/BoxSelection.h"

#include "Support/Error.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace zrt {

BoxSelection::BoxSelection(const IndexOwners &theOwners,
                           const zrt_region &region, PatternPtr theAmong,
                           uint64_t id, const char *name, const zrt_loc *loc)
    : zrt_box(), owners(theOwners), rank(region.rank),
      builder(owners, id, name, loc), among(std::move(theAmong)),
      bounds(boxOf(region)) {
  bool isEmpty = false;
  for (int d = 0; d < rank; ++d) {
    along[d] = OwnSteps(owners, d, seqOf(region.dim[d]));
    index[d] = indices[d];
    isEmpty |= along[d].count() == 0;
  }
  hasRuns = !isEmpty;
  if (isEmpty)
    nextBegin = along[0].count();
  if (rank == 1) // all of it is one row
    builder.startRow(indices[0]);
  flags = room;
  rowPieces.resize(Small * ZRT_ROW_PIECES);
  rowWindows.resize(Small * ZRT_ROW_WINDOWS);
  row_piece = rowPieces.data();
  row_windows = rowWindows.data();
}

int32_t BoxSelection::next(int32_t answer) {
  if (among)
    return nextAmong(answer);
  if (is_open)
    return nextRuns(answer);
  if (isAsking)
    switch (static_cast<zrt_select_answer>(answer)) {
    case ZRT_SELECT_NONE:
      break;
    case ZRT_SELECT_ALL:
      takeAll();
      break;
    case ZRT_SELECT_SOME:
      split();
      break;
    case ZRT_SELECT_FLAGS:
      candidates.empty() ? takeFlagged() : takeCandidates();
      break;
    case ZRT_SELECT_PIECES:
      takeRows();
      break;
    }
  if (!candidates.empty())
    return askCandidates();
  if (parts.empty() && !nextStrip())
    return ZRT_SELECT_DONE;
  part = parts.back();
  parts.pop_back();
  if (part.isSmall)
    return askEach();
  return part.isRows ? askRows() : ask();
}

void BoxSelection::add(const int32_t *at) {
  auto *row = current.data();
  bool isNew = !isRowOpen || !std::equal(at, at + rank - 1, row);
  if (rank > 1 && isNew) {
    builder.startRow(at);
    std::copy_n(at, rank - 1, row);
    isRowOpen = true;
  }
  builder.add(at[rank - 1]);
}

/// Takes what the flags say, and asks for the next indices of the pattern.
int32_t BoxSelection::nextAmong(int32_t answer) {
  int last = rank - 1;
  int32_t at[ZRT_MAX_RANK];
  for (int64_t k = 0; answer == ZRT_SELECT_FLAGS && k < count; ++k) {
    for (int d = 0; d < rank; ++d)
      at[d] = indices[d][k];
    if (flags[k])
      add(at);
  }
  count = 0;
  int64_t row = position < among->count ? among->rowOf(position) : 0;
  for (; position < among->count && count < Small; ++position) {
    while (among->starts[row + 1] <= position)
      ++row;
    among->rowAt(row, at);
    at[last] = among->column[position];
    bool isIn = true;
    for (int d = 0; d < rank; ++d) {
      isIn = isIn && contains(bounds.dim[d], at[d]);
      indices[d][count] = at[d];
    }
    count += isIn;
  }
  return count > 0 ? ZRT_SELECT_EACH : ZRT_SELECT_DONE;
}

int32_t BoxSelection::nextRuns(int32_t answer) {
  if (answer == ZRT_SELECT_FLAGS)
    takeRuns();
  return hasRuns ? askRuns() : ZRT_SELECT_DONE;
}

/// Asks for the next rows, or for a part of one that is long or whose indices
/// are no sequence.
int32_t BoxSelection::askRuns() {
  const OwnSteps &last = along[rank - 1];
  runFlags.resize(Room + 8);
  flags = runFlags.data();
  beginColumn = nextColumn;
  run_columns = std::min(Room, last.count() - beginColumn);
  run_first = last.at(beginColumn);
  run_step = run_columns > 1 ? last.at(beginColumn + 1) - run_first : 1;
  if (!last.isSequence())
    for (int64_t k = 1; k < run_columns; ++k)
      if (last.at(beginColumn + k) != run_first + k * run_step)
        run_columns = k;
  nextColumn = (beginColumn + run_columns) % last.count();
  bool areWhole = run_columns == last.count();
  int64_t most = areWhole ? std::min(Small, Room / run_columns) : 1;
  for (count = 0; hasRuns && count < most;) {
    for (int d = 0; d + 1 < rank; ++d)
      indices[d][count] = along[d].at(nextRow[d]);
    ++count;
    if (nextColumn != 0)
      break;
    int d = rank - 2;
    for (; d >= 0 && ++nextRow[d] == along[d].count(); --d)
      nextRow[d] = 0;
    hasRuns = d >= 0;
  }
  return ZRT_SELECT_RUNS;
}

bool BoxSelection::nextStrip() {
  endStrip();
  isAsking = nextBegin < along[0].count();
  if (!isAsking)
    return false;
  begin = nextBegin;
  nextBegin = std::min(begin + Strip, along[0].count());
  Part &whole = parts.emplace_back();
  for (int d = 0; d < rank; ++d) {
    whole.begin[d] = 0;
    whole.end[d] = static_cast<int32_t>(along[d].count());
  }
  whole.begin[0] = static_cast<int32_t>(begin);
  whole.end[0] = static_cast<int32_t>(nextBegin);
  return true;
}

void BoxSelection::findBounds() {
  for (int d = 0; d < rank; ++d) {
    lo[d] = along[d].at(part.begin[d]);
    hi[d] = along[d].at(part.end[d] - 1);
  }
}

int32_t BoxSelection::ask() {
  findBounds();
  return ZRT_SELECT_BOX;
}

/// Writes the indices of each dimension, row-major.
int32_t BoxSelection::askEach() {
  int last = rank - 1;
  int32_t extent = part.end[last] - part.begin[last];
  int32_t columnsHere[Small];
  for (int32_t k = 0; k < extent; ++k)
    columnsHere[k] = along[last].at(part.begin[last] + k);
  int64_t before = 0;
  forEachRow([&](const Row &row) {
    for (int d = 0; d < last; ++d) {
      int32_t at = along[d].at(row[d]);
      for (int32_t k = 0; k < extent; ++k)
        indices[d][before + k] = at;
    }
    for (int32_t k = 0; k < extent; ++k)
      indices[last][before + k] = columnsHere[k];
    before += extent;
  });
  count = before;
  return ZRT_SELECT_EACH;
}

/// Writes the indices of each row.
int32_t BoxSelection::askRows() {
  findBounds();
  count = 0;
  forEachRow([&](const Row &row) {
    for (int d = 0; d + 1 < rank; ++d)
      indices[d][count] = along[d].at(row[d]);
    ++count;
  });
  return ZRT_SELECT_ROWS;
}

/// Asks for the next of the candidates.
int32_t BoxSelection::askCandidates() {
  int last = rank - 1;
  count = 0;
  for (size_t k = candidate; k < candidates.size() && count < Small; ++k) {
    const Run &run = candidates[k];
    const Row &row = candidateRows[static_cast<size_t>(run.row)];
    auto extent = std::min(int64_t(run.count), Small - count);
    for (int d = 0; d < last; ++d)
      std::fill_n(indices[d] + count, extent, along[d].at(row[d]));
    for (int64_t step = 0; step < extent; ++step)
      indices[last][count + step] = along[last].at(run.first + step);
    count += extent;
  }
  return ZRT_SELECT_EACH;
}

/// Takes the columns of the answer apart: ranges in order with gaps between
/// them. How many steps they have together.
int64_t BoxSelection::findColumns() {
  int last = rank - 1;
  if (pieces == 0) { // that is not known
    columns = {{part.begin[last], part.end[last]}};
  } else {
    steps.start(along[last], part.begin[last], part.end[last]);
    std::span<const StepRange> found =
        steps.of({piece, static_cast<size_t>(pieces)}, {});
    columns.assign(found.begin(), found.end());
  }
  int64_t total = 0;
  for (const StepRange &range : columns)
    total += range.end - range.begin;
  return total;
}

/// How many rows the part has, and the longest dimension before the last one.
std::pair<int64_t, int> BoxSelection::rowsOfPart() const {
  int64_t rows = 1;
  int longest = 0;
  for (int d = 0; d + 1 < rank; ++d) {
    int64_t of = part.end[d] - part.begin[d];
    rows = std::min(rows * of, int64_t(INT32_MAX));
    if (of > part.end[longest] - part.begin[longest])
      longest = d;
  }
  return {rows, longest};
}

/// What is asked for instead of a part of which too little is known.
void BoxSelection::split() {
  if (!solves || part.isTooWide)
    return splitBox();
  auto [rowCount, longest] = rowsOfPart();
  if (rowCount > Small)
    return cutRows(Part(part), longest);
  parts.push_back(part);
  parts.back().isRows = true;
}

void BoxSelection::splitBox() {
  int last = rank - 1;
  int64_t extent = part.end[last] - part.begin[last];
  auto [rowCount, longest] = rowsOfPart();
  int64_t total = findColumns();
  if (columns.empty())
    return;
  Part whole = part;
  whole.isRows = false;
  if (rowCount > FewRows && total * 2 <= extent) {
    whole.begin[last] = static_cast<int32_t>(columns.front().begin);
    whole.end[last] = static_cast<int32_t>(columns.back().end);
    return cutRows(whole, longest);
  }
  if (rowCount > FewRows) // one piece will do
    columns = {{columns.front().begin, columns.back().end}};
  for (size_t k = columns.size(); k-- > 0;) {
    whole.begin[last] = static_cast<int32_t>(columns[k].begin);
    whole.end[last] = static_cast<int32_t>(columns[k].end);
    whole.isSmall = rowCount * (columns[k].end - columns[k].begin) <= Small;
    if (whole.isSmall)
      parts.push_back(whole);
    else
      halve(whole);
  }
}

void BoxSelection::halve(const Part &whole) {
  int longest = 0;
  for (int d = 0; d < rank; ++d)
    if (whole.end[d] - whole.begin[d] >
        whole.end[longest] - whole.begin[longest])
      longest = d;
  auto extent =
      static_cast<uint32_t>(whole.end[longest] - whole.begin[longest]);
  auto half = static_cast<int32_t>(std::bit_floor(extent - 1));
  parts.push_back(whole);
  parts.back().begin[longest] += half;
  parts.push_back(whole);
  parts.back().end[longest] = whole.begin[longest] + half;
}

/// Cuts dimension \p d into some parts: the columns of each are others.
void BoxSelection::cutRows(const Part &whole, int d) {
  auto extent = static_cast<uint32_t>(whole.end[d] - whole.begin[d]);
  auto step = static_cast<int32_t>(std::max(
      int64_t(std::bit_floor(extent - 1)) / 4, rank == 2 ? FewRows : 1));
  int32_t before = (static_cast<int32_t>(extent) - 1) / step * step;
  for (int32_t offset = before; offset >= 0; offset -= step) {
    Part &slice = parts.emplace_back(whole);
    slice.begin[d] = whole.begin[d] + offset;
    slice.end[d] = std::min(slice.begin[d] + step, whole.end[d]);
  }
}

/// Calls \p row with the steps of each row of the part.
template <typename F> void BoxSelection::forEachRow(F &&row) const {
  Row at = part.begin;
  int d = 0;
  while (d >= 0) {
    row(at);
    for (d = rank - 2; d >= 0; --d) {
      if (++at[d] < part.end[d])
        break;
      at[d] = part.begin[d];
    }
  }
}

void BoxSelection::takeAll() {
  int32_t first = part.begin[rank - 1];
  int32_t extent = part.end[rank - 1] - first;
  forEachRow([&](const Row &row) { take(row, first, extent); });
}

/// One bit for each of \p count flags, up to 64 of them; some bytes behind them
/// may be read.
static uint64_t flagBits(const uint8_t *flags, int64_t count) {
  uint64_t bits = 0;
  for (int64_t k = 0; k < count; k += 8) {
    uint64_t bytes;
    std::memcpy(&bytes, flags + k, 8);
    if constexpr (std::endian::native == std::endian::big)
      bytes = __builtin_bswap64(bytes);
    // Each product puts byte j's bit at place 56 + j.
    bits |= (bytes * 0x0102040810204080u >> 56) << k;
  }
  return count == 64 ? bits : bits & ((uint64_t(1) << count) - 1);
}

/// Adds what the flags of runs say to the pattern.
void BoxSelection::takeRuns() {
  const OwnSteps &last = along[rank - 1];
  int32_t at[ZRT_MAX_RANK];
  for (int64_t row = 0; row < count; ++row) {
    for (int d = 0; d + 1 < rank; ++d)
      at[d] = indices[d][row];
    if (rank > 1 && beginColumn == 0)
      builder.startRow(at);
    for (int64_t from = 0; from < run_columns; from += 64) {
      uint64_t bits = flagBits(flags + row * run_columns + from,
                               std::min<int64_t>(run_columns - from, 64));
      for (; bits != 0; bits &= bits - 1)
        builder.add(last.at(beginColumn + from + std::countr_zero(bits)));
    }
  }
}

void BoxSelection::takeFlagged() {
  int last = rank - 1;
  const uint8_t *row = room;
  forEachRow([&](const Row &at) {
    for (int32_t step = part.begin[last]; step < part.end[last];) {
      int32_t extent = std::min(part.end[last] - step, 64);
      uint64_t bits = flagBits(row, extent);
      row += extent;
      int32_t next = step + extent;
      while (bits != 0) {
        int skipped = std::countr_zero(bits);
        bits >>= skipped;
        int taken = std::countr_one(bits);
        step += skipped;
        take(at, step, taken);
        bits = taken == 64 ? 0 : bits >> taken;
        step += taken;
      }
      step = next;
    }
  });
}

/// Whether all rows before those of the part are in the pattern, and nothing
/// else has indices of them.
bool BoxSelection::comesNext() const {
  return rank == 2 && runs.empty() && part.begin[1] == 0 &&
         part.end[1] == along[1].count();
}

/// The columns of the row with this number among those that were asked for.
std::span<const StepRange> BoxSelection::columnsOfRow(int64_t number) {
  return steps.of(
      {row_piece + number * pieces, static_cast<size_t>(pieces)},
      {row_windows + number * windows, static_cast<size_t>(windows)});
}

void BoxSelection::takeRows() {
  int last = rank - 1;
  steps.start(along[last], part.begin[last], part.end[last]);
  if (exact == 0)
    return findCandidates();
  if (comesNext())
    return appendRows();
  int64_t number = 0;
  forEachRow([&](const Row &row) {
    for (auto [first, end] : columnsOfRow(number++))
      take(row, static_cast<int32_t>(first), static_cast<int32_t>(end - first));
  });
}

/// Adds the pieces of the rows to the pattern.
void BoxSelection::appendRows() {
  const OwnSteps &last = along[rank - 1];
  size_t size = 0;
  int64_t counts[Small];
  for (int64_t number = 0; number < count; ++number) {
    std::span<const StepRange> found = columnsOfRow(number);
    int64_t extent = 0;
    for (auto [first, end] : found)
      extent += end - first;
    counts[number] = extent;
    if (size + static_cast<size_t>(extent) > appended.size())
      appended.resize(2 * size + static_cast<size_t>(extent));
    int32_t *to = appended.data() + size;
    for (auto [first, end] : found)
      for (int64_t step = first; step < end; ++step)
        *to++ = last.at(step);
    size += static_cast<size_t>(extent);
  }
  builder.addRows(index, {counts, static_cast<size_t>(count)},
                  std::span(appended).first(size));
}

/// Makes the pieces of rows candidates; if those are too many, something else is
/// asked for.
void BoxSelection::findCandidates() {
  int64_t number = 0, total = 0;
  forEachRow([&](const Row &row) {
    auto numberOfRow = static_cast<int32_t>(candidateRows.size());
    candidateRows.push_back(row);
    for (auto [first, end] : columnsOfRow(number++)) {
      candidates.push_back({numberOfRow, static_cast<int32_t>(first),
                            static_cast<int32_t>(end - first)});
      total += end - first;
    }
  });
  candidate = 0;
  candidatesComeNext = comesNext();
  openRow = -1;
  if (!candidates.empty() && total <= number * FewColumns)
    return;
  bool isTooWide = !candidates.empty();
  candidates.clear();
  candidateRows.clear();
  if (!isTooWide)
    return;
  part.isTooWide = true;
  pieces = 0;
  splitBox();
}

/// Takes what the flags say of candidates, which have been asked for.
void BoxSelection::takeCandidates() {
  const OwnSteps &last = along[rank - 1];
  const uint8_t *flag = room, *end = room + count;
  while (flag != end) {
    Run &run = candidates[candidate];
    const Row &row = candidateRows[static_cast<size_t>(run.row)];
    if (candidatesComeNext && openRow != run.row) {
      startRow(row);
      openRow = run.row;
    }
    for (; run.count > 0 && flag != end; --run.count, ++run.first)
      if (*flag++ == 0)
        continue;
      else if (candidatesComeNext)
        builder.add(last.at(run.first));
      else
        take(row, run.first, 1);
    candidate += run.count == 0;
  }
  if (candidate < candidates.size())
    return;
  candidates.clear();
  candidateRows.clear();
}

void BoxSelection::take(const Row &row, int32_t first, int32_t extent) {
  int32_t number = 0;
  if (rank == 2) {
    number = row[0] - static_cast<int32_t>(begin);
    isInOrder &= runs.empty() || runs.back().row <= number;
  } else if (rank > 2) {
    number = static_cast<int32_t>(rows.size());
    rows.push_back(row);
    isInOrder = false;
  }
  runs.push_back({number, first, extent});
}

void BoxSelection::sortByCounting() {
  places.assign(Strip + 1, 0);
  for (const Run &run : runs)
    ++places[static_cast<size_t>(run.row) + 1];
  for (size_t row = 0; row < Strip; ++row)
    places[row + 1] += places[row];
  unsorted.swap(runs);
  runs.resize(unsorted.size());
  for (const Run &run : unsorted)
    runs[static_cast<size_t>(places[static_cast<size_t>(run.row)]++)] = run;
}

/// The row whose steps these are comes next.
void BoxSelection::startRow(const Row &row) {
  int32_t at[ZRT_MAX_RANK];
  for (int d = 0; d + 1 < rank; ++d)
    at[d] = along[d].at(row[d]);
  builder.startRow(at);
}

/// Less, equal or greater than 0 as the row of \p a comes before that of \p b.
int BoxSelection::compareRows(const Run &a, const Run &b) const {
  if (rank <= 2)
    return a.row - b.row;
  const Row &one = rows[static_cast<size_t>(a.row)];
  const Row &other = rows[static_cast<size_t>(b.row)];
  for (int d = 0; d + 1 < rank; ++d)
    if (one[d] != other[d])
      return one[d] - other[d];
  return 0;
}

void BoxSelection::sortRuns() {
  auto isLess = [&](const Run &a, const Run &b) {
    return compareRows(a, b) < 0;
  };
  if (rank == 2)
    sortByCounting();
  else if (!std::is_sorted(runs.begin(), runs.end(), isLess))
    std::stable_sort(runs.begin(), runs.end(), isLess);
}

void BoxSelection::endStrip() {
  if (!isInOrder)
    sortRuns();
  const OwnSteps &last = along[rank - 1];
  Row row = {};
  const Run *before = nullptr;
  for (const Run &run : runs) {
    if (rank > 1 && (!before || compareRows(*before, run) != 0)) {
      if (rank == 2)
        row[0] = static_cast<int32_t>(begin) + run.row;
      startRow(rank == 2 ? row : rows[static_cast<size_t>(run.row)]);
    }
    before = &run;
    for (int32_t step = run.first; step < run.first + run.count; ++step)
      builder.add(last.at(step));
  }
  if (begin == 0 && nextBegin > 0)
    builder.expect(double(along[0].count()) / double(nextBegin));
  runs.clear();
  rows.clear();
  isInOrder = true;
}

} // namespace zrt
