//===- SparseSort.cpp - Elements of sparse arrays in order ----------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     [S] sort(A, B);      S = [1..n] where ...
//
// The values that a processor has are a vector, so they are sorted like those of
// a dense array: each processor gets as many as it has indices. In a scattered
// domain the processors' indices do not follow each other. There the pattern is
// sent to where blocks of the region would be, the arrays are fetched over it,
// sorted and stored back.
//
//===----------------------------------------------------------------------===//

#include "Entry/Sparse/SparseSort.h"

#include "Entry/Domains/InBlocks.h"
#include "Entry/Process.h"
#include "Sort/Sort.h"
#include "Sparse/Facts.h"
#include "Sparse/Routing.h"
#include "Sparse/SparseArray.h"

namespace zrt {

/// In the order of the processors of a region in blocks.
static void sortInBlocks(const zrt_region &region,
                         const std::vector<zrt_array *> &arrays,
                         bool isDescending, zrt_before before,
                         const zrt_loc *loc) {
  Process &p = process();
  Parallel parallel{*p.transport, p.distribution(region), p.slices,
                    p.exchanges};
  sortVectors(parallel, countsOf(*p.transport, *patternOf(region.pattern)),
              arrays, isDescending, before, loc);
}

void sortSparse(const zrt_region &region,
                const std::vector<zrt_array *> &arrays, bool isDescending,
                zrt_before before, const zrt_loc *loc) {
  Process &p = process();
  zrt_region used = usable(region, loc);
  if (!p.domains.isScattered(region))
    return sortInBlocks(used, arrays, isDescending, before, loc);
  zrt_region blocks = inBlocks(used);
  IndexOwners owners = ownersOf(blocks);
  PatternPtr pattern =
      routedMoved(*p.transport, *patternOf(used.pattern), nullptr, boxOf(used),
                  owners, patternBuilder(owners, blocks, loc));
  blocks.pattern = pattern.get();
  IndexMove still;
  still.bounds = boxOf(used);
  PatternPlan plan(*p.transport, {p.placement(blocks), blocks},
                   {p.placement(used), used}, still);
  std::vector<zrt_array> copies(arrays.size());
  std::vector<zrt_array *> sorted;
  for (size_t k = 0; k < arrays.size(); ++k) {
    createSparse(*p.transport, copies[k], blocks, *arrays[k]->type,
                 arrays[k]->name, ++p.lastArrayId, loc);
    plan.fetch(*p.transport, copies[k], *arrays[k]);
    sorted.push_back(&copies[k]);
  }
  sortInBlocks(blocks, sorted, isDescending, before, loc);
  for (size_t k = 0; k < arrays.size(); ++k) {
    plan.store(*p.transport, *arrays[k], copies[k], {nullptr, 0});
    destroyArray(*p.transport, copies[k]);
  }
}

} // namespace zrt
