//===- MpiWatch.cpp - Finds runs that cannot go on ------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Processors that wait for each other must find that out by themselves here:
/// nobody can look into them from outside.
///
/// *Rounds.* Waits are numbered. A processor that has waited for a second joins
/// a round: it begins an MPI_Iallgather of {number of its wait, bytes it waits
/// for} and goes on waiting. The round ends when all have joined. Who computes
/// does not join, so a round may take hours; it costs nothing meanwhile.
///
///     processor 0, wait 17 |--1 s--| joins 1 ........... ends | joins 2 . ends
///     processor 1          computes ... wait 9 |--1 s--| joins 1 | joins 2 .
///
/// Two rounds in a row with the same numbers: each processor has been in its
/// wait from its first word to its second one, and the second round began after
/// all first words. So at that time all were waiting. All find the same words,
/// so all come to the same end without another word.
///
/// That is not the end yet: what they wait for may be under way. MPI does not
/// tell, so it gets time, by the bytes that all together wait for: a round,
/// half a second at least, for every 2 MB. No network that is worth the name
/// takes so long.
///
/// *Neighbours.* With --watchdog, who has waited for that long looks at the
/// other processes of its machine. Those that compute use processor time, and
/// so do those that wait, by looking. One that uses none and is not ready to
/// run, for as long, is stopped or blocked. Processes of other machines cannot
/// be seen.
///
//===----------------------------------------------------------------------===//

#include "MpiWatch.h"

#include "Support/Clock.h"
#include "Support/ProcessLook.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <unistd.h>

using namespace zrt;
using namespace zrt::mpi;

namespace {

constexpr double JoinAfter = 1.0;     ///< seconds of waiting
constexpr double BetweenRounds = 0.5; ///< seconds at least
constexpr uint64_t BytesPerRound = 2 << 20;
constexpr double BetweenLooks = 0.2; ///< at neighbours, in seconds
constexpr double LongestPause = 2.0; ///< between two looks, unless stopped
constexpr size_t LongestText = 512;

} // namespace

void Waiting::lookSlowly() {
  double now = monotonicSeconds();
  if (since == 0)
    since = now;
  watch.look(now, since, bytes);
}

void MpiWatch::start(const PluginServices *coreServices,
                     MPI_Comm communicator) {
  services = coreServices;
  control = communicator;
  MPI_Comm_rank(control, &rank);
  MPI_Comm_size(control, &size);
  words.resize(size);
  if (services->watchdog > 0)
    findNeighbours();
}

void MpiWatch::look(double now, double since, uint64_t bytes) {
  if (services->watchdog > 0)
    lookAtNeighbours(now);
  if (now - since < JoinAfter)
    return;
  if (round != MPI_REQUEST_NULL) {
    if (!isOver(round))
      return;
    judgeRound();
    nextRound = now + BetweenRounds;
  }
  if (now >= nextRound)
    joinRound(bytes);
}

bool MpiWatch::isOver(MPI_Request &request) {
  int done = 0;
  MPI_Test(&request, &done, MPI_STATUS_IGNORE);
  return done != 0;
}

// --- Rounds -----------------------------------------------------------------

void MpiWatch::joinRound(uint64_t bytes) {
  mine = {waits, bytes};
  ++rounds;
  MPI_Iallgather(&mine, 2, MPI_UINT64_T, words.data(), 2, MPI_UINT64_T, control,
                 &round);
}

void MpiWatch::judgeRound() {
  bool isSame =
      std::equal(words.begin(), words.end(), before.begin(), before.end(),
                 [](const Word &a, const Word &b) { return a.wait == b.wait; });
  before = words;
  sameRounds = isSame ? sameRounds + 1 : 0;
  uint64_t bytes = 0;
  for (const Word &word : words)
    bytes += word.bytes;
  if (sameRounds > bytes / BytesPerRound)
    reportHang();
}

/// All processors come here.
void MpiWatch::reportHang() {
  std::vector<char> text(LongestText), texts;
  if (ending) {
    snprintf(text.data(), text.size(), "ended");
  } else {
    int length = snprintf(text.data(), text.size(), "waiting ");
    services->lastOperation(text.data() + length, text.size() - length);
  }
  if (rank == 0)
    texts.resize(size * LongestText);
  MPI_Gather(text.data(), LongestText, MPI_BYTE, texts.data(), LongestText,
             MPI_BYTE, 0, control);
  if (rank == 0) {
    std::vector<const char *> all;
    for (int p = 0; p < size; ++p)
      all.push_back(texts.data() + p * LongestText);
    services->fatalHang(all.data(), size);
  }
  while (true)
    pause(); // Processor 0 ends this process.
}

// --- Neighbours -------------------------------------------------------------

void MpiWatch::findNeighbours() {
  MPI_Comm machine;
  int count = 1, self[2] = {rank, getpid()};
  MPI_Comm_split_type(control, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL,
                      &machine);
  MPI_Comm_size(machine, &count);
  std::vector<int> all(2 * count);
  MPI_Allgather(self, 2, MPI_INT, all.data(), 2, MPI_INT, machine);
  MPI_Comm_free(&machine);
  for (int k = 0; k < count; ++k)
    if (all[2 * k] != rank)
      neighbours.push_back({all[2 * k], all[2 * k + 1]});
}

void MpiWatch::lookAtNeighbours(double now) {
  if (now - lastLook < BetweenLooks)
    return;
  // If the last look was long ago, another wait began, or we were stopped.
  bool anew = now - lastLook > LongestPause;
  lastLook = now;
  for (Neighbour &neighbour : neighbours) {
    std::optional<ProcessLook> look = lookAt(neighbour.process);
    if (!look) // It has ended: the launcher's business.
      continue;
    bool isExcused =
        !look->isStopped() &&
        waitsForStandardFile(neighbour.process).value_or(neighbour.rank == 0);
    if (anew || look->ticks != neighbour.ticks || look->isRunnable() ||
        look->isTraced() || isExcused)
      neighbour.aliveSince = now;
    neighbour.ticks = look->ticks;
    if (now - neighbour.aliveSince < services->watchdog)
      continue;
    char own[LongestText], text[LongestText + 128];
    services->lastOperation(own, sizeof own);
    snprintf(text, sizeof text,
             "processor %d of %d has been %s for %.3g s, while processor "
             "%d waits for it %s",
             neighbour.rank, size, look->isStopped() ? "stopped" : "blocked",
             services->watchdog, rank, own);
    services->fatal(text);
  }
}

// --- The end ----------------------------------------------------------------

void MpiWatch::finish(MPI_Comm other) {
  // Nobody joins rounds any more, and nobody is more than one behind: a round
  // begins when all have joined the last one.
  uint64_t most = 0;
  MPI_Allreduce(&rounds, &most, 1, MPI_UINT64_T, MPI_MAX, other);
  if (rounds < most)
    joinRound(0);
  MPI_Wait(&round, MPI_STATUS_IGNORE);
  MPI_Comm_free(&control);
}
