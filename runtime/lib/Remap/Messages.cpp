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

static size_t bytesFor(const std::vector<int64_t> &counts, int64_t spare,
                       size_t size) {
  int64_t all = std::accumulate(counts.begin(), counts.end(), spare);
  return std::max<size_t>(static_cast<size_t>(all) * size, 1);
}

Courier::Courier(Transport &transport, const std::vector<int64_t> &sends,
                 const std::vector<int64_t> &receives, int64_t spare,
                 size_t size)
    : transport(transport), outBytes(bytesFor(sends, 0, size)),
      inBytes(bytesFor(receives, spare, size)),
      out(allocateBuffer(transport, outBytes)),
      in(allocateBuffer(transport, inBytes)) {
  std::vector<Pair> pairs;
  char *to = out, *from = in;
  for (int p = 0; p < transport.size(); ++p) {
    int64_t sent = sends[static_cast<size_t>(p)];
    int64_t received = receives[static_cast<size_t>(p)];
    if (sent + received > 0)
      pairs.push_back(
          {p, blocksOf(to, sent, size), blocksOf(from, received, size)});
    to += static_cast<size_t>(sent) * size;
    from += static_cast<size_t>(received) * size;
  }
  exchange = transport.makeExchange(std::move(pairs));
}

Courier::~Courier() {
  if (isOut)
    exchange->sourceVolatile();
  exchange.reset();
  transport.release(in, inBytes);
  transport.release(out, outBytes);
}

char *Courier::outgoing() {
  if (isOut)
    exchange->sourceVolatile();
  isOut = false;
  return out;
}

void Courier::begin() {
  isOut = true;
  exchange->destinationReady();
  exchange->sourceReady();
}

char *Courier::arrived() {
  exchange->destinationNeeded();
  return in;
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
