//===- SimulationTogether.cpp - Simulated exchange and gather -------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// `exchange` puts its payload behind the messages of the pair and waits for
/// the partner's. `gather` has a board for each gather of a set: everybody
/// writes its payload there, waits for the others', and the last one takes the
/// board down.
///
//===----------------------------------------------------------------------===//

#include "Simulation.h"

#include <algorithm>
#include <cstring>

using namespace zrt;
using namespace zrt::test;

void SimulatedTransport::exchange(int partner, const void *out, void *in,
                                  size_t bytes) {
  constexpr size_t Eager = 64 << 10;
  if (machine.has(Mistake::SwapSendsFirst) && bytes > Eager) {
    enter();
    machine.await(self, [] { return false; }); // As the partner does.
  }
  enter();
  // Both ways in one account; the pair {0, 3} may not be mistaken for {1, 2}.
  bool mixes = machine.has(Mistake::SwapMixesPairs);
  int place = mixes ? self + partner
                    : std::min(self, partner) * size() + self + partner;
  auto message = std::make_shared<Machine::Message>();
  const char *from = static_cast<const char *>(out);
  message->data.assign(from, from + bytes);
  message->bytes = bytes;
  message->time = ++machine.clock;
  if (machine.has(Mistake::SwapOvertakes)) {
    Machine::Queue &queue = machine.queue(self, partner);
    queue.push_front(message);
    machine.await(self, [&] { return !machine.queue(partner, self).empty(); });
    Machine::Queue &incoming = machine.queue(partner, self);
    memcpy(in, incoming.front()->data.data(),
           std::min(bytes, incoming.front()->bytes));
    incoming.front()->taken = true;
    incoming.pop_front();
    return;
  }
  int side = mixes ? self > partner : self;
  int other = mixes ? self < partner : partner;
  machine.swaps[{place, side}].push_back(message);
  Machine::Queue &incoming = machine.swaps[{place, other}];
  machine.await(self, [&] { return !incoming.empty(); });
  memcpy(in, incoming.front()->data.data(),
         std::min(bytes, incoming.front()->bytes));
  incoming.pop_front();
}

void SimulatedTransport::gather(const int *members, int count, int place,
                                const void *mine, size_t bytes, void *all) {
  enter();
  std::vector<int> set(members, members + count);
  if (machine.has(Mistake::GatherMixesSets))
    set = {count};
  bool hasOneBuffer = machine.has(Mistake::GatherOneBuffer);
  uint64_t number = gathers[set]++;
  Machine::Board &board = machine.boards[{set, hasOneBuffer ? 0 : number}];
  board.payloads.resize(count);
  const char *data = static_cast<const char *>(mine);
  board.payloads[place].assign(data, data + bytes);
  int wanted = ++board.arrived;
  wanted = hasOneBuffer ? static_cast<int>(number + 1) * count : count;
  bool givesUp = machine.has(Mistake::GatherGivesUp);
  machine.await(self, [&] {
    bool anyLingers = false;
    for (int i = 0; i < count; ++i)
      anyLingers |= machine.isLingering(members[i]);
    return board.arrived >= wanted || (givesUp && anyLingers);
  });
  char *to = static_cast<char *>(all);
  bool rotates = machine.has(Mistake::GatherRotated);
  for (int i = 0; i < count; ++i) {
    std::vector<char> payload =
        board.payloads[rotates ? (place + i) % count : i];
    payload.resize(bytes);
    if (machine.has(Mistake::GatherCut) && bytes == gatherLimit(count))
      payload.back() = 0;
    std::copy(payload.begin(), payload.end(), to + i * bytes);
  }
  if (++board.left == count && !hasOneBuffer)
    machine.boards.erase({set, number});
}
