//===- ShmExchange.h - Transfers through shared memory ----------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_TRANSPORT_SHM_SHMEXCHANGE_H
#define ZRT_TRANSPORT_SHM_SHMEXCHANGE_H

#include "Transport/shm/ShmTransport.h"

namespace zrt::shm {

/// One planned transfer: each receiver copies from its senders' arrays, or
/// from what they have staged.
class ShmExchange final : public Exchange {
public:
  /// The memory to be sent belongs to \p transport, which outlives this.
  ShmExchange(ShmTransport &transport, std::vector<Pair> pairs);
  ~ShmExchange() override;

  void destinationReady() override {}
  void sourceReady() override;
  void destinationNeeded() override;
  void sourceVolatile() override;

private:
  struct Outgoing {
    int partner;
    uint64_t number;
    SendRecord *record; ///< in this processor's slice, owned
    /// Sources that partners cannot read; they are packed to `staging`, which
    /// the record describes. Empty: the record describes the sources.
    std::vector<MemoryBlock> sources;
    char *staging; ///< in this processor's slice, owned; may be null
    size_t stagingBytes;
  };
  struct Incoming {
    int partner;
    uint64_t number;
    std::vector<MemoryBlock> blocks;
  };

  void addOutgoing(const Pair &pair);
  void stage(Outgoing &out, std::vector<MemoryBlock> sources);
  void *allocate(size_t bytes);

  ShmTransport &transport;
  std::vector<Outgoing> outgoing;
  std::vector<Incoming> incoming;
  uint64_t times = 0; ///< how often the source was ready
};

} // namespace zrt::shm

#endif // ZRT_TRANSPORT_SHM_SHMEXCHANGE_H
