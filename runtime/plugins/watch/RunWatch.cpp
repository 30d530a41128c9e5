//===- RunWatch.cpp - Finds runs that cannot go on ------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Processors that wait for each other must find that out by themselves where a
/// launcher has started them: nobody can look into them from outside.
///
/// *Rounds.* Waits are numbered. A processor that has waited for a second joins
/// a round: it tells the others {number of its wait, bytes it waits for} and
/// goes on waiting. The round ends for a processor when it has joined and has
/// the words of all. Who computes does not join, so a round may take hours; it
/// costs nothing meanwhile.
///
///     processor 0, wait 17 |--1 s--| joins 1 ........... ends | joins 2 . ends
///     processor 1          computes ... wait 9 |--1 s--| joins 1 | joins 2 .
///
/// Two rounds in a row with the same numbers: each processor has been in its
/// wait from its first word to its second one, and no second word was said
/// before all first ones. So at that time all were waiting. All find the same
/// words, so all come to the same end without another word.
///
/// That is not the end yet: what they wait for may be under way. Libraries do
/// not tell, so it gets time, by the bytes that all together wait for: a round,
/// half a second at least, for every 2 MB. No network that is worth the name
/// takes so long. A flag that was raised before its raiser's first word has
/// been looked at since then: between two rounds of a wait there are looks.
///
/// *Neighbours.* With --watchdog, who has waited for that long looks at the
/// other processes of its machine. Those that compute use processor time, and
/// so do those that wait, by looking. One that uses none and is not ready to
/// run, for as long, is stopped or blocked. Processes of other machines cannot
/// be seen.
///
//===----------------------------------------------------------------------===//

#include "watch/RunWatch.h"

#include "Support/Clock.h"
#include "Support/ProcessLook.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <unistd.h>

using namespace zrt;
using namespace zrt::watch;

namespace {

constexpr double JoinAfter = 1.0;     ///< seconds of waiting
constexpr double BetweenRounds = 0.5; ///< seconds at least
constexpr uint64_t BytesPerRound = 2 << 20;
constexpr double BetweenLooks = 0.2; ///< at neighbours, in seconds
constexpr double LongestPause = 2.0; ///< between two looks, unless stopped

} // namespace

void Waiting::lookAtClock() {
  double now = machineSeconds();
  if (since == 0)
    since = now;
  watch.look(now, since, bytes);
}

void RunWatch::start(const PluginServices *coreServices, Council *ownCouncil,
                     int ownRank, int processors,
                     std::vector<Neighbour> ownNeighbours) {
  services = coreServices;
  council = ownCouncil;
  rank = ownRank;
  size = processors;
  words.resize(size);
  neighbours = std::move(ownNeighbours);
}

void RunWatch::look(double now, double since, uint64_t bytes) {
  if (services->watchdog > 0)
    lookAtNeighbours(now);
  if (now - since < JoinAfter)
    return;
  if (inRound) {
    if (!council->isRoundOver(words))
      return;
    inRound = false;
    judgeRound();
    nextRound = now + BetweenRounds;
  }
  if (now >= nextRound)
    joinRound(bytes);
}

// --- Rounds -----------------------------------------------------------------

void RunWatch::joinRound(uint64_t bytes) {
  ++rounds;
  inRound = true;
  council->beginRound({waits, bytes});
}

void RunWatch::judgeRound() {
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
void RunWatch::reportHang() {
  constexpr size_t Bytes = Council::TextBytes;
  std::vector<char> text(Bytes), texts;
  if (ending) {
    snprintf(text.data(), Bytes, "ended");
  } else {
    int length = snprintf(text.data(), Bytes, "waiting ");
    services->lastOperation(text.data() + length, Bytes - length);
  }
  if (rank == 0)
    texts.resize(size * Bytes);
  council->tellLast(text.data(), texts.data());
  if (rank == 0) {
    std::vector<const char *> all;
    for (int p = 0; p < size; ++p)
      all.push_back(texts.data() + p * Bytes);
    services->fatalHang(all.data(), size);
  }
  while (true)
    pause(); // Processor 0 ends this process.
}

// --- Neighbours -------------------------------------------------------------

void RunWatch::lookAtNeighbours(double now) {
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
    if (anew || look->used != neighbour.used || look->isRunnable() ||
        look->isTraced() || isExcused)
      neighbour.aliveSince = now;
    neighbour.used = look->used;
    if (now - neighbour.aliveSince < services->watchdog)
      continue;
    char own[Council::TextBytes], text[Council::TextBytes + 128];
    services->lastOperation(own, sizeof own);
    snprintf(text, sizeof text,
             "processor %d of %d has been %s for %.3g s, while processor "
             "%d waits for it %s",
             neighbour.rank, size, look->isStopped() ? "stopped" : "blocked",
             services->watchdog, rank, own);
    services->fatal(text);
  }
}
