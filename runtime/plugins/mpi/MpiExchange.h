//===- MpiExchange.h - Transfers by persistent requests ---------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_PLUGINS_MPI_MPIEXCHANGE_H
#define ZRT_PLUGINS_MPI_MPIEXCHANGE_H

#include "MpiTransport.h"

namespace zrt::mpi {

/// One planned transfer: one message per partner and direction.
class MpiExchange final : public Exchange {
public:
  /// \p session outlives this.
  MpiExchange(const Session &session, std::vector<Pair> pairs, int tag);
  ~MpiExchange() override;

  void destinationReady() override;
  void sourceReady() override;
  void destinationNeeded() override;
  void sourceVolatile() override;

private:
  /// The data for or from one partner. Without a buffer the one block is
  /// contiguous and is sent from or received into its place.
  struct Message {
    std::vector<MemoryBlock> blocks;
    std::unique_ptr<char[]> buffer;
  };

  /// Adds a message; returns where its data lie and sets its size.
  char *add(std::vector<Message> &list, std::vector<MemoryBlock> blocks,
            MPI_Count &bytes);

  const Session &session;
  std::vector<Message> outgoing, incoming;
  std::vector<MPI_Request> sends, receives; ///< persistent, one per message
};

} // namespace zrt::mpi

#endif // ZRT_PLUGINS_MPI_MPIEXCHANGE_H
