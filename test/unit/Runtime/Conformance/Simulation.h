//===- Simulation.h - Processors under control ------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A transport whose processors run one at a time, in an order that a seed
/// decides. It does everything at the latest moment that the contract allows:
/// a source is read when the receiver needs it, a send may wait for its
/// receiver. So a clause that asks for more than the contract fails here, each
/// time, and so does one whose processors wait for each other: a deadlock is
/// seen at once.
///
/// With a mistake it is a transport that breaks its contract in one way, each
/// time and in the same place. "Too early" needs no luck: a processor that
/// lingers goes on when no other one can.
///
//===----------------------------------------------------------------------===//

#ifndef ZPL_TEST_UNIT_RUNTIME_CONFORMANCE_SIMULATION_H
#define ZPL_TEST_UNIT_RUNTIME_CONFORMANCE_SIMULATION_H

#include "../Random.h"
#include "Transport/Transport.h"

#include <deque>
#include <functional>
#include <list>
#include <map>
#include <string>
#include <ucontext.h>

namespace zrt::test {

enum class Mistake {
  None,
#define ZRT_MISTAKE(identifier, what, clauses) identifier,
#include "Mistakes.def"
};

/// Thrown in each processor's calls when none can go on.
struct Deadlock {};

class SimulatedExchange;
class SimulatedTransport;

/// What the processors of one simulation have in common. Only the processor
/// whose turn it is touches it.
class Machine {
public:
  /// \p preempts: processors also change in the middle of things, and sends of
  /// all sizes wait or do not, as \p seed says. Else a processor runs until it
  /// has to wait.
  Machine(int processors, Mistake mistake, unsigned seed, bool preempts);
  ~Machine();

  /// Runs \p body on all processors. Returns false for a deadlock.
  bool run(const std::function<void(Transport &)> &body);

  // --- For the transport ----------------------------------------------------

  bool has(Mistake other) const { return mistake == other; }
  int processors() const { return static_cast<int>(states.size()); }

  /// A place where processors may change.
  void point(int rank);
  /// Returns when \p holds; throws Deadlock if it never does.
  void await(int rank, const std::function<bool()> &holds);
  /// Lets all others run as far as they can.
  void linger(int rank);
  bool isLingering(int rank) const { return states[rank].lingers; }
  bool isDead() const { return dead; }
  /// Whether a send of \p bytes waits for its receiver.
  bool sendWaits(size_t bytes);

  struct Message {
    std::vector<char> data;
    const char *place = nullptr; ///< read from here when it is received
    bool taken = false;
    uint64_t time = 0; ///< of arrival
    size_t bytes = 0;
  };
  using Queue = std::deque<std::shared_ptr<Message>>;
  Queue &queue(int from, int to) { return queues[{from, to}]; }
  /// The queue for messages of \p bytes.
  Queue &messages(int from, int to, size_t bytes);
  /// Where a sender has one place for long messages: puts \p message there.
  void takePlace(int from, int to, const std::shared_ptr<Message> &message);
  uint64_t clock = 0;

  /// What one SR tells one partner.
  struct Parcel {
    int from = 0;
    uint64_t exchange = 0;
    std::vector<MemoryBlock> blocks;
    std::vector<std::vector<char>> copies; ///< what `blocks` describe, if any
    std::vector<const char *> places;      ///< of which these are copies
    bool isVisible = true;
    bool taken = false;

    int64_t bytes() const;
  };
  std::vector<std::list<std::shared_ptr<Parcel>>> parcels; ///< by receiver
  std::vector<std::map<uint64_t, SimulatedExchange *>> exchanges;
  /// The first parcel from each place of large arrays.
  std::map<std::pair<int, char *>, std::shared_ptr<Parcel>> firstParcels;

  /// One gather of one set of processors.
  struct Board {
    std::vector<std::vector<char>> payloads;
    int arrived = 0, left = 0;
  };
  std::map<std::pair<std::vector<int>, uint64_t>, Board> boards;
  /// What is on its way by exchange(), by sender and the pair's place.
  std::map<std::pair<int, int>, Queue> swaps;

private:
  struct State {
    bool done = false, lingers = false;
    const std::function<bool()> *holds = nullptr;
    ucontext_t context;
    std::unique_ptr<char[]> stack;
  };

  static void start(unsigned high, unsigned low, int rank);
  void runOne(int rank);
  /// Gives the turn to another processor; returns when it comes back.
  void pass(int rank);
  int choose(int rank);
  bool canRun(int rank) const;

  Mistake mistake;
  bool preempts;
  Random random;
  std::vector<State> states;
  std::map<std::pair<int, int>, Queue> queues;
  std::map<int, std::pair<int, std::shared_ptr<Message>>> places;
  std::vector<std::unique_ptr<SimulatedTransport>> transports;
  const std::function<void(Transport &)> *body = nullptr;
  ucontext_t outside; ///< who has called `run`
  bool dead = false;
};

/// One processor of a machine.
class SimulatedTransport final : public Transport {
public:
  SimulatedTransport(Machine &machine, int rank);
  ~SimulatedTransport() override;

  const char *name() const override { return "simulated"; }
  int rank() const override { return self; }
  int size() const override { return machine.processors(); }
  void *allocate(size_t bytes) override;
  void release(void *memory, size_t bytes) override;
  std::unique_ptr<Exchange> makeExchange(std::vector<Pair> pairs) override;
  void send(int to, const void *data, size_t bytes) override;
  void receive(int from, void *data, size_t bytes) override;
  void exchange(int partner, const void *out, void *in, size_t bytes) override;
  size_t gatherLimit(int) const override { return 64; }
  void gather(const int *members, int count, int place, const void *mine,
              size_t bytes, void *all) override;
  bool claimReport(bool) override { return true; }
  [[noreturn]] void abort(int) override { throw Deadlock(); }
  void finish() override {}

  /// What begins each call: does what was put off until now.
  void enter();
  void putOff(std::function<void()> work) { late.push_back(std::move(work)); }
  /// Where the mistakes about addresses say that \p block is.
  void translate(MemoryBlock &block) const;
  /// Whether \p place lies in a piece of megabytes.
  bool isLarge(const char *place) const;
  /// The blocks of the first exchange of \p pairs' shape, for one that reuses
  /// its plan.
  void takeOldPlan(std::vector<Pair> &pairs);

  Machine &machine;

private:
  struct Allocation {
    std::unique_ptr<char[]> storage;
    char *data;
    size_t bytes;
    bool isLive;
  };
  char *carve(size_t bytes);
  void spoilCopies(const char *data, size_t bytes);

  int self;
  uint64_t exchangesMade = 0;
  std::vector<std::function<void()>> late;
  std::vector<Allocation> allocations; ///< none is given back before the end
  std::unique_ptr<char[]> chunk;       ///< for pieces that overlap
  size_t chunkUsed = 0;
  std::map<std::string, std::vector<Pair>> oldPlans;
  std::map<std::vector<int>, uint64_t> gathers;
};

} // namespace zrt::test

#endif // ZPL_TEST_UNIT_RUNTIME_CONFORMANCE_SIMULATION_H
