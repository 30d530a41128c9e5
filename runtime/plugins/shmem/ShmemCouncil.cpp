//===- ShmemCouncil.cpp - How PEs tell each other -------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The rounds of watch/RunWatch.cpp by puts: each PE puts its word into the
/// memory of each other one and raises a flag after it.
///
///     PE 1: beginRound({17, 0})        in the memory of PE 0, 2, 3 ...
///       put {17, 0}              ->    inboxes[1].notes.words[round mod 2]
///       set round                ->    inboxes[1].notes.rounds
///
/// Two places for words are enough: who begins round n+2 has the words of round
/// n+1, so all have left round n. The fence before the flag also orders it
/// after all other puts to that PE; so who has the words of a round finds, at
/// its next look, what their tellers raised before.
///
/// Cost: a put, a fence and a flag for each other PE, twice a second at most,
/// and only if this one has waited for a second.
///
//===----------------------------------------------------------------------===//

#include "ShmemCouncil.h"

#include <cstring>
#include <sched.h>
#include <shmem.h>
#include <unistd.h>

using namespace zrt;
using namespace zrt::shmem;
using watch::Neighbour;
using watch::Word;

static void raise(uint64_t &flag, uint64_t value, int pe) {
  shmem_fence();
  shmem_ulong_atomic_set(reinterpret_cast<unsigned long *>(&flag), value, pe);
}

void ShmemCouncil::open(std::vector<Notes *> symmetric) {
  notes = std::move(symmetric);
  self = shmem_my_pe();
}

void ShmemCouncil::beginRound(const Word &word) {
  mine = word;
  ++round;
  for (size_t pe = 0; pe < notes.size(); ++pe)
    if (static_cast<int>(pe) != self) {
      int to = static_cast<int>(pe);
      shmem_putmem(&own().words[round % 2], &mine, sizeof mine, to);
      raise(own().rounds, round, to);
    }
}

bool ShmemCouncil::isRoundOver(std::vector<Word> &words) {
  for (size_t pe = 0; pe < notes.size(); ++pe) {
    if (static_cast<int>(pe) == self)
      words[pe] = mine;
    else if (shmem_uint64_test(&notes[pe]->rounds, SHMEM_CMP_GE, round))
      words[pe] = notes[pe]->words[round % 2];
    else
      return false;
  }
  return true;
}

void ShmemCouncil::tellLast(const char *text, char *all) {
  if (self != 0) {
    shmem_putmem(own().text, text, TextBytes, 0);
    raise(own().last, 1, 0);
    shmem_quiet();
    return;
  }
  memcpy(all, text, TextBytes);
  for (size_t pe = 1; pe < notes.size(); ++pe) {
    while (!shmem_uint64_test(&notes[pe]->last, SHMEM_CMP_GE, 1))
      sched_yield();
    memcpy(all + pe * TextBytes, notes[pe]->text, TextBytes);
  }
}

std::vector<Neighbour> ShmemCouncil::findNeighbours() const {
  uint64_t process = getpid();
  auto isNear = [&](size_t pe) {
    int number = static_cast<int>(pe);
    return number != self && shmem_ptr(&own(), number);
  };
  for (size_t pe = 0; pe < notes.size(); ++pe)
    if (isNear(pe))
      shmem_putmem(&own().process, &process, sizeof process,
                   static_cast<int>(pe));
  shmem_barrier_all();
  std::vector<Neighbour> neighbours;
  for (size_t pe = 0; pe < notes.size(); ++pe)
    if (isNear(pe))
      neighbours.push_back(
          {static_cast<int>(pe), static_cast<int>(notes[pe]->process)});
  return neighbours;
}
