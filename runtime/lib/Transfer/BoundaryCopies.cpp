//===- BoundaryCopies.cpp - The copies of wrap and reflect ----------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A loop with periodic boundaries comes to the same statements again and again,
//
//     [north of R] wrap A;  [south of R] wrap A;  [R] A := A@north + A@south;
//
// and planning one takes longer than copying a short row. So the last copies
// are kept and found by array, region and direction, one used longest ago goes
// first. Array ids are never used twice, so a copy cannot outlive its storage
// unnoticed. Looking at all of them takes a fraction of a microsecond.
//
//===----------------------------------------------------------------------===//

#include "Transfer/BoundaryCopies.h"

#include <algorithm>
#include <cstring>

namespace zrt {

bool BoundaryCopies::Entry::matches(const BoundaryStatement &statement) const {
  int rank = base.rank;
  return array == statement.array.id && kind == statement.kind &&
         std::equal(direction, direction + rank, statement.direction) &&
         base.floods == statement.base.floods &&
         std::memcmp(base.dim, statement.base.dim, sizeof(zrt_dim) * rank) == 0;
}

Copy *BoundaryCopies::find(const BoundaryStatement &statement) {
  auto found =
      std::find_if(entries.begin(), entries.end(), [&](const auto &entry) {
        return entry->matches(statement);
      });
  if (found == entries.end())
    return nullptr;
  std::rotate(found, found + 1, entries.end());
  return &entries.back()->copy;
}

Copy &BoundaryCopies::add(const BoundaryStatement &statement, Copy copy) {
  if (entries.size() == MostEntries)
    entries.erase(entries.begin());
  entries.push_back(std::make_unique<Entry>(Entry{statement.kind,
                                                  statement.array.id,
                                                  statement.base,
                                                  {},
                                                  std::move(copy)}));
  std::copy(statement.direction, statement.direction + statement.base.rank,
            entries.back()->direction);
  return entries.back()->copy;
}

void BoundaryCopies::dropArray(uint64_t id) {
  std::erase_if(entries,
                [id](const auto &entry) { return entry->array == id; });
}

} // namespace zrt
