//===- SimulationExchange.cpp - Simulated transfers -----------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// SR gives each receiver a parcel, which says where the data are. DN waits for
/// its parcels and copies, from array to array. SV waits until all parcels of
/// this exchange have been taken. Everything else here is mistakes.
///
//===----------------------------------------------------------------------===//

#include "Simulation.h"

#include "Transport/Blocks.h"

#include <algorithm>
#include <cstring>

using namespace zrt;
using namespace zrt::test;

int64_t Machine::Parcel::bytes() const { return bytesOf(blocks); }

// --- Copying ----------------------------------------------------------------

/// The addresses of a block's elements, in row-major order, as the mistakes
/// see the block.
static std::vector<char *> addresses(const Machine &machine, MemoryBlock block,
                                     bool isTarget) {
  int last = block.rank - 1;
  for (int d = 0; d < block.rank; ++d) {
    if (machine.has(Mistake::MirrorForgotten) && isTarget &&
        block.stride[d] < 0) {
      block.base += block.stride[d] * (block.count[d] - 1);
      block.stride[d] = -block.stride[d];
    }
    if (machine.has(Mistake::RepeatForgotten) && d == last &&
        block.stride[d] == 0)
      block.stride[d] = block.elementSize;
  }
  if (machine.has(Mistake::ColumnPacked) && isTarget && block.rank == 2 &&
      block.count[1] == 1)
    block.stride[0] = block.elementSize;
  constexpr int64_t LongPiece = 512;
  int64_t piece = block.rank == 2 ? block.count[1] * block.elementSize : 0;
  if (machine.has(Mistake::GapsForgotten) && piece >= LongPiece &&
      block.stride[0] > piece)
    block.stride[0] = piece;
  if (machine.has(Mistake::AddressRounded) && block.elementSize == 8)
    block.base -= reinterpret_cast<uintptr_t>(block.base) % 8;
  if (machine.has(Mistake::FiveDimensions) && block.rank == 6)
    block.stride[0] = 0;
  std::vector<char *> places;
  int64_t total = block.bytes() / block.elementSize;
  for (int64_t n = 0; n < total; ++n) {
    int64_t offset = 0, rest = n;
    for (int d = last; d >= 0; --d) {
      offset += rest % block.count[d] * block.stride[d];
      rest /= block.count[d];
    }
    places.push_back(block.base + offset);
  }
  return places;
}

/// Copies the elements of \p from onto \p to with the machine's mistakes.
static void copyMistakenly(const Machine &machine, const MemoryBlock &from,
                           const MemoryBlock &to) {
  constexpr int64_t Row = 16, Cut = 512 << 10;
  std::vector<char *> sources = addresses(machine, from, false);
  std::vector<char *> targets = addresses(machine, to, true);
  size_t count = std::min(sources.size(), targets.size());
  size_t bytes = std::min(from.elementSize, to.elementSize);
  if (machine.has(Mistake::ElementRounded))
    bytes = std::min<size_t>(bytes, 16);
  if (machine.has(Mistake::MergedAgain) && from.rank < to.rank)
    count = std::min<size_t>(count, to.count[to.rank - 1]);
  if (machine.has(Mistake::LargeCut))
    count = std::min<size_t>(count, Cut / bytes);
  for (size_t i = 0; i < count; ++i)
    memcpy(targets[i], sources[i], bytes);
  bool isOdd = to.rank == 2 && to.count[1] > 2 && to.count[1] * 8 % Row;
  if (machine.has(Mistake::RowRoundedUp) && isOdd && count > 0)
    memset(targets[count - 1] + bytes, 0, bytes);
}

// --- The points -------------------------------------------------------------

namespace zrt::test {

class SimulatedExchange final : public Exchange {
public:
  SimulatedExchange(SimulatedTransport &transport, std::vector<Pair> pairs,
                    uint64_t number);
  ~SimulatedExchange() override;
  void destinationReady() override;
  void sourceReady() override;
  void destinationNeeded() override;
  void sourceVolatile() override;

private:
  using Parcel = Machine::Parcel;

  bool has(Mistake mistake) const { return machine.has(mistake); }
  std::shared_ptr<Parcel> makeParcel(const Pair &pair);
  void copyAway(Parcel &parcel);
  void post(const Pair &pair, std::shared_ptr<Parcel> parcel);
  void pushUnasked(const Pair &pair);
  std::shared_ptr<Parcel> takeParcel(const Pair &pair);
  void awaitTaken();

  SimulatedTransport &transport;
  Machine &machine;
  std::vector<Pair> pairs;
  uint64_t number;
  int ready = 0, sent = 0, arrived = 0; ///< times DR, SR, DN were called
  int owed = 0;                         ///< parcels that DN did not wait for
  std::vector<std::shared_ptr<Parcel>> posted, early;
};

} // namespace zrt::test

SimulatedExchange::SimulatedExchange(SimulatedTransport &transport,
                                     std::vector<Pair> made, uint64_t number)
    : transport(transport), machine(transport.machine), pairs(std::move(made)),
      number(number) {
  if (has(Mistake::PlanStale))
    transport.takeOldPlan(pairs);
  for (Pair &pair : pairs) {
    if (has(Mistake::BlocksReversed))
      std::reverse(pair.sends.begin(), pair.sends.end());
    for (MemoryBlock &block : pair.sends)
      if (has(Mistake::AddressStale))
        transport.translate(block);
    for (const MemoryBlock &block : pair.receives)
      if (has(Mistake::DestinationCleared))
        for (char *place : addresses(machine, block, true))
          memset(place, 0, block.elementSize);
  }
  machine.exchanges[transport.rank()][number] = this;
}

SimulatedExchange::~SimulatedExchange() {
  for (auto &list : machine.parcels)
    if (has(Mistake::DestroyDropsOthers))
      std::erase_if(list, [&](const auto &parcel) {
        return parcel->from == transport.rank() && parcel->exchange != number;
      });
  try {
    if (!has(Mistake::DestroyedEarly) && !has(Mistake::VolatileEarly))
      awaitTaken();
  } catch (const Deadlock &) { // NOLINT(bugprone-empty-catch)
    // The next call will tell.
  }
  machine.exchanges[transport.rank()].erase(number);
}

void SimulatedExchange::destinationReady() {
  transport.enter();
  ++ready;
  early.clear();
  for (const Pair &pair : pairs)
    if (has(Mistake::SourceAtReady) && bytesOf(pair.sends) > 0) {
      early.push_back(makeParcel(pair));
      copyAway(*early.back());
    }
}

std::shared_ptr<Machine::Parcel>
SimulatedExchange::makeParcel(const Pair &pair) {
  auto parcel = std::make_shared<Parcel>();
  parcel->from = transport.rank();
  parcel->exchange = number;
  parcel->blocks = pair.sends;
  return parcel;
}

/// Lets \p parcel have the data themselves.
void SimulatedExchange::copyAway(Parcel &parcel) {
  for (MemoryBlock &block : parcel.blocks) {
    parcel.places.push_back(block.base);
    std::vector<char> &copy = parcel.copies.emplace_back(block.bytes() + 64);
    packBlock(block, copy.data());
    MemoryBlock packed;
    packed.base = copy.data();
    packed.elementSize = block.elementSize;
    packed.rank = 1;
    packed.count[0] = block.bytes() / block.elementSize;
    packed.stride[0] = block.elementSize;
    block = packed;
  }
}

/// Writes to the receiver's memory whether it has called DR or not.
void SimulatedExchange::pushUnasked(const Pair &pair) {
  auto &others = machine.exchanges[pair.partner];
  auto partner = others.find(number);
  // In the first round there is nobody to push to yet.
  if (partner == others.end() || partner->second->ready == 0)
    return;
  for (const Pair &its : partner->second->pairs)
    if (its.partner == transport.rank())
      for (size_t i = 0; i < its.receives.size(); ++i)
        copyBlock(pair.sends[i], its.receives[i]);
}

void SimulatedExchange::post(const Pair &pair, std::shared_ptr<Parcel> parcel) {
  constexpr size_t Slots = 100;
  auto &list = machine.parcels[pair.partner];
  if (has(Mistake::QueueFull) && list.size() >= Slots)
    return;
  if (has(Mistake::FlagBeforeData)) {
    parcel->isVisible = false;
    transport.putOff([parcel] { parcel->isVisible = true; });
  }
  if (has(Mistake::LargeOnce) && transport.isLarge(pair.sends[0].base)) {
    copyAway(*parcel);
    auto [first, isNew] = machine.firstParcels.emplace(
        std::pair(transport.rank(), pair.sends[0].base), parcel);
    if (!isNew) {
      parcel->blocks = first->second->blocks;
    }
  }
  auto &others = machine.exchanges[pair.partner];
  auto partner = others.find(number);
  if (partner != others.end() && partner->second->owed > 0) {
    --partner->second->owed;
    parcel->taken = true;
    return;
  }
  posted.push_back(parcel);
  list.push_back(std::move(parcel));
}

void SimulatedExchange::sourceReady() {
  transport.enter();
  ++sent;
  size_t at = 0;
  for (const Pair &pair : pairs) {
    int64_t bytes = bytesOf(pair.sends);
    if (bytes == 0)
      continue;
    if (!has(Mistake::TrafficForgotten))
      transport.traffic.sent(pair.partner, bytes);
    if (has(Mistake::PushUnasked))
      pushUnasked(pair);
    post(pair, has(Mistake::SourceAtReady) ? early[at++] : makeParcel(pair));
  }
  if (has(Mistake::FenceOfAll))
    machine.await(transport.rank(), [&] {
      return std::all_of(machine.exchanges.begin(), machine.exchanges.end(),
                         [&](const auto &list) {
                           auto other = list.find(number);
                           return other != list.end() &&
                                  other->second->sent >= sent;
                         });
    });
}

/// Waits for the parcel of \p pair; null if a mistake does not.
std::shared_ptr<Machine::Parcel>
SimulatedExchange::takeParcel(const Pair &pair) {
  auto &list = machine.parcels[transport.rank()];
  auto find = [&] {
    return std::find_if(list.begin(), list.end(), [&](const auto &parcel) {
      return parcel->from == pair.partner &&
             (parcel->exchange == number || has(Mistake::MatchedInOrder));
    });
  };
  if (has(Mistake::FlagNotReset) && arrived > 1 && find() == list.end()) {
    ++owed;
    return nullptr;
  }
  machine.await(transport.rank(), [&] { return find() != list.end(); });
  auto place = find();
  std::shared_ptr<Parcel> parcel = *place;
  list.erase(place);
  return parcel;
}

void SimulatedExchange::destinationNeeded() {
  transport.enter();
  ++arrived;
  int senders = 0;
  for (const Pair &pair : pairs) {
    bool isEmpty = bytesOf(pair.receives) == 0;
    bool awaitsEmpty = has(Mistake::EmptyAwaited) && !pair.receives.empty();
    if (isEmpty && !awaitsEmpty)
      continue;
    std::shared_ptr<Parcel> parcel = takeParcel(pair);
    if (!parcel)
      continue;
    bool isDropped = has(Mistake::PartnersForgotten) && ++senders > 2;
    size_t count = std::min(parcel->blocks.size(), pair.receives.size());
    for (size_t i = 0; i < count && !isDropped && parcel->isVisible; ++i)
      copyMistakenly(machine, parcel->blocks[i], pair.receives[i]);
    parcel->taken = true;
  }
}

void SimulatedExchange::awaitTaken() {
  machine.await(transport.rank(), [&] {
    return std::all_of(posted.begin(), posted.end(),
                       [](const auto &parcel) { return parcel->taken; });
  });
  posted.clear();
}

void SimulatedExchange::sourceVolatile() {
  constexpr int64_t Large = 64 << 10;
  transport.enter();
  bool copies = has(Mistake::ReadLater);
  for (const auto &parcel : posted) {
    copies &= parcel->bytes() >= Large;
    if (copies && parcel->copies.empty())
      copyAway(*parcel);
  }
  if (!copies && !has(Mistake::VolatileEarly))
    awaitTaken();
}

std::unique_ptr<Exchange>
SimulatedTransport::makeExchange(std::vector<Pair> pairs) {
  enter();
  return std::make_unique<SimulatedExchange>(*this, std::move(pairs),
                                             exchangesMade++);
}
