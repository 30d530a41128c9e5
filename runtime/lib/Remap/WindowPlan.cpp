//===- WindowPlan.cpp - Windows of remapped arrays ------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     B := A#[P] + A#[Q]     becomes a loop over B that reads A through a window
//
// A gather would store what it brings, for a loop that reads it once. Here only
// elements of other processors are brought, each once however many indices and
// maps name it, behind each other into a buffer, the ghosts. The window W of A
// has its own elements in row 0 and the ghosts in row 1, at negative positions:
//
//     A over [1..8], two processors, P = 1 7 3 7 and Q = 8 1 1 1 on the first
//
//     ghosts    A[7] A[8] (nothing)
//     of P      0 -3 2 -3       A[1] is W[0, 0], A[7] is W[1, -3]
//     of Q      -2 0 0 0
//
// Global indices are translated once, by the inspector; the loop has no search,
// and its only question, whether a position is negative, is no branch. Own
// positions count elements in row-major order as schedules do, and so fit all
// arrays of these owners.
//
// Inspector: as that of a gather (GatherSchedule.cpp), for all maps together.
// Executor:  one message to each partner, whatever the number of maps.
//
// For sums the same window has accumulators in place of the ghosts, which go to
// the owners behind the loop: the plan backwards.
//
// Memory: 4 bytes per index and map, 4 per element that is sent, the buffers.
//
//===----------------------------------------------------------------------===//

#include "Remap/WindowPlan.h"

#include "Support/Error.h"

#include <algorithm>
#include <limits>

namespace zrt {

/// Plans of windows that are kept.
constexpr size_t MostPlans = 256;

void WindowPlan::inspect(const Reference &reference, NumberList &list,
                         size_t number) {
  const RemapDomain &domain = reference.domain;
  if (domain.partSize() > std::numeric_limits<int32_t>::max() ||
      reference.source.mostElements() > std::numeric_limits<int32_t>::max())
    fatal(nullptr, ErrorScope::Local,
          "a remap has more than 2147483647 indices on one processor");
  // What the mask excludes has the place behind the ghosts.
  list.assign(domain.partSize(), -1);
  int self = domain.parallel.transport.rank();
  Strips strips(domain);
  Strip strip;
  int owners[Strip::Most];
  int64_t places[Strip::Most];
  while (strips.next(strip)) {
    int64_t first = domain.numberOf(strip.at);
    int32_t *numbers = &list.numbers[static_cast<size_t>(first)];
    if (reference.source.areAllHere(strip)) {
      reference.source.findPlacesHere(strip, places);
      for (int64_t k = 0; k < strip.count; ++k)
        numbers[strip.along[k]] = static_cast<int32_t>(places[k]);
      continue;
    }
    reference.source.find(strip, owners, places);
    for (int64_t k = 0; k < strip.count; ++k) {
      auto owner = static_cast<size_t>(owners[k]);
      if (owners[k] == self) {
        numbers[strip.along[k]] = static_cast<int32_t>(places[k]);
      } else {
        wanted[owner].push_back(places[k]);
        wants[owner].push_back({number, first + strip.along[k]});
      }
    }
  }
}

void WindowPlan::inspect(const std::vector<Reference> &references) {
  const RemapDomain &domain = references.front().domain;
  Transport &transport = domain.parallel.transport;
  auto size = static_cast<size_t>(transport.size());
  positions.resize(references.size());
  wanted.resize(size);
  wants.resize(size);
  for (size_t k = 0; k < references.size(); ++k)
    inspect(references[k], positions[k], k);
  std::vector<std::vector<int64_t>> requests(size);
  std::vector<std::vector<int32_t>> places(size);
  std::vector<int64_t> out(size), in(size);
  int64_t all = 0;
  for (size_t p = 0; p < size; ++p) {
    requests[p] = numbered(wanted[p], all, places[p]);
    in[p] = static_cast<int64_t>(requests[p].size());
    all += in[p];
  }
  for (size_t p = 0; p < size; ++p)
    for (size_t k = 0; k < places[p].size(); ++k) {
      const Want &want = wants[p][k];
      positions[want.reference].numbers[static_cast<size_t>(want.index)] =
          static_cast<int32_t>(places[p][k] - all - 1);
    }
  wanted = {};
  wants = {};
  requests = exchangeNumbers(transport, requests, domain.isLarge());
  sent.assign(0, 0);
  for (size_t p = 0; p < size; ++p) {
    out[p] = static_cast<int64_t>(requests[p].size());
    for (int64_t place : requests[p])
      sent.push(place);
  }
  setCounts(std::move(out), std::move(in));
}

/// Makes \p array one that has its memory here.
void WindowPlan::lend(zrt_array &array, uint64_t id) {
  array.id = id;
  array.keeper = &keeper;
  array.borrowed = 1;
  ++keeper.views;
}

/// Finds the own elements, from which positions count.
void WindowPlan::find(const Reference &first) {
  const zrt_array &source = first.source.array;
  elements = std::make_unique<Numbering>(
      first.source.here(), static_cast<size_t>(source.type->size));
  own = elements->elements();
}

/// Points the window at own elements and ghosts.
void WindowPlan::describe(const Reference &first, char *ghosts,
                          zrt_array &window) const {
  const zrt_array &source = first.source.array;
  char *end = ghosts + (allReceives + 1) * source.type->size;
  window = zrt_array();
  window.region.rank = 2;
  for (int d = 0; d < 2; ++d) {
    window.region.dim[d].stride = 1;
    window.stored[d] = {0, -1};
  }
  window.type = source.type;
  window.name = source.name;
  window.origin = own;
  window.pitch[0] = static_cast<int64_t>(reinterpret_cast<uintptr_t>(end) -
                                         reinterpret_cast<uintptr_t>(own));
  window.pitch[1] = source.type->size;
}

/// Makes the array of a reference's positions.
void WindowPlan::point(const Reference &reference, NumberList &list) {
  static const zrt_type number = [] {
    zrt_type type = {};
    type.kind = ZRT_I32;
    type.size = sizeof(int32_t);
    type.name = "integer";
    return type;
  }();
  const RemapDomain &domain = reference.domain;
  zrt_array &array = reference.positions;
  array = zrt_array();
  array.region = domain.region;
  array.type = &number;
  auto address = reinterpret_cast<uintptr_t>(list.in(*elements));
  int64_t pitch = number.size;
  for (int d = domain.part.rank - 1; d >= 0; --d) {
    bool isFlooded = domain.region.floods >> d & 1;
    Seq at = isFlooded ? Seq{0, 0, 1}
                       : positionsOf(domain.part.dim[d], domain.region.dim[d]);
    array.stored[d] =
        domain.partSize() == 0 ? zrt_range{0, -1} : zrt_range{at.lo, at.hi};
    array.pitch[d] = isFlooded ? 0 : pitch;
    address -= static_cast<uintptr_t>(at.lo * array.pitch[d]);
    pitch *= domain.counts[d];
  }
  array.origin = reinterpret_cast<char *>(address);
}

void WindowPlan::lendAll(const std::vector<Reference> &references,
                         zrt_array &window, uint64_t id) {
  lend(window, id);
  for (size_t k = 0; k < references.size(); ++k) {
    point(references[k], positions[k]);
    lend(references[k].positions, ++id);
  }
}

void WindowPlan::run(const std::vector<Reference> &references,
                     zrt_array &window, uint64_t id) {
  const Reference &first = references.front();
  auto size = static_cast<size_t>(first.source.array.type->size);
  find(first);
  Courier &ghosts = courier(first.domain.parallel.transport, /*spare=*/1, size);
  Store::copies(size).byNumbers(ghosts.outgoing(), nullptr, own,
                                sent.in(*elements), sent.size());
  ghosts.begin();
  describe(first, ghosts.arrived(), window);
  lendAll(references, window, id);
}

void WindowPlan::collect(const std::vector<Reference> &references,
                         const Store &store, zrt_array &window, uint64_t id) {
  const Reference &first = references.front();
  find(first);
  collected = &courierBack(first.domain.parallel.transport, store.size);
  char *ghosts = collected->outgoing();
  store.reset(ghosts, allReceives);
  describe(first, ghosts, window);
  lendAll(references, window, id);
}

void WindowPlan::deliver(const Store &store) {
  collected->begin();
  store.byNumbers(own, sent.in(*elements), collected->arrived(), nullptr,
                  sent.size());
  elements->finish();
}

//===----------------------------------------------------------------------===//
// All plans
//===----------------------------------------------------------------------===//

static bool isKnown(const std::vector<uint64_t> &numbers) {
  return std::find(numbers.begin(), numbers.end(), 0) == numbers.end();
}

bool WindowPlans::knows(const zrt_loc *loc,
                        const std::vector<uint64_t> &numbers) const {
  return isKnown(numbers) &&
         std::any_of(plans.begin(), plans.end(), [&](const Kept &kept) {
           return kept.loc == loc && kept.numbers == numbers;
         });
}

WindowPlan &WindowPlans::of(const zrt_array &window) {
  for (Kept &kept : plans)
    if (kept.plan->hasMade(window))
      return *kept.plan;
  fatal(nullptr, ErrorScope::Replicated, "a window has no plan");
}

/// Whether the maps of a plan are not remembered any more.
bool WindowPlans::isOld(const Kept &kept, const MapMemory &memory) {
  return !kept.plan->isInUse() &&
         !std::all_of(kept.numbers.begin(), kept.numbers.end(),
                      [&](uint64_t number) { return memory.knows(number); });
}

/// Makes room.
void WindowPlans::dropOld(const MapMemory &memory) {
  std::erase_if(plans, [&](const Kept &kept) { return isOld(kept, memory); });
  if (plans.size() < MostPlans)
    return;
  auto oldest = plans.end();
  for (auto kept = plans.begin(); kept != plans.end(); ++kept)
    if (!kept->plan->isInUse() &&
        (oldest == plans.end() || kept->lastUse < oldest->lastUse))
      oldest = kept;
  if (oldest != plans.end())
    plans.erase(oldest);
}

WindowPlan &WindowPlans::find(const MapMemory &memory, const zrt_loc *loc,
                              const std::vector<uint64_t> &numbers,
                              const std::vector<Reference> &references) {
  ++clock;
  if (isKnown(numbers))
    for (Kept &kept : plans)
      if (kept.loc == loc && kept.numbers == numbers && !kept.plan->isInUse()) {
        kept.lastUse = clock;
        return *kept.plan;
      }
  // Maps that have changed take the memory of those that they were before.
  auto last = std::find_if(plans.begin(), plans.end(), [&](const Kept &kept) {
    return kept.loc == loc && isOld(kept, memory);
  });
  if (last == plans.end()) {
    dropOld(memory);
    last =
        plans.insert(plans.end(), {loc, {}, 0, std::make_unique<WindowPlan>()});
  }
  last->numbers = numbers;
  last->lastUse = clock;
  last->plan->inspect(references);
  return *last->plan;
}

} // namespace zrt
