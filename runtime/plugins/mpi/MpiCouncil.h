//===- MpiCouncil.h - How processors of MPI tell each other -----*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_PLUGINS_MPI_MPICOUNCIL_H
#define ZRT_PLUGINS_MPI_MPICOUNCIL_H

#include "watch/RunWatch.h"

#include <mpi.h>

namespace zrt::mpi {

class MpiProcessors;

/// A round is an MPI_Iallgather, in a communicator of its own.
class MpiCouncil final : public watch::Council {
public:
  /// Takes over \p communicator, of all processors. Collective.
  void open(MPI_Comm communicator);

  void beginRound(const watch::Word &mine) override;
  bool isRoundOver(std::vector<watch::Word> &words) override;
  void tellLast(const char *text, char *all) override;

  /// The processes of this machine, which \p machine has, but for this one.
  /// Collective.
  std::vector<watch::Neighbour> findNeighbours(MPI_Comm machine) const;

  /// Ends what has been begun: this processor has begun \p rounds rounds, and
  /// nobody waits for anything any more. \p other is another communicator of
  /// all processors. Collective.
  void close(MpiProcessors &mpi, uint64_t rounds, MPI_Comm other);

private:
  MPI_Comm control = MPI_COMM_NULL;
  MPI_Request round = MPI_REQUEST_NULL; ///< the one under way
  watch::Word mine = {};
  std::vector<watch::Word> told; ///< by rank
};

} // namespace zrt::mpi

#endif // ZRT_PLUGINS_MPI_MPICOUNCIL_H
