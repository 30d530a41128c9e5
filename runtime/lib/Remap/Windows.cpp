//===- Windows.cpp - Windows of remapped arrays ---------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     B := A#[P] * C#[P]        window fetch W = A {at of P} with next
//     D := D + C#[P]            window fetch X = C {at of P}
//
// Both windows have one plan, made once: their maps have the same pattern. They
// are a group: elements of A and of C go to each partner in one message, and
// come, each array's behind each other, where its window shows them.
//
//     1. `find`   plan and window, at each place of the program by itself
//     2. `open`   positions; nothing travels yet
//     3. `fetch`  adds to the group; the last one packs for all, sends, waits
//
// Where values are combined the group makes its accumulators with the last
// `collect`, and its last `deliver` takes them to their owners, also together.
//
// A plan whose maps are gone is made anew in its own memory if no other window
// follows it.
//
// Cost: as its plan says; per group a message to each partner.
//
//===----------------------------------------------------------------------===//

#include "Remap/Windows.h"

#include "Support/Error.h"

#include <algorithm>
#include <utility>

namespace zrt {

/// Windows that are kept.
constexpr size_t MostWindows = 256;

//===----------------------------------------------------------------------===//
// One window
//===----------------------------------------------------------------------===//

void Window::follow(std::shared_ptr<WindowPlan> followed) {
  plan = std::move(followed);
  sent.reset();
  last.reset();
  stores = nullptr;
  positions.clear();
  positions.resize(plan->positions.size());
}

std::shared_ptr<WindowPlan> Window::takePlan() {
  return plan.use_count() == 1 ? std::move(plan) : nullptr;
}

/// Makes \p array one that has its memory here.
void Window::lend(zrt_array &array, uint64_t arrayId) {
  array.id = arrayId;
  array.keeper = &keeper;
  array.borrowed = 1;
  ++keeper.views;
}

/// Makes the array of a reference's positions.
void Window::point(const Reference &reference, size_t number) {
  static const zrt_type integer = [] {
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
  array.type = &integer;
  auto address = reinterpret_cast<uintptr_t>(
      positions[number].of(plan->positions[number], *elements));
  int64_t pitch = integer.size;
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

void Window::open(const std::vector<Reference> &references, zrt_array &window,
                  uint64_t firstId) {
  const Reference &first = references.front();
  const zrt_array &source = first.source.array;
  made = &window;
  id = firstId;
  type = source.type;
  name = source.name;
  elements = std::make_unique<Numbering>(first.source.here(), elementSize());
  own = elements->elements();
  ++keeper.views; // until it is shown
  for (size_t k = 0; k < references.size(); ++k) {
    point(references[k], k);
    lend(references[k].positions, ++firstId);
  }
}

void Window::show(char *ghosts) {
  char *end = ghosts + (plan->allReceives + 1) * type->size;
  zrt_array &window = *made;
  window = zrt_array();
  window.region.rank = 2;
  for (int d = 0; d < 2; ++d) {
    window.region.dim[d].stride = 1;
    window.stored[d] = {0, -1};
  }
  window.type = type;
  window.name = name;
  window.origin = own;
  window.pitch[0] = static_cast<int64_t>(reinterpret_cast<uintptr_t>(end) -
                                         reinterpret_cast<uintptr_t>(own));
  window.pitch[1] = type->size;
  lend(window, id);
  --keeper.views;
}

void Window::pack(char *outgoing) {
  Store::copies(elementSize())
      .byNumbers(outgoing, nullptr, own, sent.of(plan->sent, *elements),
                 static_cast<int64_t>(plan->sent.size()));
}

void Window::combine(const Store &store, const char *arrived) {
  if (store.isCopy)
    store.byNumbers(own, last.of(stores->elements, *elements), arrived,
                    stores->arrived.data(),
                    static_cast<int64_t>(stores->arrived.size()));
  else
    store.byNumbers(own, sent.of(plan->sent, *elements), arrived, nullptr,
                    static_cast<int64_t>(plan->sent.size()));
  elements->finish();
}

//===----------------------------------------------------------------------===//
// Groups
//===----------------------------------------------------------------------===//

/// What brings the elements of a group, which go to where they are named, or
/// back.
Courier &Windows::courier(Transport &transport,
                          const std::vector<Window *> &group, bool isBack) {
  WindowGroup::Carrier made;
  std::vector<Load> loads;
  for (const Window *window : group) {
    const WindowPlan &plan = *window->itsPlan();
    made.key.push_back({plan.number, window->elementSize()});
    loads.push_back({isBack ? plan.receives : plan.sends,
                     isBack ? plan.sends : plan.receives, /*spare=*/1,
                     window->elementSize()});
  }
  Window &last = *group.back();
  WindowGroup::Carrier &carrier = isBack ? last.group.back : last.group.there;
  if (!carrier.courier || carrier.key != made.key) {
    carrier.courier.reset(); // before the next one takes memory
    made.courier = std::make_unique<Courier>(transport, loads);
    carrier = std::move(made);
  }
  return *carrier.courier;
}

void Windows::fetch(Transport &transport, Window &window, bool more) {
  fetched.push_back(&window);
  if (more)
    return;
  std::vector<Window *> group = std::exchange(fetched, {});
  Courier &ghosts = courier(transport, group, /*isBack=*/false);
  for (size_t k = 0; k < group.size(); ++k)
    group[k]->pack(ghosts.outgoing(k));
  ghosts.begin();
  for (size_t k = 0; k < group.size(); ++k)
    group[k]->show(ghosts.arrived(k));
}

void Windows::collect(Transport &transport, Window &window, const Store &store,
                      bool more) {
  collected.push_back({&window, store});
  if (more)
    return;
  std::vector<Window *> group;
  for (const Combined &each : collected)
    group.push_back(each.window);
  Courier &values = courier(transport, group, /*isBack=*/true);
  for (size_t k = 0; k < group.size(); ++k) {
    char *ghosts = values.outgoing(k);
    if (!collected[k].store.isCopy)
      collected[k].store.reset(ghosts, group[k]->itsPlan()->allReceives);
    group[k]->group.collected = &values;
    group[k]->group.load = k;
    group[k]->show(ghosts);
  }
  collected.clear();
}

void Windows::deliver(Window &window, const Store &store, bool more) {
  delivered.push_back({&window, store});
  if (more)
    return;
  window.group.collected->begin();
  for (const Combined &each : delivered) {
    const WindowGroup &group = each.window->group;
    each.window->combine(each.store, group.collected->arrived(group.load));
  }
  delivered.clear();
}

//===----------------------------------------------------------------------===//
// All windows
//===----------------------------------------------------------------------===//

static bool isKnown(const std::vector<uint64_t> &numbers) {
  return std::find(numbers.begin(), numbers.end(), 0) == numbers.end();
}

std::shared_ptr<WindowPlan>
Windows::planOf(const std::vector<uint64_t> &numbers) const {
  if (isKnown(numbers))
    for (const Kept &kept : windows)
      if (kept.numbers == numbers)
        return kept.window->itsPlan();
  return nullptr;
}

bool Windows::knows(const std::vector<uint64_t> &numbers) const {
  return planOf(numbers) != nullptr;
}

Window &Windows::of(const zrt_array &window) {
  for (Kept &kept : windows)
    if (kept.window->hasMade(window))
      return *kept.window;
  fatal(nullptr, ErrorScope::Replicated, "a window has no plan");
}

/// Whether the maps of a window are not remembered any more.
bool Windows::isOld(const Kept &kept, const MapMemory &memory) {
  return !kept.window->isInUse() &&
         !std::all_of(kept.numbers.begin(), kept.numbers.end(),
                      [&](uint64_t number) { return memory.knows(number); });
}

/// Makes room.
void Windows::dropOld(const MapMemory &memory) {
  std::erase_if(windows, [&](const Kept &kept) { return isOld(kept, memory); });
  if (windows.size() < MostWindows)
    return;
  auto oldest = windows.end();
  for (auto kept = windows.begin(); kept != windows.end(); ++kept)
    if (!kept->window->isInUse() &&
        (oldest == windows.end() || kept->lastUse < oldest->lastUse))
      oldest = kept;
  if (oldest != windows.end())
    windows.erase(oldest);
}

/// One at \p loc whose maps are gone, else a new one.
Windows::Kept &Windows::vacant(const MapMemory &memory, const zrt_loc *loc) {
  auto last =
      std::find_if(windows.begin(), windows.end(), [&](const Kept &kept) {
        return kept.loc == loc && isOld(kept, memory);
      });
  if (last != windows.end())
    return *last;
  dropOld(memory);
  windows.push_back({loc, {}, 0, std::make_unique<Window>()});
  return windows.back();
}

Window &Windows::find(const MapMemory &memory, const zrt_loc *loc,
                      const std::vector<uint64_t> &numbers,
                      const std::vector<Reference> &references) {
  ++clock;
  if (isKnown(numbers))
    for (Kept &kept : windows)
      if (kept.loc == loc && kept.numbers == numbers &&
          !kept.window->isInUse()) {
        kept.lastUse = clock;
        return *kept.window;
      }
  std::shared_ptr<WindowPlan> plan = planOf(numbers);
  Kept &kept = vacant(memory, loc);
  if (!plan) {
    // Maps that have changed take the memory of those that they were before.
    plan = kept.window->takePlan();
    if (!plan)
      plan = std::make_shared<WindowPlan>();
    plan->inspect(references);
    plan->number = ++lastPlan;
  }
  kept.numbers = numbers;
  kept.lastUse = clock;
  kept.window->follow(std::move(plan));
  return *kept.window;
}

} // namespace zrt
