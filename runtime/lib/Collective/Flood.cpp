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
// In two phases the owners put their parts, if they are small, where the others
// of the slice get them (PartExchange); larger ones are broadcast at the end.
//
// Cost: one broadcast of a part in each slice; split, one message of a part to
// each member, and two copies of it.
//
//===----------------------------------------------------------------------===//

#include "Collective/Flood.h"

#include "Collective/Flooding.h"
#include "Memory/Array.h"
#include "Memory/ElementView.h"
#include "Transport/Blocks.h"

namespace zrt {

void borrowFlooded(zrt_array &result, const zrt_array &source,
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

bool mayBorrow(const zrt_region &result, const zrt_array &source) {
  return (source.region.floods & ~result.floods) == 0 &&
         mayLendRows(source, result);
}

Flooding::Flooding(const Parallel &parallel, const zrt_array &source,
                   const zrt_region &from)
    : region(from) {
  const Distribution &distribution = parallel.distribution;
  region.floods |= from.singletons;
  region.singletons = 0;
  distribution.grid.coordinates(parallel.transport.rank(), root);
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
}

Box Flooding::part(const Distribution &distribution, const zrt_array &source,
                   const zrt_region &from) const {
  Box part = ownPart(distribution, from, distribution.grid.processor(root));
  for (int d = 0; d < from.rank; ++d)
    if (from.singletons & source.region.floods & 1 << d)
      part.dim[d] = {0, 0, 1}; // every processor has one
  return part;
}

static FloodMove makeResult(const Parallel &parallel, zrt_array &result,
                            const zrt_array &source, const zrt_region &from,
                            uint64_t id, const zrt_loc *loc) {
  const Distribution &distribution = parallel.distribution;
  Flooding flooding(parallel, source, from);
  const zrt_region &region = flooding.region;
  int owner = distribution.grid.processor(flooding.root);
  FloodMove move;
  move.part = flooding.part(distribution, source, from);
  // On all processors or on none.
  if (flooding.moved == 0 && mayBorrow(region, source)) {
    borrowFlooded(result, source, region, move.part, id);
    return move;
  }
  ArraySpec spec = {region, *source.type, source.name};
  createArray(parallel.transport, result, spec,
              distribution.own(parallel.transport.rank(), region.floods), id,
              loc);
  move.isDistributed = true;
  move.slice = &parallel.slice(flooding.moved);
  while (move.slice->members[static_cast<size_t>(move.root)] != owner)
    ++move.root;
  move.mostBytes = static_cast<size_t>(source.type->size);
  for (int d = 0; d < region.rank; ++d)
    move.mostBytes *= static_cast<size_t>(mostOwned(distribution, region, d));
  move.isNothing = isEmpty(move.part);
  if (!move.isNothing)
    move.to = blockOf(result, flooded(move.part, region.floods));
  return move;
}

/// Brings the owner's part to all members of the slice.
static void moveWhole(const Parallel &parallel, const zrt_array &source,
                      const FloodMove &move) {
  const MemoryBlock &to = move.to;
  size_t bytes = static_cast<size_t>(to.bytes());
  bool isContiguous = to.rank == 1 && to.stride[0] == to.elementSize;
  std::vector<char> packed(isContiguous ? 0 : bytes);
  char *elements = isContiguous ? to.base : packed.data();
  if (move.slice->self == move.root)
    packBlock(blockOf(source, move.part, IndexMap()), elements);
  broadcast(parallel.transport, *move.slice, move.root, elements, bytes);
  if (!isContiguous)
    unpackBlock(elements, to);
}

void floodArray(const Parallel &parallel, zrt_array &result,
                const zrt_array &source, const zrt_region &from, uint64_t id,
                const zrt_loc *loc) {
  FloodMove move = makeResult(parallel, result, source, from, id, loc);
  if (!move.isNothing)
    moveWhole(parallel, source, move);
}

/// A part that is sent to each member by itself.
static constexpr size_t MostSplitBytes = size_t(1) << 16;

SplitFlood::SplitFlood(const Parallel &parallel, zrt_array &result,
                       const zrt_array &source, const zrt_region &from,
                       uint64_t id, const zrt_loc *loc)
    : parallel(parallel), source(source),
      move(makeResult(parallel, result, source, from, id, loc)) {
  // The same on all processors.
  if (!move.isDistributed ||
      !PartExchange::suits(*move.slice, move.mostBytes, MostSplitBytes))
    return;
  part = &parallel.exchanges.take(parallel.transport, *move.slice,
                                  move.mostBytes, move.root);
  if (move.isNothing)
    return;
  if (move.slice->self == move.root) {
    MemoryBlock own = blockOf(source, move.part, IndexMap());
    packBlock(own, part->mine());
    copyBlock(own, move.to);
  }
  part->publish();
}

SplitFlood::~SplitFlood() {
  if (part)
    parallel.exchanges.give(*part);
}

void SplitFlood::end() {
  if (move.isNothing)
    return;
  if (!part)
    moveWhole(parallel, source, move);
  else if (move.slice->self != move.root)
    unpackBlock(part->collect(), move.to);
}

} // namespace zrt
