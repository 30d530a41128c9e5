//===- Scheduler.h - Processors that run in turns ---------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_TRANSPORT_SIM_SCHEDULER_H
#define ZRT_TRANSPORT_SIM_SCHEDULER_H

#include "Support/CatchUp.h"
#include "Transport/sim/Fiber.h"
#include "Transport/sim/Image.h"
#include "Transport/sim/Messages.h"
#include "Transport/sim/Network.h"

#include <functional>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

namespace zrt::sim {

/// How computing is charged.
enum class ComputeCost : uint8_t {
  Model,    ///< by the counts of the compiled program
  Measured, ///< by the time that it takes here
  None      ///< not at all
};

/// What a simulation is of.
struct Setup {
  Machine machine;
  int processors = 1;
  ComputeCost compute = ComputeCost::Model;
  double scale = 1;                   ///< of measured times
  size_t stackBytes = 0;              ///< of each processor, in whole pages
  std::vector<MemoryRange> variables; ///< of which each processor has its own
  std::string progress; ///< whose progress is told every few seconds; or ""
  std::string note;     ///< lines that a profile ends with
};

/// One logical processor.
struct Processor {
  enum class State : uint8_t {
    Ready,   ///< goes on at `wakeUp`
    Waiting, ///< for a message in `channel`
    Late,    ///< goes on when nobody else can
    Ended    ///< or silenced, since another reports the end of the run
  };

  int rank = 0;
  State state = State::Ready;
  bool isSilent = false; ///< it has not come to its end
  Ticks clock = 0;
  Ticks wakeUp = 0;
  Fiber fiber;
  OwnValues values;
  Port port;
  Path path;
  Inbox inbox;                      ///< what has not come in yet
  const Channel *channel = nullptr; ///< that it waits for
  OperationState operation;
  Ticks computed = 0;              ///< charged for computing
  zrt_work charged = {0, 0, 0, 0}; ///< work that the clock has been moved for
  double measuredSince = 0;        ///< by the machine's clock
  uint64_t messages = 0, bytes = 0;
  ChannelTable sending, receiving; ///< of ordered messages, by partner
  std::unordered_map<int, uint32_t> sends, receives; ///< exchanges, by partner

  /// What it had done when the program ended, before profiles are gathered.
  struct End {
    Ticks clock = 0, computed = 0;
    Path path;
    uint64_t messages = 0, bytes = 0;
  } end;
};

/// All processors of a run, the network, and who runs. There is one at a time;
/// it lies outside of what processors exchange.
class Scheduler {
public:
  explicit Scheduler(const Setup &setup);
  ~Scheduler();
  Scheduler(const Scheduler &) = delete;
  Scheduler &operator=(const Scheduler &) = delete;

  /// Runs \p body on each processor until it has returned on all of them. False,
  /// with a sentence in \p error, if they cannot be started.
  bool run(std::function<void(int rank)> body, std::string &error);

  /// What a fiber begins with: the body on \p processor, to its end.
  void begin(Processor &processor);

  const Setup &setup() const { return facts; }
  Processor &self() { return *running; }
  Processor &processor(int rank) { return *processors[rank]; }
  int size() const { return facts.processors; }

  /// Moves the clock of the processor that runs on by what it has computed
  /// since the last call.
  void charge();

  /// Memory for a message of \p bytes bytes.
  MessageRef newMessage(size_t bytes) { return {pool, pool.take(bytes)}; }
  /// Gives \p message, whose data are filled in, to the network.
  void post(Channel &channel, int to, MessageRef message);
  /// The next message in \p channel; returns when it has come in, and charges
  /// for it.
  MessageRef await(Channel &channel);

  /// The channel of ordered messages between this processor and another one.
  Channel &sendingTo(int to);
  Channel &receivingFrom(int from);
  /// The same of the next exchange that goes that way; the last of both sides
  /// that releases it takes it away.
  Channel *exchangeTo(int to);
  Channel *exchangeFrom(int from);
  void release(Channel *channel);

  /// Whether the processor that runs reports the end of the run: one does. It is
  /// processor 0 if \p replicated and it comes here. Before others get an
  /// answer, processor 0 comes to where they are.
  bool claimReport(bool replicated);
  /// Whether the processor that runs has been told so.
  bool isReporter() const { return reporter == running; }
  /// Stops the processor that runs for good.
  [[noreturn]] void silence();

  /// Has the program ended on this processor? Notes what it took.
  void noteEnd();
  /// What --profile says of all; "" unless all have ended.
  std::string summary() const;

  /// See SimTransport.h.
  void *commonMemory(size_t bytes);

  uint64_t events() const { return eventCount; }
  size_t ownBytes() const { return image.ownBytes(); }

private:
  bool startFibers(std::string &error);
  void makeReady(Processor &processor, Ticks at);
  /// Lets others run until the one that runs is first again, at \p at.
  void waitUntil(Ticks at);
  void goOn();
  Processor *next();
  Processor *lateOne();
  void change(Processor &to);
  void becomeLate();
  void tellProgress();
  [[noreturn]] void reportHang();
  void comeIn(Processor &processor, const Message &last);
  Channel *exchangeChannel(int from, int to, uint32_t number);

  Setup facts;
  Network network;
  Image image;
  std::vector<std::unique_ptr<Processor>> processors;
  Processor main; ///< the stack that the process began with
  Processor *running = &main;
  std::function<void(int)> body;
  ReadyQueue ready;
  std::vector<Processor *> late; ///< in the order in which they came
  Processor *catching = nullptr; ///< the late one that waits for `caught`
  std::unique_ptr<CatchUp> caught;
  Processor *reporter = nullptr;
  int ended = 0;
  uint64_t eventCount = 0, sequence = 0;
  uint64_t turns = 0;
  /// Memory that arrays have in common, by powers of two; null: none yet.
  void *common[64] = {};
  double toldAt = 0; ///< machineSeconds of the last line about progress
  MessagePool pool;
  std::unordered_map<ChannelKey, Channel *, ChannelHash> exchanges;
};

/// The one that runs in this process; null if there is none.
Scheduler *current();

} // namespace zrt::sim

#endif // ZRT_TRANSPORT_SIM_SCHEDULER_H
