//===- Routing.cpp - Indices on their way to their owners -----------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A pattern that is moved, added to by anybody or distributed anew is made of
// indices that are elsewhere. They travel as streams, four bytes per index and
// a few more per row:
//
//     (3, 2) (3, 4) (4, 1)     3, 2, 2, 4,  4, 1, 1
//
// What comes is a list of pieces of rows, in order or not. They are put into
// the order of their rows; where several pieces are of one row, their columns
// are merged.
//
// Cost: of n indices in r pieces n + r log r, if the pieces do not come in order.
//
//===----------------------------------------------------------------------===//

#include "Sparse/Routing.h"

#include "Remap/Messages.h"
#include "Sparse/MergedPatterns.h"

#include <algorithm>

namespace zrt {

void IndexStream::startRow(const int32_t *at) {
  words.insert(words.end(), at, at + outer);
  countAt = words.size();
  words.push_back(0);
  hasRow = true;
}

void IndexStream::add(const int64_t *index) {
  int32_t at[ZRT_MAX_RANK];
  std::copy(index, index + outer + 1, at);
  add(at, at[outer]);
}

namespace {

/// A piece of a row within a stream.
struct RoutedPiece {
  const int32_t *at;
  std::span<const int32_t> columns;
};

/// The pieces of the streams, of rows in \p outer dimensions.
std::vector<RoutedPiece>
piecesOf(const std::vector<std::vector<int32_t>> &streams, size_t outer) {
  std::vector<RoutedPiece> pieces;
  for (const std::vector<int32_t> &words : streams)
    for (size_t at = 0; at < words.size();) {
      auto count = static_cast<size_t>(words[at + outer]);
      pieces.push_back({&words[at], {&words[at + outer] + 1, count}});
      at += outer + 1 + count;
    }
  return pieces;
}

/// Adds the columns of \p pieces, all of one row.
void addRow(std::span<const RoutedPiece> pieces, std::vector<int32_t> &columns,
            PatternBuilder &builder) {
  columns.clear();
  for (const RoutedPiece &piece : pieces)
    columns.insert(columns.end(), piece.columns.begin(), piece.columns.end());
  if (!std::is_sorted(columns.begin(), columns.end()))
    std::sort(columns.begin(), columns.end());
  columns.erase(std::unique(columns.begin(), columns.end()), columns.end());
  builder.startRow(pieces[0].at);
  builder.add(columns);
}

} // namespace

PatternPtr routed(Transport &transport, std::vector<IndexStream> streams,
                  int rank, PatternBuilder builder) {
  std::vector<std::vector<int32_t>> messages;
  for (IndexStream &stream : streams)
    messages.push_back(std::move(stream.words));
  if (transport.size() > 1)
    messages = exchangeNumbers(transport, messages, false);
  auto outer = static_cast<size_t>(rank - 1);
  std::vector<RoutedPiece> pieces = piecesOf(messages, outer);
  auto isBefore = [outer](const RoutedPiece &a, const RoutedPiece &b) {
    return std::lexicographical_compare(a.at, a.at + outer, b.at, b.at + outer);
  };
  if (!std::is_sorted(pieces.begin(), pieces.end(), isBefore))
    std::sort(pieces.begin(), pieces.end(), isBefore);
  std::vector<int32_t> columns;
  for (size_t from = 0; from < pieces.size();) {
    size_t to = from + 1;
    while (to < pieces.size() && !isBefore(pieces[from], pieces[to]))
      ++to;
    addRow({&pieces[from], to - from}, columns, builder);
    from = to;
  }
  return builder.finish();
}

/// Row \p r of \p pattern, moved; false if it leaves \p box.
static bool movedRow(const Pattern &pattern, int64_t r,
                     const int64_t *direction, const Box &box, int32_t *at) {
  for (int d = 0; d + 1 < pattern.rank; ++d) {
    int64_t index = pattern.row[d][r] + (direction ? direction[d] : 0);
    if (!contains(box.dim[d], index))
      return false;
    at[d] = static_cast<int32_t>(index);
  }
  return true;
}

PatternPtr routedMoved(Transport &transport, const Pattern &pattern,
                       const int64_t *direction, const Box &box,
                       const IndexOwners &owners, PatternBuilder builder) {
  int last = pattern.rank - 1, place[ZRT_MAX_RANK];
  int64_t distance = direction ? direction[last] : 0;
  std::vector<IndexStream> streams(static_cast<size_t>(transport.size()),
                                   IndexStream(pattern.rank));
  PatternBuilder stays = builder;
  int32_t at[ZRT_MAX_RANK];
  for (int64_t r = 0; r < pattern.rows; ++r) {
    if (!movedRow(pattern, r, direction, box, at))
      continue;
    for (int d = 0; d < last; ++d)
      place[d] = owners.along(d, at[d]);
    stays.startRow(at);
    for (int32_t column : columnsOf(pattern, r)) {
      int64_t index = column + distance;
      if (!contains(box.dim[last], index))
        continue;
      place[last] = owners.along(last, index);
      int owner = owners.processor(place);
      if (owner == owners.self)
        stays.add(static_cast<int32_t>(index));
      else
        streams[static_cast<size_t>(owner)].add(at,
                                                static_cast<int32_t>(index));
    }
  }
  PatternPtr own = stays.finish();
  PatternPtr come =
      routed(transport, std::move(streams), pattern.rank, builder);
  return come->count == 0 ? own
                          : united(own.get(), come.get(), std::move(builder));
}

PatternPtr movedHere(const Pattern &pattern, const int64_t *direction,
                     const Box &box, PatternBuilder builder) {
  int last = pattern.rank - 1;
  int64_t distance = direction ? direction[last] : 0;
  int32_t at[ZRT_MAX_RANK];
  if (pattern.rank > 1 && box.dim[last].lo == box.dim[last].hi) {
    auto column = static_cast<int32_t>(box.dim[last].lo);
    pattern.forEachInColumn(int64_t(column) - distance,
                            [&](int64_t r, int64_t) {
                              if (!movedRow(pattern, r, direction, box, at))
                                return;
                              builder.startRow(at);
                              builder.add(column);
                            });
    return builder.finish();
  }
  for (int64_t r = 0; r < pattern.rows; ++r) {
    if (!movedRow(pattern, r, direction, box, at))
      continue;
    builder.startRow(at);
    for (int32_t column : columnsOf(pattern, r))
      if (int64_t index = column + distance; contains(box.dim[last], index))
        builder.add(static_cast<int32_t>(index));
  }
  return builder.finish();
}

} // namespace zrt
