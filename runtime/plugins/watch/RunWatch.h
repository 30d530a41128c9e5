//===- RunWatch.h - Finds runs that cannot go on ----------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_PLUGINS_WATCH_RUNWATCH_H
#define ZRT_PLUGINS_WATCH_RUNWATCH_H

#include "Transport/Plugin.h"

#include <optional>

namespace zrt::watch {

/// What a processor tells the others in a round.
struct Word {
  uint64_t wait;  ///< number of its wait
  uint64_t bytes; ///< that it sends and receives in it
};

/// How the processors of a run tell each other, beside all other traffic, what
/// a RunWatch wants to know. Its functions are called in the same order on all
/// processors, and none but `tellLast` waits for the others.
class Council {
public:
  /// Long enough for what a processor says of itself.
  static constexpr size_t TextBytes = 512;

  virtual ~Council() = default;

  /// Begins to tell all others \p mine.
  virtual void beginRound(const Word &mine) = 0;
  /// Whether the words of all have come in the round begun last. If so, they
  /// are in \p words, by rank.
  virtual bool isRoundOver(std::vector<Word> &words) = 0;
  /// Brings \p text, of TextBytes characters, of each processor to \p all on
  /// processor 0. The last call there is.
  virtual void tellLast(const char *text, char *all) = 0;
};

/// Another processor of this machine.
struct Neighbour {
  int rank;
  int process;
  uint64_t used = 0;
  double aliveSince = 0;
};

/// Asks the other processors, while this one waits for long, whether all do.
class RunWatch {
public:
  RunWatch() = default;
  RunWatch(const RunWatch &) = delete;
  RunWatch &operator=(const RunWatch &) = delete;

  /// \p services and \p council, of \p size processors, outlive this.
  /// \p neighbours: whom to look at for --watchdog.
  void start(const PluginServices *services, Council *council, int rank,
             int size, std::vector<Neighbour> neighbours);

  /// Says that from now on this processor only waits for the end of the others.
  void beginEnd() { ending = true; }

  /// How many rounds this processor has begun.
  uint64_t roundsBegun() const { return rounds; }

  /// A wait begins (Waiting).
  void beginWait() { ++waits; }

  /// In a wait that began at \p since, for \p bytes bytes, at the time \p now:
  /// talks to the others if it is time. Does not return if the run cannot go
  /// on.
  void look(double now, double since, uint64_t bytes);

private:
  void joinRound(uint64_t bytes);
  void judgeRound();
  void reportHang();
  void lookAtNeighbours(double now);

  const PluginServices *services = nullptr;
  Council *council = nullptr;
  int rank = 0, size = 1;
  bool ending = false;
  uint64_t waits = 0; ///< begun so far

  uint64_t rounds = 0;  ///< begun so far
  bool inRound = false; ///< one is under way
  double nextRound = 0;
  std::vector<Word> words, before; ///< of this round and the last one, by rank
  uint64_t sameRounds = 0; ///< how often the last waits have been found again
  std::vector<Neighbour> neighbours;
  double lastLook = 0;
};

/// A wait for other processors. Costs an increment, and one for each look; a
/// look at the clock for every 256 of these.
class Waiting {
public:
  /// \p bytes: what is sent and received in this wait.
  Waiting(RunWatch &watch, uint64_t bytes) : watch(watch), bytes(bytes) {
    watch.beginWait();
  }
  Waiting(const Waiting &) = delete;
  Waiting &operator=(const Waiting &) = delete;

  /// To be called whenever nothing has come yet. Does not return if the run
  /// cannot go on.
  void look() {
    if (++looks % 256 == 0)
      lookAtClock();
  }
  /// The same for waits that sleep between looks.
  void lookAtClock();

private:
  RunWatch &watch;
  uint64_t bytes;
  unsigned looks = 0;
  double since = 0; ///< when it looked at the clock first
};

/// The wait of one part of a transport, of which another part has the watch.
class ForeignWait {
public:
  /// To be called now and then in the wait with number \p wait of that part.
  void look(RunWatch &watch, uint64_t wait) {
    if (!waiting || wait != number)
      waiting.emplace(watch, 0);
    number = wait;
    waiting->lookAtClock();
  }

private:
  std::optional<Waiting> waiting;
  uint64_t number = 0;
};

} // namespace zrt::watch

#endif // ZRT_PLUGINS_WATCH_RUNWATCH_H
