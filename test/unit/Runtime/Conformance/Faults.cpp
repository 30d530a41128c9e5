//===- Faults.cpp - A slow and fickle transport ---------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Wraps a transport. What it does to one exchange of two blocks, in one case:
///
///     called   DR          SR                    DN             SV
///     happens      DR' DR"         pack SR" SR'     DN" DN' ...     SV' SV"
///
/// An exchange is *spread*: its pairs go to up to three exchanges of the inner
/// transport, whose points follow each other in any order. Or it is *staged*:
/// SR packs what goes to a partner, which is cut into up to three pieces, each
/// in an exchange of its own, and DN unpacks. DR and SR may be put off to the
/// processor's next call: first all DR, then all SR as they were called, so
/// nobody waits for what somebody else has put off. Where sides must agree
/// (pieces, which exchange) the decision is a hash of the seed, the processors
/// and a number that both count.
///
//===----------------------------------------------------------------------===//

#include "Faults.h"

#include "../Random.h"
#include "Transport/Blocks.h"

#include <algorithm>
#include <ctime>
#include <sched.h>

using namespace zrt;
using namespace zrt::test;

namespace {

class FaultyExchange;

class FaultyTransport final : public Transport {
public:
  FaultyTransport(std::unique_ptr<Transport> wrapped, unsigned seed)
      : inner(std::move(wrapped)), seed(seed),
        random(seed * 64 + inner->rank()), messages(inner->size()),
        arrivals(inner->size()), swaps(inner->size()) {}

  const char *name() const override { return inner->name(); }
  int rank() const override { return inner->rank(); }
  int size() const override { return inner->size(); }
  void *allocate(size_t bytes) override { return inner->allocate(bytes); }
  void release(void *memory, size_t bytes) override {
    inner->release(memory, bytes);
  }
  std::unique_ptr<Exchange> makeExchange(std::vector<Pair> pairs) override;
  void send(int to, const void *data, size_t bytes) override;
  void receive(int from, void *data, size_t bytes) override;
  void exchange(int partner, const void *out, void *in, size_t bytes) override;
  size_t gatherLimit(int members) const override {
    return inner->gatherLimit(members);
  }
  void gather(const int *members, int count, int place, const void *mine,
              size_t bytes, void *all) override {
    enter();
    inner->gather(members, count, place, mine, bytes, all);
  }
  void progress() override { inner->progress(); }
  bool claimReport(bool replicated) override {
    return inner->claimReport(replicated);
  }
  [[noreturn]] void abort(int status) override {
    inner->abort(status);
    __builtin_unreachable();
  }
  void finish() override {
    enter();
    inner->finish();
  }

  /// A number below \p limit on which all agree who give the same \p a, b, c.
  unsigned agreed(unsigned limit, unsigned a, unsigned b, unsigned c) const;
  /// Cuts \p bytes into one to three lengths, on which all agree likewise.
  std::vector<size_t> cut(size_t bytes, unsigned a, unsigned b,
                          unsigned c) const;
  /// Takes its time.
  void dawdle();
  /// What begins each call that may wait.
  void enter();
  void putOff(FaultyExchange *exchange, bool isSource);

  std::unique_ptr<Transport> inner;
  Random &fickle() { return random; }

private:
  struct Late {
    FaultyExchange *exchange;
    bool isSource;
  };

  unsigned seed;
  Random random;
  unsigned exchanges = 0;
  std::vector<unsigned> messages, arrivals, swaps; ///< by partner
  std::vector<Late> late;
};

class FaultyExchange final : public Exchange {
public:
  FaultyExchange(FaultyTransport &transport, std::vector<Pair> pairs,
                 unsigned number);
  ~FaultyExchange() override;
  void destinationReady() override { point(false); }
  void sourceReady() override { point(true); }
  void destinationNeeded() override;
  void sourceVolatile() override;

  void readyNow(bool isSource);

private:
  /// What goes to or comes from one partner through a buffer.
  struct Staged {
    std::vector<MemoryBlock> blocks;
    char *buffer;
    size_t bytes;
  };

  void point(bool isSource);
  void spread(std::vector<Pair> &pairs, unsigned number);
  void stage(std::vector<Pair> &pairs, unsigned number);
  Staged addStaged(std::vector<MemoryBlock> blocks);
  /// Calls \p function on each part, in any order.
  template <typename Function> void inAnyOrder(Function function);

  FaultyTransport &transport;
  std::vector<std::unique_ptr<Exchange>> parts;
  std::vector<Staged> outgoing, incoming;
  std::vector<std::pair<int, uint64_t>> sent; ///< per SR: to whom, bytes
};

MemoryBlock row(char *base, size_t bytes) {
  MemoryBlock block;
  block.base = base;
  block.elementSize = 1;
  block.rank = 1;
  block.count[0] = static_cast<int64_t>(bytes);
  block.stride[0] = 1;
  return block;
}

} // namespace

// --- The transport ----------------------------------------------------------

unsigned FaultyTransport::agreed(unsigned limit, unsigned a, unsigned b,
                                 unsigned c) const {
  uint64_t mix = seed;
  for (unsigned part : {a, b, c}) {
    mix = (mix ^ part) * 0x9e3779b97f4a7c15;
    mix ^= mix >> 29;
  }
  return static_cast<unsigned>(mix % limit);
}

std::vector<size_t> FaultyTransport::cut(size_t bytes, unsigned a, unsigned b,
                                         unsigned c) const {
  std::vector<size_t> lengths;
  size_t rest = bytes;
  for (unsigned count = agreed(3, a, b, c); count > 0 && rest > 1; --count) {
    unsigned share = 1 + agreed(15, a, b, c + count);
    lengths.push_back(std::max<size_t>(1, rest * share / 16));
    rest -= lengths.back();
  }
  lengths.push_back(rest);
  return lengths;
}

void FaultyTransport::dawdle() {
  int64_t kind = random(0, 15);
  if (kind == 0) {
    timespec time = {0, random(1, 300) * 1000};
    nanosleep(&time, nullptr);
  } else if (kind < 4) {
    sched_yield();
  }
}

void FaultyTransport::enter() {
  dawdle();
  std::vector<Late> now;
  now.swap(late);
  for (bool isSource : {false, true})
    for (const Late &point : now)
      if (point.isSource == isSource)
        point.exchange->readyNow(isSource);
  dawdle();
}

void FaultyTransport::putOff(FaultyExchange *exchange, bool isSource) {
  late.push_back({exchange, isSource});
  if (random(0, 2) == 0)
    enter();
}

void FaultyTransport::send(int to, const void *data, size_t bytes) {
  enter();
  traffic.sent(to, bytes);
  const char *at = static_cast<const char *>(data);
  for (size_t piece : cut(bytes, rank(), to, 16 * messages[to]++)) {
    inner->send(to, at, piece);
    at += piece;
    dawdle();
  }
}

void FaultyTransport::receive(int from, void *data, size_t bytes) {
  enter();
  char *at = static_cast<char *>(data);
  for (size_t piece : cut(bytes, from, rank(), 16 * arrivals[from]++)) {
    inner->receive(from, at, piece);
    at += piece;
    dawdle();
  }
}

void FaultyTransport::exchange(int partner, const void *out, void *in,
                               size_t bytes) {
  enter();
  traffic.sent(partner, bytes);
  const char *from = static_cast<const char *>(out);
  char *to = static_cast<char *>(in);
  for (size_t piece : cut(bytes, rank() + partner, 99, 16 * swaps[partner]++)) {
    inner->exchange(partner, from, to, piece);
    from += piece;
    to += piece;
    dawdle();
  }
}

std::unique_ptr<Exchange>
FaultyTransport::makeExchange(std::vector<Pair> pairs) {
  enter();
  return std::make_unique<FaultyExchange>(*this, std::move(pairs), exchanges++);
}

// --- The exchange -----------------------------------------------------------

FaultyExchange::FaultyExchange(FaultyTransport &transport,
                               std::vector<Pair> pairs, unsigned number)
    : transport(transport) {
  for (const Pair &pair : pairs) {
    auto bytes = static_cast<uint64_t>(bytesOf(pair.sends));
    if (bytes > 0)
      sent.emplace_back(pair.partner, bytes);
  }
  switch (transport.agreed(3, number, 1, 2)) {
  case 0:
    parts.push_back(transport.inner->makeExchange(std::move(pairs)));
    break;
  case 1:
    spread(pairs, number);
    break;
  case 2:
    stage(pairs, number);
    break;
  }
}

FaultyExchange::~FaultyExchange() {
  transport.enter();
  parts.clear();
  for (auto *list : {&outgoing, &incoming})
    for (const Staged &staged : *list)
      transport.inner->release(staged.buffer, staged.bytes);
}

/// Each pair to one of three exchanges, on which its processors agree.
void FaultyExchange::spread(std::vector<Pair> &pairs, unsigned number) {
  std::vector<std::vector<Pair>> lists(3);
  for (Pair &pair : pairs) {
    unsigned sum = transport.rank() + pair.partner;
    lists[transport.agreed(3, number, sum, 3)].push_back(std::move(pair));
  }
  for (std::vector<Pair> &list : lists)
    parts.push_back(transport.inner->makeExchange(std::move(list)));
}

FaultyExchange::Staged
FaultyExchange::addStaged(std::vector<MemoryBlock> blocks) {
  Staged staged = {std::move(blocks), nullptr, 0};
  staged.bytes = static_cast<size_t>(bytesOf(staged.blocks));
  staged.buffer = static_cast<char *>(transport.inner->allocate(staged.bytes));
  return staged;
}

/// Buffers for each partner, whose pieces go to three exchanges.
void FaultyExchange::stage(std::vector<Pair> &pairs, unsigned number) {
  std::vector<std::vector<Pair>> lists(3);
  for (Pair &pair : pairs) {
    outgoing.push_back(addStaged(std::move(pair.sends)));
    incoming.push_back(addStaged(std::move(pair.receives)));
    unsigned self = transport.rank(), other = pair.partner;
    auto outs = transport.cut(outgoing.back().bytes, self, other, number);
    auto ins = transport.cut(incoming.back().bytes, other, self, number);
    char *out = outgoing.back().buffer, *in = incoming.back().buffer;
    for (size_t i = 0; i < lists.size(); ++i) {
      Pair piece = {pair.partner, {}, {}};
      if (i < outs.size() && outs[i] > 0)
        piece.sends.push_back(row(out, outs[i]));
      if (i < ins.size() && ins[i] > 0)
        piece.receives.push_back(row(in, ins[i]));
      out += i < outs.size() ? outs[i] : 0;
      in += i < ins.size() ? ins[i] : 0;
      if (!piece.sends.empty() || !piece.receives.empty())
        lists[i].push_back(std::move(piece));
    }
  }
  for (std::vector<Pair> &list : lists)
    parts.push_back(transport.inner->makeExchange(std::move(list)));
}

template <typename Function>
void FaultyExchange::inAnyOrder(Function function) {
  size_t count = parts.size();
  size_t start = transport.fickle()(0, 5);
  bool backwards = transport.fickle()(0, 1);
  for (size_t i = 0; i < count; ++i) {
    size_t step = backwards ? count - 1 - i : i;
    function(*parts[(start + step) % count]);
    transport.dawdle();
  }
}

void FaultyExchange::point(bool isSource) {
  transport.dawdle();
  transport.putOff(this, isSource);
}

void FaultyExchange::readyNow(bool isSource) {
  if (!isSource) {
    inAnyOrder([](Exchange &part) { part.destinationReady(); });
    return;
  }
  for (const Staged &staged : outgoing) {
    char *at = staged.buffer;
    for (const MemoryBlock &block : staged.blocks) {
      packBlock(block, at);
      at += block.bytes();
    }
  }
  for (const auto &[partner, bytes] : sent)
    transport.traffic.sent(partner, bytes);
  inAnyOrder([](Exchange &part) { part.sourceReady(); });
}

void FaultyExchange::destinationNeeded() {
  transport.enter();
  inAnyOrder([](Exchange &part) { part.destinationNeeded(); });
  for (const Staged &staged : incoming) {
    const char *at = staged.buffer;
    for (const MemoryBlock &block : staged.blocks) {
      unpackBlock(at, block);
      at += block.bytes();
    }
  }
}

void FaultyExchange::sourceVolatile() {
  transport.enter();
  inAnyOrder([](Exchange &part) { part.sourceVolatile(); });
}

std::unique_ptr<Transport>
zrt::test::makeFaulty(std::unique_ptr<Transport> inner, unsigned seed) {
  return std::make_unique<FaultyTransport>(std::move(inner), seed);
}
