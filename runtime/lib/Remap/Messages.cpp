//===- Messages.cpp - What processors send each other in remaps -----------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Messages whose sizes the receiver does not know go as two each, the size
// first. All pairs of processors meet in P rounds: in round r the processors p
// and r - p, the lower of which sends first, so that sends which wait for their
// receiver do not wait in a circle.
//
// What is repeated, and large messages of known sizes, go through an exchange of
// the transport, from buffer to buffer: on shared memory one copy, at DN.
//
//===----------------------------------------------------------------------===//

#include "Remap/Messages.h"

#include "Support/Error.h"
#include "Transport/PairOrder.h"

#include <algorithm>
#include <numeric>

namespace zrt {

static void sendMessage(Transport &transport, int partner, Bytes &message) {
  int64_t bytes = static_cast<int64_t>(message.size());
  transport.send(partner, &bytes, sizeof bytes);
  if (bytes > 0)
    transport.send(partner, message.data(), message.size());
  Bytes().swap(message);
}

static void receiveMessage(Transport &transport, int partner, Bytes &message) {
  int64_t bytes;
  transport.receive(partner, &bytes, sizeof bytes);
  message.resize(static_cast<size_t>(bytes));
  if (bytes > 0)
    transport.receive(partner, message.data(), message.size());
}

std::vector<Bytes> exchangeAll(Transport &transport,
                               std::vector<Bytes> messages) {
  int size = transport.size(), self = transport.rank();
  std::vector<Bytes> received(static_cast<size_t>(size));
  received[static_cast<size_t>(self)] =
      std::move(messages[static_cast<size_t>(self)]);
  for (int round = 0; round < size; ++round) {
    int partner = (round - self + size) % size;
    if (partner == self)
      continue;
    auto at = static_cast<size_t>(partner);
    if (self < partner)
      sendMessage(transport, partner, messages[at]);
    receiveMessage(transport, partner, received[at]);
    if (self > partner)
      sendMessage(transport, partner, messages[at]);
  }
  return received;
}

std::vector<int64_t> exchangeCounts(Transport &transport,
                                    const std::vector<int64_t> &numbers) {
  int size = transport.size(), self = transport.rank();
  std::vector<int64_t> received = numbers;
  for (int round = 0; round < size; ++round) {
    int partner = (round - self + size) % size;
    auto at = static_cast<size_t>(partner);
    if (partner != self)
      transport.exchange(partner, &numbers[at], &received[at], sizeof(int64_t));
  }
  return received;
}

static char *allocateBuffer(Transport &transport, size_t bytes) {
  void *memory = transport.allocate(bytes);
  if (!memory)
    fatal(nullptr, ErrorScope::Local, "no memory for what a remap sends");
  return static_cast<char *>(memory);
}

/// \p count elements at \p base; none: no block.
static std::vector<MemoryBlock> blocksOf(char *base, int64_t count,
                                         size_t size) {
  if (count == 0)
    return {};
  MemoryBlock block;
  block.base = base;
  block.elementSize = static_cast<int64_t>(size);
  block.rank = 1;
  block.count[0] = count;
  block.stride[0] = block.elementSize;
  return {block};
}

/// Loads begin where elements of any type may, and lines of caches do.
void Courier::Buffer::add(const std::vector<int64_t> &counts, int64_t spare,
                          size_t size) {
  constexpr size_t Line = 64;
  bytes = (bytes + Line - 1) / Line * Line;
  starts.push_back(bytes);
  int64_t all = std::accumulate(counts.begin(), counts.end(), spare);
  bytes += std::max<size_t>(static_cast<size_t>(all) * size, 1);
}

static void addBlocks(std::vector<MemoryBlock> &blocks, char *base,
                      int64_t count, size_t size) {
  std::vector<MemoryBlock> made = blocksOf(base, count, size);
  blocks.insert(blocks.end(), made.begin(), made.end());
}

Courier::Courier(Transport &transport, const std::vector<Load> &loads)
    : transport(transport) {
  for (const Load &load : loads) {
    out.add(load.sends, 0, load.size);
    in.add(load.receives, load.spare, load.size);
  }
  out.base = allocateBuffer(transport, out.bytes);
  in.base = allocateBuffer(transport, in.bytes);
  std::vector<size_t> to = out.starts, from = in.starts;
  std::vector<Pair> pairs;
  for (size_t p = 0; p < static_cast<size_t>(transport.size()); ++p) {
    Pair pair{static_cast<int>(p), {}, {}};
    for (size_t k = 0; k < loads.size(); ++k) {
      const Load &load = loads[k];
      int64_t sent = load.sends[p], received = load.receives[p];
      addBlocks(pair.sends, out.base + to[k], sent, load.size);
      addBlocks(pair.receives, in.base + from[k], received, load.size);
      to[k] += static_cast<size_t>(sent) * load.size;
      from[k] += static_cast<size_t>(received) * load.size;
    }
    if (!pair.sends.empty() || !pair.receives.empty())
      pairs.push_back(std::move(pair));
  }
  orderPairs(transport, pairs);
  exchange = transport.makeExchange(std::move(pairs));
}

Courier::~Courier() {
  if (isOut)
    exchange->sourceVolatile();
  exchange.reset();
  transport.release(in.base, in.bytes);
  transport.release(out.base, out.bytes);
}

char *Courier::outgoing(size_t load) {
  if (isOut)
    exchange->sourceVolatile();
  isOut = false;
  return out.base + out.starts[load];
}

void Courier::begin() {
  isOut = isComing = true;
  exchange->destinationReady();
  exchange->sourceReady();
}

char *Courier::arrived(size_t load) {
  if (isComing)
    exchange->destinationNeeded();
  isComing = false;
  return in.base + in.starts[load];
}

std::vector<Bytes> exchangeSized(Transport &transport,
                                 std::vector<Bytes> messages,
                                 const std::vector<int64_t> &coming,
                                 bool isLarge) {
  if (!isLarge)
    return exchangeAll(transport, std::move(messages));
  auto self = static_cast<size_t>(transport.rank());
  std::vector<int64_t> sends, receives = coming;
  for (const Bytes &message : messages)
    sends.push_back(static_cast<int64_t>(message.size()));
  sends[self] = receives[self] = 0;
  Courier courier(transport, sends, receives, 0, 1);
  char *to = courier.outgoing();
  std::vector<Bytes> received(messages.size());
  received[self] = std::move(messages[self]);
  messages[self].clear();
  for (Bytes &message : messages) {
    to = std::copy(message.begin(), message.end(), to);
    Bytes().swap(message);
  }
  courier.begin();
  const char *from = courier.arrived();
  for (size_t p = 0; p < received.size(); ++p)
    if (p != self) {
      received[p].assign(from, from + receives[p]);
      from += receives[p];
    }
  return received;
}

} // namespace zrt
