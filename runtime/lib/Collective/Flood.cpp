//===- Flood.cpp - Replication along grid dimensions ----------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `>>[k, 1..n] A` on a 2 x 2 grid: row k has two owners, one per half of the
// columns. Each sends its half to the other processor in its column of the
// grid; the result has half a row on each:
//
//     processor 0 (owns row k, columns 1..n/2)    ─▶ processor 2
//     processor 1 (owns row k, columns n/2+1..n)  ─▶ processor 3
//
// Where no singleton dimension of the source is distributed nothing has to
// move: the result borrows the array's storage, with the pitch 0 in the flooded
// dimensions, so that a flood costs nothing on one processor.
//
// Cost: one message of a slice's part per level of the broadcast tree.
//
//===----------------------------------------------------------------------===//

#include "Collective/Flood.h"

#include "Memory/Array.h"
#include "Memory/ElementView.h"
#include "Transport/Blocks.h"

namespace zrt {

/// Over \p region, with the elements of \p source at \p part of the source.
static void borrow(zrt_array &result, const zrt_array &source,
                   const zrt_region &region, const Box &part, uint64_t id) {
  result = source;
  result.region = region;
  result.borders = nullptr;
  result.border_count = 0;
  result.id = id;
  lendStorage(result, source);
  ElementView view = viewOf(source, part);
  uint64_t offset = 0;
  for (int d = 0; d < region.rank; ++d) {
    bool isFlooded = region.floods >> d & 1;
    Seq positions =
        isFlooded ? Seq{0, 0, 1} : positionsOf(part.dim[d], region.dim[d]);
    result.stored[d] = isEmpty(part) ? EmptyRange : rangeOf(positions);
    result.pitch[d] = isFlooded ? 0 : view.step[d];
    // A step over at most one element is of no use, but code counts on the
    // size.
    if (!isFlooded && view.count[d] <= 1 && d == region.rank - 1)
      result.pitch[d] = source.type->size;
    offset += static_cast<uint64_t>(positions.lo) *
              static_cast<uint64_t>(result.pitch[d]);
  }
  result.origin =
      reinterpret_cast<char *>(reinterpret_cast<uintptr_t>(view.base) - offset);
}

/// True if loops over \p result may use the storage of \p source: where both
/// are flooded or neither is.
static bool mayBorrow(const zrt_region &result, const zrt_array &source) {
  return (source.region.floods & ~result.floods) == 0 &&
         mayLendRows(source, result);
}

void floodArray(const Parallel &parallel, zrt_array &result,
                const zrt_array &source, const zrt_region &from, uint64_t id,
                const zrt_loc *loc) {
  const Distribution &distribution = parallel.distribution;
  Transport &transport = parallel.transport;
  int self = transport.rank();
  zrt_region region = from;
  region.floods |= from.singletons;
  region.singletons = 0;
  int moved = 0; // singleton dimensions in which processors differ
  int root[ZRT_MAX_RANK];
  distribution.grid.coordinates(self, root);
  for (int d = 0; d < from.rank; ++d) {
    if (!(region.floods >> d & 1))
      continue;
    region.dim[d] = {0, 0, 1, 0};
    int everywhere = source.region.floods & ~source.region.grids;
    bool isRead = !((from.floods | everywhere) >> d & 1);
    if (!isRead || !distribution.distributed(d))
      continue;
    moved |= 1 << d;
    root[d] = static_cast<int>(distribution.cut[d].owner(from.dim[d].lo));
  }
  int owner = distribution.grid.processor(root);
  Box part = ownPart(distribution, from, owner);
  for (int d = 0; d < from.rank; ++d)
    if (from.singletons & source.region.floods & 1 << d)
      part.dim[d] = {0, 0, 1}; // every processor has one
  bool isNothing = isEmpty(part);
  if (moved == 0 && mayBorrow(region, source)) // on all processors or on none
    return borrow(result, source, region, part, id);
  ArraySpec spec = {region, *source.type, source.name};
  createArray(transport, result, spec, distribution.own(self, region.floods),
              id, loc);
  if (isNothing)
    return;
  MemoryBlock to = blockOf(result, flooded(part, region.floods));
  Slice slice = sliceOf(distribution.grid, self, moved);
  size_t bytes = static_cast<size_t>(to.bytes());
  bool isContiguous = to.rank == 1 && to.stride[0] == to.elementSize;
  std::vector<char> packed(isContiguous ? 0 : bytes);
  char *elements = isContiguous ? to.base : packed.data();
  int place = 0;
  while (slice.members[static_cast<size_t>(place)] != owner)
    ++place;
  if (self == owner)
    packBlock(blockOf(source, part, IndexMap()), elements);
  broadcast(transport, slice, place, elements, bytes);
  if (!isContiguous)
    unpackBlock(elements, to);
}

} // namespace zrt
