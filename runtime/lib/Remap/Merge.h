//===- Merge.h - Several ascending lists in one order -----------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_REMAP_MERGE_H
#define ZRT_REMAP_MERGE_H

#include <cstddef>
#include <cstdint>
#include <functional>
#include <queue>
#include <vector>

namespace zrt {

/// Takes \p count ascending lists of different numbers in the order of all.
/// Stream p has lengthOf(p) numbers, the k-th one is numberAt(p, k);
/// take(p, from, to) gets the runs that go before everything that is left. The
/// cost is that of the runs, and a look at each number.
template <typename L, typename N, typename T>
void mergeStreams(size_t count, L &&lengthOf, N &&numberAt, T &&take) {
  struct Head {
    int64_t number;
    size_t stream, at;
    bool operator>(const Head &other) const { return number > other.number; }
  };
  std::priority_queue<Head, std::vector<Head>, std::greater<>> heads;
  for (size_t p = 0; p < count; ++p)
    if (lengthOf(p) > 0)
      heads.push({numberAt(p, 0), p, 0});
  while (!heads.empty()) {
    Head head = heads.top();
    heads.pop();
    size_t length = lengthOf(head.stream), to = head.at + 1;
    if (heads.empty())
      to = length;
    else
      while (to < length && numberAt(head.stream, to) < heads.top().number)
        ++to;
    take(head.stream, head.at, to);
    if (to < length)
      heads.push({numberAt(head.stream, to), head.stream, to});
  }
}

} // namespace zrt

#endif // ZRT_REMAP_MERGE_H
