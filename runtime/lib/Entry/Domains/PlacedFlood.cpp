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
// what cyclic distributions are for costs what it does in blocks.
//
//===----------------------------------------------------------------------===//

#include "Entry/Domains/PlacedFlood.h"

#include "Collective/Collective.h"
#include "Entry/Process.h"
#include "Transport/Blocks.h"

namespace zrt {

/// The part that owns \p index along one dimension.
static int ownerOf(const Places &places, int64_t index) {
  for (int64_t part = 0; part < places.parts(); ++part)
    if (!isEmpty(places.placesOf(part, {index, index})))
      return static_cast<int>(part);
  return 0;
}

/// The memory of the positions \p places of \p array, of which dimensions in
/// \p floods have one.
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
    block.stride[d] = array.pitch[d];
  }
  block.base = reinterpret_cast<char *>(
      reinterpret_cast<uintptr_t>(array.origin) + offset);
  return block;
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
  p.newArray(result, {region, *source.type, source.name}, loc);
  Box to = p.domains.placesOf(region, self);
  if (isEmpty(to) || source.type->size == 0)
    return;
  int owner = placement.grid.processor(root);
  const Slice &slice = p.slices.along(*p.transport, placement.grid, moved);
  int place = 0;
  while (slice.members[static_cast<size_t>(place)] != owner)
    ++place;
  MemoryBlock target = blockAt(result, to, region.floods);
  std::vector<char> elements(static_cast<size_t>(target.bytes()));
  if (self == owner) {
    // Where the source is flooded its pitch is 0, whatever the place is.
    Box of = p.domains.placesOf(from, self);
    for (int d = 0; d < from.rank; ++d)
      if (source.region.floods >> d & 1)
        of.dim[d] = {0, 0, 1};
    MemoryBlock own = blockAt(source, of, region.floods);
    for (int d = 0; d < from.rank; ++d)
      own.count[d] = target.count[d];
    packBlock(own, elements.data());
  }
  broadcast(*p.transport, slice, place, elements.data(), elements.size());
  unpackBlock(elements.data(), target);
}

} // namespace zrt
