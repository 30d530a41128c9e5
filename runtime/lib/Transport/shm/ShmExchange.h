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

/// One planned transfer: each receiver copies from its senders' arrays.
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
  };
  struct Incoming {
    int partner;
    uint64_t number;
    std::vector<MemoryBlock> blocks;
  };

  void addOutgoing(const Pair &pair);

  ShmTransport &transport;
  std::vector<Outgoing> outgoing;
  std::vector<Incoming> incoming;
  uint64_t times = 0; ///< how often the source was ready
};

} // namespace zrt::shm

#endif // ZRT_TRANSPORT_SHM_SHMEXCHANGE_H
