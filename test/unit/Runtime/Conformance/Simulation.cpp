//===- Simulation.cpp - Processors under control --------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The machine: a context with a stack of its own per processor, all in one
/// thread, so a change costs less than a microsecond. A processor passes the
/// turn on when it has to wait, and with `preempts` at any call. Who comes
/// next: one that can go on; if there is none, those that linger; if there is
/// none of these either, all wait for each other, and each is told so by an
/// exception.
///
/// Memory: pieces that are released are filled with rubbish and kept, so that
/// whoever reads them is seen and does no other harm.
///
//===----------------------------------------------------------------------===//

#include "Simulation.h"

#include <algorithm>
#include <cstring>
#include <utility>

using namespace zrt;
using namespace zrt::test;

// --- Turns ------------------------------------------------------------------

Machine::Machine(int processors, Mistake mistake, unsigned seed, bool preempts)
    : parcels(processors), exchanges(processors), mistake(mistake),
      preempts(preempts), random(seed), states(processors) {}

Machine::~Machine() = default;

bool Machine::canRun(int rank) const {
  const State &state = states[rank];
  if (state.done)
    return false;
  return dead || (!state.lingers && (!state.holds || (*state.holds)()));
}

int Machine::choose(int rank) {
  int count = processors();
  if (std::all_of(states.begin(), states.end(),
                  [](const State &state) { return state.done; }))
    return -1;
  int start = preempts ? static_cast<int>(random(0, count - 1)) : rank + 1;
  while (true) {
    for (int i = 0; i < count; ++i)
      if (canRun((start + i) % count))
        return (start + i) % count;
    bool anyLingers = false;
    for (State &state : states) {
      anyLingers |= state.lingers;
      state.lingers = false;
    }
    if (!anyLingers)
      dead = true; // Now each can run, to be told so.
  }
}

void Machine::pass(int rank) {
  int next = choose(rank);
  if (next == rank)
    return;
  swapcontext(&states[rank].context,
              next < 0 ? &outside : &states[next].context);
}

void Machine::point(int rank) {
  if (!dead && preempts && random(0, 3) == 0)
    pass(rank);
}

void Machine::await(int rank, const std::function<bool()> &holds) {
  if (dead)
    throw Deadlock();
  if (holds())
    return;
  states[rank].holds = &holds;
  pass(rank);
  states[rank].holds = nullptr;
  if (dead)
    throw Deadlock();
}

void Machine::linger(int rank) {
  if (dead)
    throw Deadlock();
  states[rank].lingers = true;
  pass(rank);
  states[rank].lingers = false;
}

bool Machine::sendWaits(size_t bytes) {
  return preempts ? random(0, 1) : bytes > (64 << 10);
}

void Machine::runOne(int rank) {
  try {
    (*body)(*transports[rank]);
  } catch (const Deadlock &) { // NOLINT(bugprone-empty-catch)
    // The machine knows.
  }
  states[rank].done = true;
  pass(rank);
}

/// What a context begins with; its arguments are two halves of a pointer.
void Machine::start(unsigned high, unsigned low, int rank) {
  uint64_t address = static_cast<uint64_t>(high) << 32 | low;
  reinterpret_cast<Machine *>(address)->runOne(rank);
}

bool Machine::run(const std::function<void(Transport &)> &program) {
  constexpr size_t StackBytes = 512 << 10;
  body = &program;
  uint64_t self = reinterpret_cast<uint64_t>(this);
  for (int rank = 0; rank < processors(); ++rank) {
    // They outlive all bodies, because others may still read their memory.
    transports.push_back(std::make_unique<SimulatedTransport>(*this, rank));
    State &state = states[rank];
    state.stack = std::make_unique<char[]>(StackBytes);
    getcontext(&state.context);
    state.context.uc_stack.ss_sp = state.stack.get();
    state.context.uc_stack.ss_size = StackBytes;
    makecontext(&state.context, reinterpret_cast<void (*)()>(&Machine::start),
                3, static_cast<unsigned>(self >> 32),
                static_cast<unsigned>(self), rank);
  }
  swapcontext(&outside, &states[0].context);
  return !dead;
}

// --- Memory -----------------------------------------------------------------

SimulatedTransport::SimulatedTransport(Machine &machine, int rank)
    : machine(machine), self(rank) {}
SimulatedTransport::~SimulatedTransport() = default;

void SimulatedTransport::enter() {
  for (const auto &work : std::exchange(late, {}))
    work();
  machine.point(self);
}

/// A piece that may begin before the one before it ends.
char *SimulatedTransport::carve(size_t bytes) {
  constexpr size_t ChunkBytes = 32 << 20;
  if (!chunk) {
    chunk = std::make_unique<char[]>(ChunkBytes);
    chunkUsed = -reinterpret_cast<uintptr_t>(chunk.get()) % 64;
  }
  char *data = chunk.get() + chunkUsed;
  if (chunkUsed + bytes > ChunkBytes)
    return nullptr;
  chunkUsed += bytes & ~size_t(63);
  memset(data, 0, bytes);
  return data;
}

void *SimulatedTransport::allocate(size_t bytes) {
  constexpr size_t Guard = 256, Most = size_t(1) << 40;
  if (bytes > Most && !machine.has(Mistake::MemoryEndless))
    return nullptr;
  if (machine.has(Mistake::MemoryOverlaps) && bytes > 1000 && bytes < 3000)
    return carve(bytes);
  if (machine.has(Mistake::MemoryDirty))
    for (Allocation &old : allocations)
      if (!old.isLive && old.bytes == bytes) {
        old.isLive = true;
        return old.data;
      }
  bytes = std::min(bytes, Most);
  size_t taken = (bytes == Most ? 0 : bytes) + 2 * Guard;
  auto storage = std::make_unique<char[]>(taken);
  char *data = storage.get() + Guard;
  data -= reinterpret_cast<uintptr_t>(data) % 64;
  if (machine.has(Mistake::MemoryMisaligned) && bytes > 100000)
    data += 32;
  allocations.push_back({std::move(storage), data, bytes, true});
  return data;
}

void SimulatedTransport::release(void *memory, size_t) {
  for (Allocation &allocation : allocations)
    if (allocation.data == memory && allocation.isLive) {
      allocation.isLive = false;
      memset(memory, 0xdb, allocation.bytes);
      if (machine.has(Mistake::ReadLater))
        spoilCopies(allocation.data, allocation.bytes);
    }
}

/// What is under way from the piece at \p data is rubbish from now on.
void SimulatedTransport::spoilCopies(const char *data, size_t bytes) {
  for (const auto &list : machine.parcels)
    for (const auto &parcel : list)
      for (size_t i = 0; i < parcel->copies.size(); ++i)
        if (parcel->places[i] >= data && parcel->places[i] < data + bytes)
          std::fill(parcel->copies[i].begin(), parcel->copies[i].end(), 0xdb);
}

void SimulatedTransport::translate(MemoryBlock &block) const {
  constexpr size_t Registered = 64 << 10;
  const Allocation *piece = nullptr;
  for (const Allocation &allocation : allocations)
    if (block.base >= allocation.data &&
        block.base < allocation.data + allocation.bytes)
      piece = &allocation;
  if (!piece || piece->bytes < Registered)
    return;
  for (const Allocation &old : allocations)
    if (!old.isLive && old.bytes == piece->bytes) {
      block.base = old.data + (block.base - piece->data);
      return;
    }
}

bool SimulatedTransport::isLarge(const char *place) const {
  constexpr size_t Large = 2 << 20;
  return std::any_of(allocations.begin(), allocations.end(),
                     [&](const Allocation &piece) {
                       return piece.bytes >= Large && place >= piece.data &&
                              place < piece.data + piece.bytes;
                     });
}

void SimulatedTransport::takeOldPlan(std::vector<Pair> &pairs) {
  constexpr int64_t Cached = 64 << 10;
  std::string shape;
  int64_t most = 0;
  for (const Pair &pair : pairs)
    for (const auto *list : {&pair.sends, &pair.receives}) {
      shape += std::to_string(pair.partner) + ":";
      for (const MemoryBlock &block : *list) {
        shape += std::to_string(block.bytes()) + ",";
        most = std::max(most, block.bytes());
      }
    }
  if (most >= Cached)
    pairs = oldPlans.emplace(shape, pairs).first->second;
}

// --- Messages ---------------------------------------------------------------

Machine::Queue &Machine::messages(int from, int to, size_t bytes) {
  // Not those of a barrier, which would let nothing else be seen.
  bool isSlot = bytes > 1 && bytes <= 8;
  if (has(Mistake::MessageTwoWays) && isSlot && from > to)
    std::swap(from, to);
  return queues[{from, to}];
}

void Machine::takePlace(int from, int to,
                        const std::shared_ptr<Message> &message) {
  constexpr size_t Long = 600;
  if (message->bytes < Long)
    return;
  auto &[partner, last] = places[from];
  if (last && !last->taken && partner != to) {
    size_t both = std::min(last->bytes, message->bytes);
    std::copy_n(message->data.begin(), both, last->data.begin());
  }
  partner = to;
  last = message;
}

/// Puts \p message into \p queue in the way the mistakes have it.
static void enqueue(const Machine &machine, Machine::Queue &queue,
                    const std::shared_ptr<Machine::Message> &message) {
  constexpr size_t Slots = 64;
  size_t length = queue.size();
  if (machine.has(Mistake::MessageLost) && length >= Slots)
    return;
  bool overtakes = machine.has(Mistake::MessageOvertakes) && length >= Slots;
  queue.insert(overtakes ? queue.end() - 1 : queue.end(), message);
  if (machine.has(Mistake::MessageTwice) && length == Slots)
    queue.push_back(std::make_shared<Machine::Message>(*message));
}

void SimulatedTransport::send(int to, const void *data, size_t bytes) {
  enter();
  constexpr size_t Eager = 64, Cut = 256 << 10;
  auto message = std::make_shared<Machine::Message>();
  const char *from = static_cast<const char *>(data);
  message->data.assign(from, from + bytes);
  message->bytes = bytes;
  message->time = ++machine.clock;
  if (machine.has(Mistake::MessageByReference) && bytes > Eager)
    message->place = from;
  if (machine.has(Mistake::MessageCut) && bytes > Cut)
    memset(message->data.data() + Cut, 0, bytes - Cut);
  if (!machine.has(Mistake::TrafficForgotten))
    traffic.sent(to, bytes);
  if (machine.has(Mistake::MessageOneBuffer))
    machine.takePlace(self, to, message);
  Machine::Queue &queue = machine.messages(self, to, bytes);
  enqueue(machine, queue, message);
  if (machine.sendWaits(bytes) && !message->place)
    machine.await(self, [&] { return message->taken; });
}

/// The queue from which the mistake of taking whatever has come first takes a
/// message of \p bytes; else that of \p from.
static Machine::Queue &chooseQueue(Machine &machine, int from, int self,
                                   size_t bytes) {
  Machine::Queue *best = &machine.messages(from, self, bytes);
  constexpr size_t Short = 8; // A barrier's tokens are all alike.
  if (!machine.has(Mistake::MessageAnySource) || bytes <= Short)
    return *best;
  for (int other = 0; other < machine.processors(); ++other) {
    Machine::Queue &queue = machine.queue(other, self);
    if (!queue.empty() && queue.front()->bytes == bytes &&
        queue.front()->time < best->front()->time)
      best = &queue;
  }
  return *best;
}

void SimulatedTransport::receive(int from, void *data, size_t bytes) {
  enter();
  if (machine.has(Mistake::MatchedBySize))
    for (const auto &parcel : machine.parcels[self])
      if (parcel->from == from && parcel->bytes() == int64_t(bytes)) {
        memcpy(data, parcel->blocks[0].base, bytes);
        return;
      }
  machine.await(self,
                [&] { return !machine.messages(from, self, bytes).empty(); });
  Machine::Queue &queue = chooseQueue(machine, from, self, bytes);
  std::shared_ptr<Machine::Message> message = queue.front();
  queue.pop_front();
  const char *source = message->place ? message->place : message->data.data();
  memcpy(data, source, std::min(bytes, message->bytes));
  message->taken = true;
}
