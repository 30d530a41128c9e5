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
  /// \p transport outlives this.
  MpiExchange(MpiTransport &transport, std::vector<Pair> pairs, int tag);
  /// Waits for what is under way.
  ~MpiExchange() override;

  void destinationReady() override;
  void sourceReady() override;
  void destinationNeeded() override;
  void sourceVolatile() override;

private:
  /// Blocks that go through a buffer of ours.
  struct Packed {
    std::vector<MemoryBlock> blocks;
    std::unique_ptr<char[]> buffer;
  };

  /// The messages of one direction.
  struct Messages {
    std::vector<Packed> packed;
    int count = 0;
    uint64_t bytes = 0;
    std::vector<std::pair<int, uint64_t>> each; ///< partners, and their bytes
  };

  /// What MPI is told of a message.
  struct Data {
    void *base;
    MPI_Count count;
    MPI_Datatype type;
  };

  /// Binds \p blocks, for or from one partner: in their place or through a
  /// buffer.
  Data bind(Messages &messages, std::vector<MemoryBlock> blocks);
  MPI_Datatype typeOf(const MemoryBlock &block);
  MPI_Datatype typeOf(const std::vector<MemoryBlock> &blocks);
  void start(MPI_Request *first, int count);
  MPI_Request *firstSend() { return requests.data() + receives.count; }

  MpiTransport &transport;
  std::vector<MPI_Request> requests; ///< persistent; those to receive, to send
  Messages receives, sends;
};

} // namespace zrt::mpi

#endif // ZRT_PLUGINS_MPI_MPIEXCHANGE_H
