//===- PlacedFlood.cpp - Floods over scattered domains --------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     >>[k, 1..n] A         row k to all processors of each column of the grid
//
// Processors that differ only along flooded dimensions have the same indices at
// the same places in the others. So the owner of the singletons broadcasts its
// part of the row as it lies there, and the others put it at the same places:
// what cyclic distributions are for costs what it does in blocks. Where the
// grid has one processor along the flooded dimensions nothing moves, and the
// result looks into the source.
//
//===----------------------------------------------------------------------===//

#include "Entry/Domains/PlacedFlood.h"

#include "Collective/Collective.h"
#include "Collective/Flooding.h"
#include "Entry/Process.h"
#include "Memory/Array.h"
#include "Transport/Blocks.h"

#include <algorithm>
#include <memory>

namespace zrt {

/// The part that owns \p index along one dimension.
static int ownerOf(const Places &places, int64_t index) {
  for (int64_t part = 0; part < places.parts(); ++part)
    if (!isEmpty(places.placesOf(part, {index, index})))
      return static_cast<int>(part);
  return 0;
}

/// The memory of the positions \p places of \p array, of which dimensions in
/// \p floods have one. Where the array is flooded all places are one.
static MemoryBlock blockAt(const zrt_array &array, const Box &places,
                           int floods) {
  MemoryBlock block;
  block.elementSize = array.type->size;
  block.rank = places.rank;
  uint64_t offset = 0;
  for (int d = 0; d < places.rank; ++d) {
    auto pitch = static_cast<uint64_t>(array.pitch[d]);
    offset += static_cast<uint64_t>(places.dim[d].lo) * pitch;
    block.count[d] = floods >> d & 1 ? 1 : size(places.dim[d]);
    block.stride[d] = array.region.floods >> d & 1 ? 0 : array.pitch[d];
  }
  block.base = reinterpret_cast<char *>(
      reinterpret_cast<uintptr_t>(array.origin) + offset);
  return block;
}

/// Whether the elements of \p block lie side by side.
static bool isRow(const MemoryBlock &block) {
  int64_t count = 1;
  for (int d = block.rank - 1; d >= 0; --d) {
    if (block.count[d] != 1 && block.stride[d] != count * block.elementSize)
      return false;
    count *= block.count[d];
  }
  return true;
}

/// \p places of the source of a flood, which is flooded itself in some of its
/// dimensions.
static Box sourcePlaces(Box places, const zrt_array &source) {
  for (int d = 0; d < places.rank; ++d)
    if (source.region.floods >> d & 1)
      places.dim[d] = {0, 0, 1};
  return places;
}

/// Makes \p result the elements of \p source at \p from in its storage; over
/// \p region, of which \p places are here.
static void borrowFlood(zrt_array &result, const zrt_array &source,
                        const zrt_region &region, const Box &from,
                        const Box &places) {
  zrt_array made = source;
  made.region = region;
  made.borders = nullptr;
  made.border_count = 0;
  made.id = ++process().lastArrayId;
  made.origin = blockAt(source, from, region.floods).base;
  for (int d = 0; d < region.rank; ++d) {
    made.stored[d] = rangeOf(places.dim[d]);
    if (region.floods >> d & 1)
      made.pitch[d] = 0;
    else // blockAt is at the first place
      made.origin =
          reinterpret_cast<char *>(reinterpret_cast<uintptr_t>(made.origin) -
                                   static_cast<uint64_t>(from.dim[d].lo) *
                                       static_cast<uint64_t>(source.pitch[d]));
  }
  lendStorage(made, source);
  result = made;
}

/// Brings the elements of \p source at \p from, which are with the member at
/// \p place of \p slice, to \p target on all of them.
static void broadcastBlock(Transport &transport, const Slice &slice, int place,
                           const zrt_array &source, const Box &from, int floods,
                           const MemoryBlock &target) {
  auto bytes = static_cast<size_t>(target.bytes());
  bool isHere = slice.members[static_cast<size_t>(place)] == transport.rank();
  std::unique_ptr<char[]> buffer;
  char *elements = target.base;
  if (!isRow(target))
    elements = (buffer = std::make_unique_for_overwrite<char[]>(bytes)).get();
  if (isHere) {
    MemoryBlock own = blockAt(source, from, floods);
    std::copy(target.count, target.count + target.rank, own.count);
    packBlock(own, elements);
  }
  broadcast(transport, slice, place, elements, bytes);
  if (buffer)
    unpackBlock(elements, target);
}

void floodPlaced(zrt_array &result, const zrt_array &source,
                 const zrt_region &from, const zrt_loc *loc) {
  Process &p = process();
  const Placement &placement = p.placement(from);
  int self = p.transport->rank(), moved = 0, root[ZRT_MAX_RANK];
  placement.grid.coordinates(self, root);
  zrt_region region = from;
  region.floods |= from.singletons;
  region.singletons = 0;
  // In a grid dimension of the source the owner of the index has its own.
  int everywhere = from.floods | (source.region.floods & ~source.region.grids);
  for (int d = 0; d < from.rank; ++d) {
    if (!(region.floods >> d & 1))
      continue;
    region.dim[d] = {0, 0, 1, 0};
    if (everywhere >> d & 1)
      continue;
    moved |= 1 << d;
    root[d] = ownerOf(placement.dims[d], from.dim[d].lo);
  }
  Box to = p.domains.placesOf(region, self);
  Box of = sourcePlaces(p.domains.placesOf(from, self), source);
  const Slice &slice = p.slices.along(*p.transport, placement.grid, moved);
  bool isOnly = slice.members.size() == 1;
  if (isOnly && !isEmpty(to) && mayBorrow(region, source))
    return borrowFlood(result, source, region, of, to);
  p.newArray(result, {region, *source.type, source.name}, loc);
  if (isEmpty(to) || source.type->size == 0)
    return;
  int owner = placement.grid.processor(root), place = 0;
  while (slice.members[static_cast<size_t>(place)] != owner)
    ++place;
  broadcastBlock(*p.transport, slice, place, source, of, region.floods,
                 blockAt(result, to, region.floods));
}

} // namespace zrt
