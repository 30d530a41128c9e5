//===- Pieces.cpp - A block in boxes --------------------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A loop that reads A@north and A@east on the middle one of 3 x 3 processors
// can execute all but its first row and its last column before the neighbours'
// elements are there:
//
//     +-----------+ slab 1, dimension 0, below
//     |         |s|
//     | interior|2| slab 2, dimension 1, above: without the rows of slab 1
//     |         | |
//     +---------+-+
//
// Blocks at the edge of the grid reach to IndexLimit, where nobody is to read
// from; nothing is left out there. With `@^` they read what is at the other
// edge: there they count from where the array ends.
//
// Cost: some 20 ns each time, which is why it is not kept from time to time.
//
//===----------------------------------------------------------------------===//

#include "Transfer/Pieces.h"

#include "Layout/Box.h"
#include "Support/Env.h"

#include <algorithm>

namespace zrt {

void Reach::add(const Distribution &distribution, const zrt_region &region,
                int floods, const int64_t *direction) {
  for (int d = 0; d < region.rank; ++d) {
    if (!distribution.distributed(d) || (floods >> d & 1))
      continue;
    below[d] = std::max(below[d], -direction[d]);
    above[d] = std::max(above[d], direction[d]);
  }
}

bool travel(const Transport &transport, const std::vector<Pair> &pairs) {
  std::string forced = envText(EnvVariable::Interior);
  return std::any_of(pairs.begin(), pairs.end(), [&](const Pair &pair) {
    return !pair.receives.empty() && forced != "never" &&
           (forced == "always" || transport.travels(pair.partner));
  });
}

void Pieces::begin(const zrt_domain &own, int ranks) {
  block = interior = own;
  rank = ranks;
}

void Pieces::leaveOut(const Reach &reach) {
  for (int d = 0; d < rank; ++d) {
    const Range &own = block.own[d];
    Range &inner = interior.own[d];
    int64_t lo = std::max(own.lo, reach.wrapped[d].lo);
    int64_t hi = std::min(own.hi, reach.wrapped[d].hi);
    if (lo > -IndexLimit)
      inner.lo = std::max(inner.lo, lo + reach.below[d]);
    if (hi < IndexLimit)
      inner.hi = std::min(inner.hi, hi - reach.above[d]);
  }
}

void Pieces::cut() {
  count = 1;
  bool isWhole = true;
  for (int d = 0; d < rank; ++d) {
    isWhole = isWhole && interior.own[d] == block.own[d];
    if (isEmpty(interior.own[d]))
      interior = block;
  }
  boxes[0] = interior;
  zrt_domain rest = block;
  for (int d = 0; d < rank && !isWhole; ++d) {
    const Range inner = interior.own[d], all = rest.own[d];
    auto addSlab = [&](Range slab) {
      if (isEmpty(slab))
        return;
      boxes[count] = rest;
      boxes[count++].own[d] = slab;
    };
    addSlab({all.lo, inner.lo - 1});
    addSlab({inner.hi + 1, all.hi});
    rest.own[d] = inner;
  }
}

} // namespace zrt
