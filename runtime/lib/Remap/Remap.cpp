//===- Remap.cpp - Gather and scatter -------------------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// `B := A#[I]` and `A#[I] += B`, for any distribution of both sides, in one of
// three ways:
//
//   one processor        Gather.cpp, Scatter.cpp: a loop over the maps
//   several, new maps    the same, with messages: one shot
//   several, known maps  Schedule.h: an inspector, once, and executors
//
// MapMemory.cpp says which maps are known. A check of maps recognizes them, for
// the gather or scatter that follows; a pattern gets its schedules when they
// are first needed.
//
// The remapped array may be sparse: an ElementSearch then finds the elements that
// maps name, and of known maps that is a schedule on one processor, too. A gather
// of what is not stored reads the value elsewhere; a scatter there stores nothing.
//
//===----------------------------------------------------------------------===//

#include "Remap/Remap.h"
#include "Collective/Collective.h"
#include "Collective/OwnPart.h"
#include "Memory/Array.h"
#include "Remap/Boxes/BoxRemap.h"
#include "Remap/Boxes/RowRemap.h"
#include "Transport/Blocks.h"

namespace zrt {

/// Whether the remap is a loop over the maps, whatever they were before: on one
/// processor nothing is to be found out of those of a dense array.
static bool isLoop(const RemapDomain &domain, const Remote &remote) {
  return domain.parallel.transport.size() == 1 && !remote.search;
}

std::string checkRemap(MapMemory &memory, const RemapDomain &domain,
                       const Remote &remote, const zrt_array &array,
                       const char *what, int64_t sets, const zrt_loc *loc) {
  if (isLoop(domain, remote) || boxMaps(domain, array))
    return checkMaps(domain, array, what);
  RemapShape shape(domain, remote, array);
  MapPattern *known = memory.recognize(domain, shape, sets, loc);
  if (!known) {
    std::string message = checkMaps(domain, array, what);
    if (!message.empty())
      return message;
    if (!rowMaps(domain, array)) // a scatter remembers its own
      memory.remember(domain, shape, sets, loc);
  }
  memory.expect(domain, shape, known);
  return "";
}

/// The pattern of the maps of a remap of \p array, null if they are new.
static MapPattern *patternFor(MapMemory &memory, const RemapDomain &domain,
                              const Remote &remote, const zrt_array &array,
                              const zrt_loc *loc) {
  RemapShape shape(domain, remote, array);
  if (std::optional<MapPattern *> checked = memory.expected(domain, shape))
    return *checked;
  MapPattern *known = memory.recognize(domain, shape, /*sets=*/0, loc);
  if (!known)
    memory.remember(domain, shape, /*sets=*/0, loc);
  return known;
}

void gatherArray(MapMemory &memory, const RemapDomain &domain,
                 const Remote &remote, zrt_array &result,
                 const zrt_array &source, const zrt_loc *loc) {
  Transport &transport = domain.parallel.transport;
  if (std::optional<ClosedMaps> maps = boxMaps(domain, source))
    return gatherBoxes(domain, *maps, remote.distribution, result, source);
  if (std::optional<RowMaps> maps = rowMaps(domain, source))
    return gatherRows(domain, *maps, remote.distribution, result, source);
  RemappedArray elements(remote, domain, source);
  MapPattern *pattern = isLoop(domain, remote)
                            ? nullptr
                            : patternFor(memory, domain, remote, source, loc);
  if (!pattern || !pattern->gather)
    elements.search();
  if (!pattern) {
    gatherOnce(domain, elements, result);
    return;
  }
  if (!pattern->gather)
    pattern->gather = std::make_unique<GatherSchedule>(domain, elements);
  pattern->gather->run(transport, domain, result, elements);
}

/// Brings the elements of an array to their copies along the dimensions that it
/// floods, from the first.
static void spreadToCopies(const RemapDomain &domain,
                           const Distribution &distribution, zrt_array &array) {
  int floods = array.region.floods & ~array.region.grids;
  int dims = 0;
  for (int d = 0; d < array.region.rank; ++d)
    if ((floods >> d & 1) && distribution.distributed(d))
      dims |= 1 << d;
  Transport &transport = domain.parallel.transport;
  Box part = ownPart(distribution, array.region, transport.rank());
  if (dims == 0 || isEmpty(part)) // so it is for all that have the same part
    return;
  const Slice &slice =
      domain.parallel.slices.along(transport, distribution.grid, dims);
  MemoryBlock block = blockOf(array, part, IndexMap());
  std::vector<char> packed(static_cast<size_t>(block.bytes()));
  if (slice.self == 0)
    packBlock(block, packed.data());
  broadcast(transport, slice, 0, packed.data(), packed.size());
  if (slice.self != 0)
    unpackBlock(packed.data(), block);
}

bool scatterArray(MapMemory &memory, const RemapDomain &domain,
                  const Remote &remote, zrt_array &target,
                  const zrt_array &source, const Store &store, int64_t *missing,
                  const zrt_loc *loc) {
  Transport &transport = domain.parallel.transport;
  if (std::optional<ClosedMaps> maps =
          scatterMaps(domain, target, store.isCopy)) {
    const Distribution &owners = remote.distribution;
    store.isCopy ? scatterBoxes(domain, *maps, owners, target, source)
                 : combineBoxes(domain, *maps, owners, target, source, store);
    return true;
  }
  RemappedArray elements(remote, domain, target, RemappedArray::Copies::First);
  MapPattern *pattern = isLoop(domain, remote)
                            ? nullptr
                            : patternFor(memory, domain, remote, target, loc);
  ScatterSchedule::Order order = ScatterSchedule::orderOf(store);
  // Known maps that have a schedule have been found to name stored elements.
  if (!pattern || !pattern->scatters[static_cast<int>(order)]) {
    elements.search();
    if (elements.findMissing(missing))
      return false;
  }
  if (!pattern) {
    scatterOnce(domain, elements, source, store);
    spreadToCopies(domain, remote.distribution, target);
    return true;
  }
  std::unique_ptr<ScatterSchedule> &schedule =
      pattern->scatters[static_cast<int>(order)];
  if (!schedule)
    schedule = std::make_unique<ScatterSchedule>(domain, elements, order);
  schedule->run(transport, domain, elements, source, store);
  spreadToCopies(domain, remote.distribution, target);
  return true;
}

} // namespace zrt
