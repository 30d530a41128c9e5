//===- FloodPanel.cpp - Many floods of one array at once ------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What `>>[k, ] A`, `>>[k+1, ] A`, ... would make one after the other, here of
// 4 rows from k = 7 on, on a 2 x 1 grid of blocks of 8 rows:
//
//     processor 0 has rows 7 and 8   ─▶ processor 1, one message
//     processor 1 has rows 9 and 10  ─▶ processor 0, one message
//
//     result   4 rows, one behind the other, on each; its region floods the
//              dimension, and the pitch of it leads from row to row
//
// Where no singleton dimension of the source is distributed nothing moves: the
// result is the array's own rows.
//
// Where elements come one by one, in slots, the panel has memory of its own, slot
// after slot: one that floods the last dimension, too, as columns do.
//
// Cost: one broadcast for each owner of some of the indices, nearly always one.
//
//===----------------------------------------------------------------------===//

#include "Collective/Flood.h"

#include "Collective/Flooding.h"
#include "Memory/Array.h"
#include "Transport/Blocks.h"

#include <algorithm>

namespace zrt {

namespace {

/// The members of a slice, and who of them gives.
struct Source {
  const Slice &slice;
  int owner;
};

} // namespace

/// Copies the elements of \p source at \p part, which the owner has, to those
/// of the result at \p to on all members.
static void sendPart(Transport &transport, const zrt_array &source,
                     const Box &part, const MemoryBlock &to, Source from) {
  int root = 0;
  while (from.slice.members[static_cast<size_t>(root)] != from.owner)
    ++root;
  bool isOwn = from.slice.self == root;
  if (from.slice.members.size() == 1)
    return copyBlock(blockOf(source, part, IndexMap()), to);
  size_t bytes = static_cast<size_t>(to.bytes());
  bool isContiguous = to.rank == 1 && to.stride[0] == to.elementSize;
  std::vector<char> packed(isContiguous ? 0 : bytes);
  char *elements = isContiguous ? to.base : packed.data();
  if (isOwn)
    packBlock(blockOf(source, part, IndexMap()), elements);
  broadcast(transport, from.slice, root, elements, bytes);
  if (!isContiguous)
    unpackBlock(elements, to);
}

/// Makes the result's memory: dimension \p dim has \p count positions.
static void makePanel(const Parallel &parallel, zrt_array &result,
                      const zrt_array &source, zrt_region region, int dim,
                      int64_t count, uint64_t id, const zrt_loc *loc) {
  Box own = parallel.distribution.own(parallel.transport.rank(), region.floods);
  if (!isEmpty(own))
    own.dim[dim] = {0, count - 1, 1};
  region.floods &= ~(1 << dim);
  region.dim[dim] = {0, count - 1, 1, 0};
  createArray(parallel.transport, result, {region, *source.type, source.name},
              own, id, loc);
}

void floodPanel(const Parallel &parallel, zrt_array &result,
                const zrt_array &source, const zrt_region &from, int dim,
                int64_t count, uint64_t id, const zrt_loc *loc) {
  const Distribution &distribution = parallel.distribution;
  Flooding flooding(parallel, source, from);
  bool hasPitch = dim + 1 < from.rank ||
                  source.pitch[dim] == source.type->size; // on all processors
  if (flooding.moved == 0 && hasPitch && mayBorrow(flooding.region, source)) {
    borrowFlooded(result, source, flooding.region,
                  flooding.part(distribution, source, from), id);
    result.pitch[dim] = source.pitch[dim];
    return;
  }
  makePanel(parallel, result, source, flooding.region, dim, count, id, loc);
  int64_t first = from.dim[dim].lo;
  for (int64_t k = 0, end; k < count; k = end) {
    int place = static_cast<int>(distribution.cut[dim].owner(first + k));
    Range block = distribution.cut[dim].own(place);
    end = std::min(count, std::max(block.hi - first, k) + 1);
    if (distribution.distributed(dim))
      flooding.root[dim] = place;
    zrt_region these = from;
    these.singletons &= ~(1 << dim);
    these.dim[dim] = {first + k, first + end - 1, 1, 0};
    Box part = flooding.part(distribution, source, these);
    if (isEmpty(part))
      continue;
    Box to = flooded(part, flooding.region.floods);
    to.dim[dim] = {k, end - 1, 1};
    sendPart(parallel.transport, source, part, blockOf(result, to, IndexMap()),
             {parallel.slice(flooding.moved),
              distribution.grid.processor(flooding.root)});
  }
  result.region = flooding.region;
  if (!isEmpty(result.stored[dim]))
    result.stored[dim] = {0, 0};
}

//===----------------------------------------------------------------------===//
// Slots
//===----------------------------------------------------------------------===//

/// \p values of dimensions with that of \p dim before all others, or back.
template <typename Values> static void toFront(Values &values, int dim) {
  std::rotate(values, values + dim, values + dim + 1);
}
template <typename Values> static void fromFront(Values &values, int dim) {
  std::rotate(values, values + 1, values + dim + 1);
}

/// The bits of dimensions as toFront has them.
static int32_t bitsToFront(int32_t bits, int dim) {
  int32_t below = bits & ((1 << dim) - 1);
  return (bits >> (dim + 1) << (dim + 1)) | below << 1 | (bits >> dim & 1);
}

void makeSlots(const Parallel &parallel, zrt_array &result,
               const zrt_array &source, const zrt_region &from, int dim,
               int64_t count, uint64_t id, const zrt_loc *loc) {
  Flooding flooding(parallel, source, from);
  zrt_region slots = flooding.region;
  Box own = parallel.distribution.own(parallel.transport.rank(), slots.floods);
  if (!isEmpty(own))
    own.dim[dim] = {0, count - 1, 1};
  slots.floods &= ~(1 << dim);
  slots.dim[dim] = {0, count - 1, 1, 0};
  slots.floods = bitsToFront(slots.floods, dim);
  slots.grids = bitsToFront(slots.grids, dim);
  toFront(slots.dim, dim);
  toFront(own.dim, dim);
  createArray(parallel.transport, result, {slots, *source.type, source.name},
              own, id, loc);
  fromFront(result.pitch, dim);
  fromFront(result.stored, dim);
  result.region = flooding.region;
  if (!isEmpty(result.stored[dim]))
    result.stored[dim] = {0, 0};
}

void floodSlot(const Parallel &parallel, zrt_array &result,
               const zrt_array &source, const zrt_region &from, int dim,
               int64_t slot) {
  const Distribution &distribution = parallel.distribution;
  Flooding flooding(parallel, source, from);
  Box part = flooding.part(distribution, source, from);
  if (isEmpty(part))
    return;
  MemoryBlock to =
      blockOf(result, flooded(part, flooding.region.floods), IndexMap());
  to.base += slot * result.pitch[dim];
  sendPart(parallel.transport, source, part, to,
           {parallel.slice(flooding.moved),
            distribution.grid.processor(flooding.root)});
}

} // namespace zrt
