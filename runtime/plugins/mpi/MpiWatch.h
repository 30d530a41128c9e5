//===- MpiWatch.h - Finds runs that cannot go on ----------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_PLUGINS_MPI_MPIWATCH_H
#define ZRT_PLUGINS_MPI_MPIWATCH_H

#include "Transport/Plugin.h"

#include <mpi.h>

namespace zrt::mpi {

/// Asks the other processors, while this one waits for long, whether all do.
class MpiWatch {
public:
  MpiWatch() = default;
  MpiWatch(const MpiWatch &) = delete;
  MpiWatch &operator=(const MpiWatch &) = delete;

  /// Takes over \p communicator, of all processors, which `finish` frees.
  /// \p services outlive this. Collective.
  void start(const PluginServices *services, MPI_Comm communicator);

  /// Says that from now on this processor only waits for the end of the others.
  void beginEnd() { ending = true; }
  /// Ends what has been begun, with the help of a communicator of all
  /// processors that is not that of the watch. Collective; nobody waits for
  /// anything else any more.
  void finish(MPI_Comm other);

private:
  friend class Waiting;

  /// What a processor tells the others in a round.
  struct Word {
    uint64_t wait;  ///< number of its wait
    uint64_t bytes; ///< that it sends and receives in it
  };
  /// Another processor of this machine.
  struct Neighbour {
    int rank;
    int process;
    uint64_t ticks = 0;
    double aliveSince = 0;
  };

  void look(double now, double since, uint64_t bytes);
  void joinRound(uint64_t bytes);
  bool isOver(MPI_Request &request);
  void judgeRound();
  void reportHang();
  void findNeighbours();
  void lookAtNeighbours(double now);

  const PluginServices *services = nullptr;
  MPI_Comm control = MPI_COMM_NULL;
  int rank = 0, size = 1;
  bool ending = false;
  uint64_t waits = 0; ///< begun so far

  MPI_Request round = MPI_REQUEST_NULL; ///< the one under way
  uint64_t rounds = 0;                  ///< begun so far
  double nextRound = 0;
  Word mine = {};
  std::vector<Word> words, before; ///< of this round and the last one, by rank
  uint64_t sameRounds = 0; ///< how often the last waits have been found again
  std::vector<Neighbour> neighbours; ///< with --watchdog
  double lastLook = 0;
};

/// A wait for other processors. Costs an increment, and one for each look; a
/// look at the clock for every 256 of these.
class Waiting {
public:
  /// \p bytes: what is sent and received in this wait.
  Waiting(MpiWatch &watch, uint64_t bytes) : watch(watch), bytes(bytes) {
    ++watch.waits;
  }
  Waiting(const Waiting &) = delete;
  Waiting &operator=(const Waiting &) = delete;

  /// To be called whenever nothing has come yet. Does not return if the run
  /// cannot go on.
  void look() {
    if (++looks % 256 == 0)
      lookSlowly();
  }

private:
  void lookSlowly();

  MpiWatch &watch;
  uint64_t bytes;
  unsigned looks = 0;
  double since = 0; ///< when it looked at the clock first
};

} // namespace zrt::mpi

#endif // ZRT_PLUGINS_MPI_MPIWATCH_H
