//===- SimTransport.cpp - Processors of a simulated machine ---------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `./jacobi -p1024 --transport=sim --sim-machine=cm5` is one process in which
// 1024 processors take turns. The transport is the thin part of it: SR packs the
// blocks for a partner into a message and gives it to the scheduler, DN takes
// the partner's and unpacks it; both move the processor's clock by what the
// machine's processor would be busy with. DR and SV have nothing to wait for,
// since messages are copies.
//
//     DR                  -
//     SR   pack, post     o_s on the clock, the message is under way
//     DN   await, unpack  the clock is at least when it has come in, + o_r
//     SV                  -
//
// Memory: each processor has a heap as on `self`; what all hold in pages is
// counted together.
//
//===----------------------------------------------------------------------===//

#include "Transport/sim/SimTransport.h"

#include "Machine/MachineMemory.h"
#include "Support/Error.h"
#include "Support/Rounding.h"
#include "Transport/Blocks.h"
#include "Transport/PrivateHeap.h"

#include <algorithm>
#include <cstring>
#include <sys/resource.h>
#include <unistd.h>

namespace zrt::sim {

namespace {

/// What a processor takes without arrays: its stack, its copies of variables,
/// the runtime's state: an estimate.
constexpr uint64_t BytesPerProcessor = 128 << 10;

class SimExchange final : public Exchange {
public:
  SimExchange(Scheduler &scheduler, Traffic &traffic, std::vector<Pair> all)
      : scheduler(scheduler), traffic(traffic) {
    for (Pair &pair : all) {
      Side side{std::move(pair)};
      if (!side.pair.sends.empty())
        side.out = scheduler.exchangeTo(side.pair.partner);
      if (!side.pair.receives.empty())
        side.in = scheduler.exchangeFrom(side.pair.partner);
      sides.push_back(std::move(side));
    }
  }
  ~SimExchange() override {
    for (Side &side : sides)
      for (Channel *channel : {side.out, side.in})
        if (channel)
          scheduler.release(channel);
  }

  void destinationReady() override {}
  void sourceReady() override {
    for (Side &side : sides)
      if (side.out)
        send(side);
  }
  void destinationNeeded() override {
    for (Side &side : sides)
      if (side.in)
        receive(side);
  }
  void sourceVolatile() override {}

private:
  struct Side {
    Pair pair;
    Channel *out = nullptr, *in = nullptr;
  };

  void send(Side &side) {
    size_t bytes = static_cast<size_t>(bytesOf(side.pair.sends));
    MessageRef message = scheduler.newMessage(bytes);
    char *to = message->data();
    for (const MemoryBlock &block : side.pair.sends) {
      packBlock(block, to);
      to += block.bytes();
    }
    traffic.sent(side.pair.partner, bytes);
    scheduler.post(*side.out, side.pair.partner, std::move(message));
  }
  void receive(Side &side) {
    MessageRef message = scheduler.await(*side.in);
    ZRT_CHECK(message->bytes ==
              static_cast<size_t>(bytesOf(side.pair.receives)));
    const char *from = message->data();
    for (const MemoryBlock &block : side.pair.receives) {
      unpackBlock(from, block);
      from += block.bytes();
    }
  }

  Scheduler &scheduler;
  Traffic &traffic;
  std::vector<Side> sides;
};

class SimTransport final : public Transport {
public:
  SimTransport(Scheduler &scheduler, std::atomic<uint64_t> &held)
      : scheduler(scheduler), held(held), own(scheduler.self()) {}

  const char *name() const override { return "sim"; }
  int rank() const override { return own.rank; }
  int size() const override { return scheduler.size(); }

  void *allocate(size_t bytes) override {
    // Nearly all of the machine would be too much: others have some of it.
    uint64_t all = held + bytes;
    uint64_t rest = static_cast<uint64_t>(size()) * BytesPerProcessor;
    if (!machineHas(all + all / 8 + rest) || !takeMemory(held, bytes))
      return nullptr;
    void *memory = heap.allocate(bytes);
    if (!memory)
      held -= bytes;
    return memory;
  }
  void release(void *memory, size_t bytes) override {
    heap.release(memory, bytes);
    held -= bytes;
  }
  std::string memoryAdvice() const override {
    return "; the arrays of all " + std::to_string(size()) +
           " simulated processors are in this machine's memory, " +
           std::to_string(held >> 20) +
           " MiB so far; --sim=skeleton does without those that control does "
           "not depend on";
  }

  std::unique_ptr<Exchange> makeExchange(std::vector<Pair> pairs) override {
    return std::make_unique<SimExchange>(scheduler, traffic, std::move(pairs));
  }

  void send(int to, const void *data, size_t bytes) override {
    MessageRef message = scheduler.newMessage(bytes);
    if (bytes != 0)
      std::memcpy(message->data(), data, bytes);
    traffic.sent(to, bytes);
    scheduler.post(scheduler.sendingTo(to), to, std::move(message));
  }
  void receive(int from, void *data, size_t bytes) override {
    MessageRef message = scheduler.await(scheduler.receivingFrom(from));
    ZRT_CHECK(message->bytes == bytes);
    if (bytes != 0)
      std::memcpy(data, message->data(), bytes);
  }
  void exchange(int partner, const void *out, void *in, size_t bytes) override {
    send(partner, out, bytes);
    receive(partner, in, bytes);
  }

  /// Of a network; processors of one node copy what they want themselves.
  bool travels(int) const override {
    return scheduler.setup().machine.transport != "shm";
  }
  bool findsHangs() const override { return true; }

  bool claimReport(bool replicated) override {
    return scheduler.claimReport(replicated);
  }
  void abort(int status) override {
    if (!scheduler.isReporter())
      scheduler.silence();
    _exit(status);
  }
  void finish() override {}

private:
  Scheduler &scheduler;
  std::atomic<uint64_t> &held;
  Processor &own;
  PrivateHeap heap;
};

/// As much as a process has, and as much less as the address space is limited.
size_t chooseStack(int processors) {
  constexpr size_t Least = 64 << 10, Page = 64 << 10;
  constexpr size_t All = size_t(1) << 43; // of the 2^47 that there are
  size_t wanted = size_t(64) << 20, space = All;
  rlimit limit;
  if (getrlimit(RLIMIT_STACK, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
    wanted = std::max<size_t>(limit.rlim_cur, Least);
  if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
    space = std::min<size_t>(space, limit.rlim_cur / 4);
  size_t each = std::min(wanted, space / static_cast<size_t>(processors));
  return std::max(Least, each / Page * Page);
}

/// Processors open their own files.
void raiseOpenFiles() {
  rlimit limit;
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0)
    return;
  limit.rlim_cur = limit.rlim_max;
  setrlimit(RLIMIT_NOFILE, &limit);
}

bool hasMemory(int processors, std::string &error) {
  uint64_t needed = static_cast<uint64_t>(processors) * BytesPerProcessor;
  if (machineHas(needed))
    return true;
  error = std::to_string(processors) + " processors of the transport 'sim' " +
          "need " + std::to_string(needed >> 20) +
          " MiB of memory before they have any array, and this machine has "
          "less";
  return false;
}

} // namespace

bool simulate(Setup setup, const ProcessorBody &body, std::string &error,
              uint64_t &events) {
  if (!hasMemory(setup.processors, error))
    return false;
  raiseOpenFiles();
  setup.stackBytes = chooseStack(setup.processors);
  if (setup.variables.empty())
    setup.variables = executableVariables();
  auto held = std::make_unique<std::atomic<uint64_t>>(0);
  auto scheduler = std::make_unique<Scheduler>(setup);
  auto one = [&](int) {
    body(std::make_unique<SimTransport>(*scheduler, *held));
  };
  bool good = scheduler->run(one, error);
  events = scheduler->events();
  return good;
}

void *commonMemory(size_t bytes) { return current()->commonMemory(bytes); }

bool isSimulation() { return current() != nullptr; }

void noteSimulatedEnd() {
  if (Scheduler *scheduler = current())
    scheduler->noteEnd();
}

std::string simulationSummary() {
  Scheduler *scheduler = current();
  return scheduler ? scheduler->summary() : "";
}

MessageCost simulatedMessageCost() {
  const Machine &machine = current()->setup().machine;
  return {(machine.send + machine.latency + machine.receive) * 1e9,
          (machine.byte + machine.receiveByte) * 1e9};
}

} // namespace zrt::sim
