//===- ShmExchange.h - Transfers through shared memory ----------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_TRANSPORT_SHM_SHMEXCHANGE_H
#define ZRT_TRANSPORT_SHM_SHMEXCHANGE_H

#include "Transport/shm/ShmRecord.h"
#include "Transport/shm/ShmTransport.h"

namespace zrt::shm {

/// One planned transfer.
class ShmExchange final : public Exchange {
public:
  /// The memory to be sent belongs to \p transport, which outlives this.
  ShmExchange(ShmTransport &transport, const std::vector<Pair> &pairs);
  ~ShmExchange() override;

  void destinationReady() override;
  void sourceReady() override;
  void destinationNeeded() override;
  void sourceVolatile() override;

private:
  /// A block of this processor.
  struct Part {
    MemoryBlock block;
    size_t bytes;
    bool isContiguous;
  };
  struct Outgoing {
    int partner;
    uint64_t number; ///< of the exchange among those to this partner
    std::vector<Part> sources;
    SendRecord *record; ///< in this processor's slice, owned, like its lists
    bool packs;
    bool isPulled = false; ///< the receiver may be reading the sources
    uint64_t known = 0;    ///< the receiver is done with the rounds so far
  };
  struct Incoming {
    int partner;
    uint64_t number;
    std::vector<Part> targets;
    int reverse; ///< what goes to this partner in `outgoing`, or -1
    SendRecord *record = nullptr; ///< the sender's, from the first DN on
    BlockList *offer = nullptr;   ///< in this processor's slice, owned
  };

  static std::vector<Part> partsOf(const std::vector<MemoryBlock> &blocks);
  bool areShared(const std::vector<Part> &parts) const;
  BlockList *makeList(const std::vector<Part> &parts);
  void releaseList(const BlockList *list);
  void addOutgoing(int partner, const std::vector<MemoryBlock> &blocks);
  Way sendOne(Outgoing &out, SendSlot &slot);
  void awaitDone(Outgoing &out, uint64_t round);
  void meet(Incoming &in);
  void copyPulled(const Incoming &in) const;
  void *allocate(size_t bytes);

  ShmTransport &transport;
  std::vector<Outgoing> outgoing;
  std::vector<Incoming> incoming;
  uint64_t times = 0; ///< how often the source was ready: the round
};

} // namespace zrt::shm

#endif // ZRT_TRANSPORT_SHM_SHMEXCHANGE_H
