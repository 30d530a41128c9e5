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
// may be true. So boxes are asked for, from large to small, down to Small
// indices, of which the program looks at each.
//
//     . . . . | . . . .        2 boxes are known to have no index; in the two
//     . . . . | . . . .        others the quarters on the diagonal are asked
//     --------+--------        for again
//     . . . . | . . . .
//     . . . . | . . . .
//
// 1. Where columns are known, and few, the box is cut into boxes of fewer rows,
//    whose columns are fewer; of FewRows the columns are cut out, each piece by
//    itself. Of a band that is one question for eight rows. Other boxes are
//    halved along their longest dimension.
// 2. The region is taken in strips along its first dimension, so that what is
//    kept beside the pattern is that of one strip.
// 3. Halves begin at multiples of powers of two in steps. Then a diagonal goes
//    through the corners of small boxes and most rows of them are full.
// 4. What comes first comes first. Hence the runs of a row come in order, and a
//    stable sort by rows at the end of the strip gives row-major order.
//
// What is selected among the indices of a pattern, `S &= e`, is asked of these,
// Small of them at a time.
//
// Steps number the own indices of a dimension; of one piece, with any stride,
// the index is computed, of several, as in block-cyclic distributions, it is
// looked up in a list.
//
// Cost: where conditions are known of the boxes beside their boundary, as for
// bands, in proportion to the small boxes that have part of it, times the
// logarithm of the extents at most; where nothing is known, as many indices as
// the region has. Memory: the pattern and the runs of a strip.
//
//===----------------------------------------------------------------------===//

#include "Sparse/BoxSelection.h"

#include "Support/Error.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace zrt {

OwnSteps::OwnSteps(const IndexOwners &owners, int d, const Seq &indices) {
  std::vector<Seq> parts = owners.partsOf(d, indices);
  for (const Seq &part : parts)
    total += size(part);
  if (parts.empty())
    return;
  lo = parts.front().lo;
  stride = parts.front().stride;
  if (parts.size() == 1)
    return;
  list.reserve(static_cast<size_t>(total));
  for (const Seq &part : parts)
    for (int64_t index = part.lo; index <= part.hi; index += part.stride)
      list.push_back(static_cast<int32_t>(index));
}

int64_t OwnSteps::firstFrom(int64_t index, int64_t begin, int64_t end) const {
  if (!list.empty())
    return std::lower_bound(list.begin() + begin, list.begin() + end, index) -
           list.begin();
  if (index <= lo)
    return begin;
  return std::clamp((index - lo + stride - 1) / stride, begin, end);
}

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
  if (isEmpty)
    nextBegin = along[0].count();
  if (rank == 1) // all of it is one row
    builder.startRow(indices[0]);
  flags = room;
}

int32_t BoxSelection::next(int32_t answer) {
  if (among)
    return nextAmong(answer);
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
      takeFlagged();
      break;
    }
  if (parts.empty() && !nextStrip())
    return ZRT_SELECT_DONE;
  part = parts.back();
  parts.pop_back();
  return part.isSmall ? askEach() : ask();
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

int32_t BoxSelection::ask() {
  for (int d = 0; d < rank; ++d) {
    lo[d] = along[d].at(part.begin[d]);
    hi[d] = along[d].at(part.end[d] - 1);
  }
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

/// Takes the columns of the answer apart: ranges in order with gaps between
/// them. How many steps they have together.
int64_t BoxSelection::findPieces() {
  int last = rank - 1;
  int64_t first = part.begin[last], end = part.end[last];
  columns.clear();
  if (pieces == 0)
    columns.push_back({first, end});
  for (int64_t k = 0; k < pieces; ++k) {
    int64_t least = std::max(from[k], lo[last]);
    int64_t greatest = std::min(to[k], hi[last]);
    if (least > greatest)
      continue;
    Piece piece = {along[last].firstFrom(least, first, end),
                   along[last].firstFrom(greatest + 1, first, end)};
    if (piece.begin < piece.end)
      columns.push_back(piece);
  }
  std::sort(columns.begin(), columns.end(),
            [](const Piece &a, const Piece &b) { return a.begin < b.begin; });
  size_t kept = 0;
  for (const Piece &piece : columns)
    if (kept > 0 && piece.begin <= columns[kept - 1].end)
      columns[kept - 1].end = std::max(columns[kept - 1].end, piece.end);
    else
      columns[kept++] = piece;
  columns.resize(kept);
  int64_t total = 0;
  for (const Piece &piece : columns)
    total += piece.end - piece.begin;
  return total;
}

/// What is asked for instead of a part of which too little is known.
void BoxSelection::split() {
  int last = rank - 1;
  int64_t extent = part.end[last] - part.begin[last];
  int64_t rowCount = 1;
  int longest = 0;
  for (int d = 0; d < last; ++d) {
    int64_t of = part.end[d] - part.begin[d];
    rowCount = std::min(rowCount * of, int64_t(INT32_MAX));
    if (of > part.end[longest] - part.begin[longest])
      longest = d;
  }
  int64_t total = findPieces();
  if (columns.empty())
    return;
  Part whole = part;
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
    Part &piece = parts.emplace_back(whole);
    piece.begin[d] = whole.begin[d] + offset;
    piece.end[d] = std::min(piece.begin[d] + step, whole.end[d]);
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

void BoxSelection::take(const Row &row, int32_t first, int32_t extent) {
  int32_t number = 0;
  if (rank == 2) {
    number = row[0] - static_cast<int32_t>(begin);
  } else if (rank > 2) {
    number = static_cast<int32_t>(rows.size());
    rows.push_back(row);
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

void BoxSelection::startRow(const Run &run) {
  int32_t at[ZRT_MAX_RANK];
  for (int d = 0; d + 1 < rank; ++d) {
    int64_t step =
        rank == 2 ? begin + run.row : rows[static_cast<size_t>(run.row)][d];
    at[d] = along[d].at(step);
  }
  builder.startRow(at);
}

void BoxSelection::endStrip() {
  auto rowOf = [&](const Run &run) {
    return std::span(rows[static_cast<size_t>(run.row)].data(),
                     static_cast<size_t>(rank - 1));
  };
  auto compare = [&](const Run &a, const Run &b) {
    return std::lexicographical_compare(rowOf(a).begin(), rowOf(a).end(),
                                        rowOf(b).begin(), rowOf(b).end());
  };
  if (rank == 2)
    sortByCounting();
  else if (rank > 2)
    std::stable_sort(runs.begin(), runs.end(), compare);
  const OwnSteps &last = along[rank - 1];
  const Run *before = nullptr;
  for (const Run &run : runs) {
    bool isNewRow = !before || (rank == 2 ? before->row != run.row
                                          : rank > 2 && compare(*before, run));
    if (isNewRow && rank > 1)
      startRow(run);
    before = &run;
    for (int32_t step = run.first; step < run.first + run.count; ++step)
      builder.add(last.at(step));
  }
  runs.clear();
  rows.clear();
}

} // namespace zrt
