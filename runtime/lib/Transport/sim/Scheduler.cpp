//===- Scheduler.cpp - Processors that run in turns -----------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each processor has a clock of its own. It runs until it waits for a message
// that has not been sent; then the one whose clock is least runs, of equal ones
// that of the least number:
//
//     processor 0   computes to 40, sends to 1, waits for 1        clock 41
//     processor 1   computes to 55, sends to 0, message of 0 is there: goes on
//     processor 0   message of 1 arrives at 58: goes on            clock 60
//
// A receive names its sender, so what processors compute does not depend on who
// runs first. Times do where messages of several senders meet at a receiver or
// on a bus. The rule that makes them exact: whoever is to know the order at time
// t waits until nobody can send any more what arrives before t. Those who run
// later have clocks of at least that of the one who runs now, and a message takes
// the latency at least (conservative simulation with lookahead: Chandy and Misra
// 1979). Nothing else is looked at, no clock of the machine, so a second run
// does the same step by step.
//
// Computing moves the clock when a processor comes to the transport or asks for
// the time (`charge`).
//
// If all wait, no message is under way, and nothing can change: the run ends
// with who waits where. *Late* processors are those that report an error: others
// run first, so that processor 0 writes what stands before it.
//
//===----------------------------------------------------------------------===//

#include "Transport/sim/Scheduler.h"

#include "Support/Clock.h"
#include "Support/Error.h"
#include "Support/LastOperation.h"
#include "Support/Work.h"

#include <algorithm>
#include <bit>
#include <cstdio>
#include <sys/mman.h>
#include <unistd.h>

namespace zrt::sim {

/// In the thread's own memory, which processors do not exchange.
static thread_local Scheduler *theScheduler = nullptr;

Scheduler *current() { return theScheduler; }

static double virtualSeconds() {
  Scheduler &scheduler = *current();
  scheduler.charge();
  return secondsOf(scheduler.self().clock);
}

Scheduler::Scheduler(const Setup &setup)
    : facts(setup), network(setup.machine, setup.processors),
      image(setup.variables) {
  for (int rank = 0; rank < facts.processors; ++rank) {
    processors.push_back(std::make_unique<Processor>());
    processors.back()->rank = rank;
  }
}

Scheduler::~Scheduler() {
  theScheduler = nullptr;
  for (size_t size = 0; size < std::size(common); ++size)
    if (common[size])
      munmap(common[size], size_t(1) << size);
}

//===----------------------------------------------------------------------===//
// Start and end
//===----------------------------------------------------------------------===//

/// Where a fiber begins.
static void enterProcessor(void *argument) {
  current()->begin(*static_cast<Processor *>(argument));
}

void Scheduler::begin(Processor &processor) {
  setOperationState(&processor.operation);
  setVirtualClock(virtualSeconds);
  processor.charged = workDone();
  processor.measuredSince = machineSeconds();
  body(processor.rank);
  processor.state = Processor::State::Ended;
  ++ended;
  goOn();
  __builtin_unreachable(); // Nobody changes to it again.
}

bool Scheduler::startFibers(std::string &error) {
  // A guard takes two of the 65530 pieces of memory that a process may have.
  constexpr int MostGuarded = 16384;
  size_t guardBytes = facts.processors <= MostGuarded
                          ? static_cast<size_t>(sysconf(_SC_PAGESIZE))
                          : 0;
  for (auto &processor : processors) {
    if (processor->fiber.start(facts.stackBytes, guardBytes, enterProcessor,
                               processor.get())) {
      makeReady(*processor, 0);
      continue;
    }
    error = "there is no address space for the stacks of " +
            std::to_string(facts.processors) + " processors, " +
            std::to_string(facts.stackBytes >> 10) + " KiB each";
    return false;
  }
  return true;
}

bool Scheduler::run(std::function<void(int)> function, std::string &error) {
  body = std::move(function);
  theScheduler = this;
  toldAt = machineSeconds();
  if (!startFibers(error))
    return false;
  goOn();
  return true;
}

void Scheduler::noteEnd() {
  charge();
  Processor &p = *running;
  p.end = {p.clock, p.computed, p.path, p.messages, p.bytes};
}

std::string Scheduler::summary() const {
  uint64_t messages = 0, bytes = 0;
  Ticks most = 0;
  double all = 0;
  const Processor *last = processors.front().get();
  for (const auto &p : processors) {
    messages += p->end.messages;
    bytes += p->end.bytes;
    most = std::max(most, p->end.computed);
    all += static_cast<double>(p->end.computed);
    if (p->end.clock > last->end.clock)
      last = p.get();
  }
  double mean = all / facts.processors;
  char imbalance[32] = "-";
  if (mean > 0)
    std::snprintf(imbalance, sizeof imbalance, "%.2f",
                  static_cast<double>(most) / mean);
  const Path &path = last->end.path;
  char text[640];
  std::snprintf(
      text, sizeof text,
      "\npredicted for %s (%s)\n"
      "time                %.9f s\n"
      "messages            %llu, %llu bytes\n"
      "computing           %.9f s a processor, imbalance %s\n"
      "critical path       %.9f s computing, %.9f s processors' work for "
      "messages, %.9f s network; %llu messages\n",
      facts.machine.name.empty() ? "a machine" : facts.machine.name.c_str(),
      facts.machine.transport.c_str(), secondsOf(last->end.clock),
      static_cast<unsigned long long>(messages),
      static_cast<unsigned long long>(bytes), mean / TicksPerSecond, imbalance,
      secondsOf(path.computing), secondsOf(path.overhead),
      secondsOf(path.network), static_cast<unsigned long long>(path.messages));
  std::string result = text;
  if (all == 0 && facts.compute == ComputeCost::Model)
    result += "no computing was charged: compile the program with "
              "-fcount-work\n";
  return result + facts.note;
}

void *Scheduler::commonMemory(size_t bytes) {
  int size = std::bit_width(bytes);
  if (size >= 48)
    return nullptr; // more than addresses reach
  if (!common[size]) {
    void *made = mmap(nullptr, size_t(1) << size, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (made == MAP_FAILED)
      return nullptr;
    common[size] = made;
  }
  return common[size];
}

//===----------------------------------------------------------------------===//
// Turns
//===----------------------------------------------------------------------===//

void Scheduler::makeReady(Processor &processor, Ticks at) {
  processor.state = Processor::State::Ready;
  processor.wakeUp = at;
  ready.add(at, processor.rank);
}

void Scheduler::waitUntil(Ticks at) {
  if (ready.isEmpty() || ready.earliest() >= at)
    return;
  makeReady(*running, at);
  goOn();
}

Processor *Scheduler::lateOne() {
  if (late.empty())
    return nullptr;
  auto least = std::min_element(
      late.begin(), late.end(),
      [](const Processor *a, const Processor *b) { return a->rank < b->rank; });
  Processor *found = *least;
  late.erase(least);
  return found;
}

/// Who runs now; null: nobody can.
Processor *Scheduler::next() {
  if (catching && caught->isOver(0)) {
    late.erase(std::find(late.begin(), late.end(), catching));
    return std::exchange(catching, nullptr);
  }
  if (!ready.isEmpty())
    return processors[static_cast<size_t>(ready.take())].get();
  return lateOne();
}

/// The one that runs has nothing to do; returns when it has again.
void Scheduler::goOn() {
  Processor *to = next();
  if (!to && ended == facts.processors)
    to = &main;
  if (!to)
    reportHang();
  change(*to);
}

/// A long simulation with -v says that it goes on. The machine's clock is looked
/// at for nothing else.
void Scheduler::tellProgress() {
  constexpr double Seconds = 5;
  double now = machineSeconds();
  if (now - toldAt < Seconds)
    return;
  toldAt = now;
  char text[128];
  std::snprintf(text, sizeof text,
                ": %llu events, processor %d is at %.9f s of virtual time\n",
                static_cast<unsigned long long>(eventCount), running->rank,
                secondsOf(running->clock));
  writeError(facts.progress + text);
}

void Scheduler::change(Processor &to) {
  Processor &from = *running;
  if (&from == &to)
    return;
  constexpr uint64_t TurnsPerLook = 1 << 16;
  if (++turns % TurnsPerLook == 0 && !facts.progress.empty())
    tellProgress();
  image.save(from.values);
  image.load(to.values);
  running = &to;
  Fiber::change(from.fiber, to.fiber);
  // Somebody has changed back to `from`, and loaded its values.
  if (facts.compute == ComputeCost::Measured)
    from.measuredSince = machineSeconds();
}

void Scheduler::charge() {
  Processor &p = *running;
  double seconds = 0;
  if (facts.compute == ComputeCost::Model) {
    const zrt_work &done = workDone();
    seconds = static_cast<double>(done.operations - p.charged.operations) *
                  facts.machine.operation +
              static_cast<double>(done.bytes - p.charged.bytes) *
                  facts.machine.memoryByte;
    p.charged = done;
  } else if (facts.compute == ComputeCost::Measured) {
    double now = machineSeconds();
    seconds = (now - p.measuredSince) * facts.scale;
    p.measuredSince = now;
  }
  if (seconds <= 0)
    return;
  Ticks ticks = ticksOf(seconds);
  p.clock += ticks;
  p.computed += ticks;
  p.path.computing += ticks;
  ++eventCount;
}

//===----------------------------------------------------------------------===//
// Messages
//===----------------------------------------------------------------------===//

void Scheduler::post(Channel &channel, int to, MessageRef given) {
  charge();
  Processor &p = *running;
  Message *message = given.release();
  if (network.hasBus())
    waitUntil(p.clock);
  p.clock += network.sendCost();
  p.path.overhead += network.sendCost();
  ++p.messages;
  p.bytes += message->bytes;
  message->from = p.rank;
  message->number = ++sequence;
  message->departure = network.depart(p.port, p.clock, message->bytes);
  message->arrival =
      network.arrive(message->departure, p.rank, to, message->bytes);
  message->path = p.path;
  message->path.network += message->departure - p.clock;
  eventCount += 2; // a departure and an arrival
  channel.add(message);
  Processor &receiver = *processors[static_cast<size_t>(to)];
  if (network.hasContention())
    receiver.inbox.add(message);
  else
    message->ready = message->arrival;
  if (receiver.state == Processor::State::Waiting &&
      receiver.channel == &channel)
    makeReady(receiver, std::max(receiver.clock, message->arrival));
}

/// Has what arrived before \p last come in, and that.
void Scheduler::comeIn(Processor &processor, const Message &last) {
  while (last.ready < 0) {
    Message *first = processor.inbox.take();
    first->ready = network.comeIn(processor.port, first->arrival, first->bytes);
  }
}

MessageRef Scheduler::await(Channel &channel) {
  charge();
  Processor &p = *running;
  if (!channel.first) {
    p.state = Processor::State::Waiting;
    p.channel = &channel;
    goOn();
    p.channel = nullptr;
  }
  Message *message = channel.first;
  if (message->ready < 0) {
    if (!ready.isEmpty() &&
        ready.earliest() + network.leastLatency() < message->arrival)
      waitUntil(std::max(p.clock, message->arrival));
    comeIn(p, *message);
  }
  if (message->ready > p.clock) {
    p.path = message->path;
    p.path.network += message->ready - message->departure;
    ++p.path.messages;
    p.clock = message->ready;
  }
  Ticks cost = network.receiveCost(message->bytes);
  p.clock += cost;
  p.path.overhead += cost;
  ++eventCount;
  return {pool, channel.take()};
}

Channel &Scheduler::sendingTo(int to) {
  Processor &p = *running;
  if (Channel *known = p.sending.find(to))
    return *known;
  auto made = std::make_shared<Channel>();
  p.sending.put(to, made);
  processors[static_cast<size_t>(to)]->receiving.put(p.rank, made);
  return *made;
}

Channel &Scheduler::receivingFrom(int from) {
  Processor &p = *running;
  if (Channel *known = p.receiving.find(from))
    return *known;
  auto made = std::make_shared<Channel>();
  p.receiving.put(from, made);
  processors[static_cast<size_t>(from)]->sending.put(p.rank, made);
  return *made;
}

/// Made by the side that comes first, given up by the side that comes second.
Channel *Scheduler::exchangeChannel(int from, int to, uint32_t number) {
  ChannelKey key{from, to, number};
  auto [place, isNew] = exchanges.try_emplace(key, nullptr);
  if (isNew) {
    auto *made = new Channel;
    made->users = 2;
    return place->second = made;
  }
  Channel *known = place->second;
  exchanges.erase(place);
  return known;
}

Channel *Scheduler::exchangeTo(int to) {
  Processor &p = *running;
  return exchangeChannel(p.rank, to, p.sends[to]++);
}

Channel *Scheduler::exchangeFrom(int from) {
  Processor &p = *running;
  return exchangeChannel(from, p.rank, p.receives[from]++);
}

void Scheduler::release(Channel *channel) {
  if (--channel->users == 0)
    delete channel;
}

//===----------------------------------------------------------------------===//
// Ends that are no good ones
//===----------------------------------------------------------------------===//

void Scheduler::becomeLate() {
  running->state = Processor::State::Late;
  late.push_back(running);
  goOn();
}

bool Scheduler::claimReport(bool replicated) {
  Processor &p = *running;
  if (reporter)
    return false;
  // A handler of a signal has a stack of its own, and nobody runs behind it.
  char here;
  bool mayWait = p.fiber.holds(&here) && p.rank != 0;
  if (!replicated || !mayWait)
    reporter = &p;
  if (!mayWait)
    return true;
  if (replicated) {
    becomeLate();
    if (!reporter)
      reporter = &p;
    return reporter == &p;
  }
  caught = std::make_unique<CatchUp>(processors[0]->operation, p.operation);
  if (!caught->isOver(0)) {
    catching = &p;
    becomeLate();
    catching = nullptr;
  }
  return true;
}

void Scheduler::silence() {
  running->state = Processor::State::Ended;
  running->isSilent = true;
  ++ended;
  goOn();
  __builtin_unreachable();
}

/// Everybody waits, or has ended while others wait for it. All wait outside of
/// statements that fail, so there is one message, from whoever ran last.
void Scheduler::reportHang() {
  reporter = running;
  std::vector<std::string> doing;
  for (const auto &p : processors)
    doing.push_back(p->state == Processor::State::Ended
                        ? "ended"
                        : "waiting " + lastOperation(p->operation));
  printError("%s", hangReport(doing).c_str());
  _exit(1);
}

} // namespace zrt::sim
