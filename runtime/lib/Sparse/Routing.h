//===- Routing.h - Indices on their way to their owners ---------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_SPARSE_ROUTING_H
#define ZRT_SPARSE_ROUTING_H

#include "Sparse/Pattern.h"

namespace zrt {

/// Indices in a row, as numbers to be sent: for each row its index, how many
/// columns follow, and these. Rows need not be in order, nor complete.
class IndexStream {
public:
  explicit IndexStream(int rank) : outer(static_cast<size_t>(rank - 1)) {}

  /// \p at: the row.
  void add(const int32_t *at, int32_t column) {
    if (!hasRow || !std::equal(at, at + outer, &words[countAt - outer]))
      startRow(at);
    ++words[countAt];
    words.push_back(column);
  }
  void add(const int64_t *index);

  std::vector<int32_t> words;

private:
  void startRow(const int32_t *at);

  size_t outer;
  size_t countAt = 0; ///< where the number of the row's columns is
  bool hasRow = false;
};

/// Calls \p f with the row and the column of each index of a stream.
template <typename F>
void forEachIndex(const std::vector<int32_t> &words, int rank, F &&f) {
  size_t outer = static_cast<size_t>(rank - 1), at = 0;
  while (at < words.size()) {
    const int32_t *row = &words[at], *columns = row + outer + 1;
    for (int32_t k = 0; k < row[outer]; ++k)
      f(row, columns[k]);
    at += outer + 1 + static_cast<size_t>(row[outer]);
  }
}

/// The pattern of all indices that the streams of all processors have for this
/// one, stream p here for processor p; what comes twice counts once. Collective.
PatternPtr routed(Transport &transport, std::vector<IndexStream> streams,
                  int rank, PatternBuilder builder);

/// The pattern of the indices of \p pattern on all processors, each moved by \p
/// direction (null: zero), that are in \p box. Collective.
PatternPtr routedMoved(Transport &transport, const Pattern &pattern,
                       const int64_t *direction, const Box &box,
                       const IndexOwners &owners, PatternBuilder builder);

/// The same of indices that stay here. Local.
PatternPtr movedHere(const Pattern &pattern, const int64_t *direction,
                     const Box &box, PatternBuilder builder);

} // namespace zrt

#endif // ZRT_SPARSE_ROUTING_H
