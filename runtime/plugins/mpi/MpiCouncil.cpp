//===- MpiCouncil.cpp - How processors of MPI tell each other -------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The rounds of watch/RunWatch.cpp by MPI_Iallgather: it ends when all have
/// begun it. Its cost is that of the library's, some microseconds per round,
/// and there are two rounds a second at most.
///
//===----------------------------------------------------------------------===//

#include "MpiCouncil.h"

#include "MpiProcessors.h"

#include <unistd.h>

using namespace zrt;
using namespace zrt::mpi;
using watch::Neighbour;
using watch::Word;

void MpiCouncil::open(MPI_Comm communicator) {
  control = communicator;
  int size = 1;
  MPI_Comm_size(control, &size);
  told.resize(size);
}

void MpiCouncil::beginRound(const Word &word) {
  mine = word;
  MPI_Iallgather(&mine, 2, MPI_UINT64_T, told.data(), 2, MPI_UINT64_T, control,
                 &round);
}

bool MpiCouncil::isRoundOver(std::vector<Word> &words) {
  int done = 0;
  MPI_Test(&round, &done, MPI_STATUS_IGNORE);
  if (done)
    words = told;
  return done != 0;
}

void MpiCouncil::tellLast(const char *text, char *all) {
  MPI_Gather(text, TextBytes, MPI_BYTE, all, TextBytes, MPI_BYTE, 0, control);
}

std::vector<Neighbour> MpiCouncil::findNeighbours(MPI_Comm machine) const {
  int rank = 0, count = 1;
  MPI_Comm_rank(control, &rank);
  MPI_Comm_size(machine, &count);
  int self[2] = {rank, getpid()};
  std::vector<int> all(2 * count);
  MPI_Allgather(self, 2, MPI_INT, all.data(), 2, MPI_INT, machine);
  std::vector<Neighbour> neighbours;
  for (int k = 0; k < count; ++k)
    if (all[2 * k] != rank)
      neighbours.push_back({all[2 * k], all[2 * k + 1]});
  return neighbours;
}

void MpiCouncil::close(MpiProcessors &mpi, uint64_t rounds, MPI_Comm other) {
  // Nobody joins rounds any more, and nobody is more than one behind: a round
  // begins when all have joined the last one.
  uint64_t most = 0;
  MPI_Request agreed;
  MPI_Iallreduce(&rounds, &most, 1, MPI_UINT64_T, MPI_MAX, other, &agreed);
  mpi.awaitAlone(agreed);
  if (rounds < most)
    beginRound({});
  mpi.awaitAlone(round);
  MPI_Comm_free(&control);
}
