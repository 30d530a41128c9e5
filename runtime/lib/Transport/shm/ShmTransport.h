//===- ShmTransport.h - Processors that share memory ------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_TRANSPORT_SHM_SHMTRANSPORT_H
#define ZRT_TRANSPORT_SHM_SHMTRANSPORT_H

#include "Transport/PrivateHeap.h"
#include "Transport/Transport.h"
#include "Transport/shm/Segment.h"
#include "Transport/shm/SliceHeap.h"

namespace zrt::shm {

/// One processor of a segment. A processor is whoever uses this object: a
/// process or a thread.
class ShmTransport final : public Transport {
public:
  ShmTransport(std::shared_ptr<Segment> memory, int rank);

  const char *name() const override { return "shm"; }
  int rank() const override { return self; }
  int size() const override { return segment->processors(); }

  void *allocate(size_t bytes) override;
  void release(void *memory, size_t bytes) override;
  std::unique_ptr<Exchange> makeExchange(std::vector<Pair> pairs) override;
  void send(int to, const void *data, size_t bytes) override;
  void receive(int from, void *data, size_t bytes) override;
  bool claimReport(bool replicated) override;
  [[noreturn]] void abort(int status) override;
  void finish() override;

  // --- For exchanges --------------------------------------------------------

  /// Shared memory for descriptors, outside the account of arrays.
  SliceHeap &heap() { return slice; }
  /// True if \p memory lies in this processor's slice, so that partners can
  /// read it.
  bool isShared(const char *memory) const;

  /// Numbers the exchanges in which `self` sends to \p partner, and those in
  /// which it receives from it. Both sides count alike.
  uint64_t nextSend(int partner) { return partners[partner].sends++; }
  uint64_t nextReceive(int partner) { return partners[partner].receives++; }

  /// Tells \p partner that the source described by \p record is ready. Does
  /// not wait.
  void postReady(int partner, uint64_t exchange, SendRecord *record);
  /// Waits for what \p partner posts for \p exchange.
  SendRecord *takeReady(int partner, uint64_t exchange);

  /// The only way to wait for a partner.
  void await(Flag &flag, uint64_t target);

private:
  struct Ready {
    int partner;
    uint64_t exchange;
    SendRecord *record;
  };
  /// This processor's side of the channels to and from one other.
  struct Partner {
    uint64_t sends = 0, receives = 0;   ///< exchanges made so far
    uint64_t posted = 0, takenByIt = 0; ///< ready entries, outgoing
    uint64_t taken = 0;                 ///< ready entries, incoming
    uint64_t written = 0, read = 0;     ///< bytes of messages
    std::vector<Ready> early; ///< taken while looking for another exchange
  };

  bool goesToSlice(size_t bytes) const;
  bool tryPost(const Ready &ready);
  void postPending();
  void put(int to, const char *data, size_t bytes);
  void get(int from, char *data, size_t bytes);

  std::shared_ptr<Segment> segment;
  int self;
  WaitPolicy policy;
  SliceHeap slice;
  bool sliceHasHugePages;
  PrivateHeap privateHeap; ///< large arrays, where slices have small pages
  std::vector<Partner> partners;
  std::vector<Ready> pending; ///< posts that found the ring full
};

/// \p processors transports for as many threads of this process, for tests.
/// Empty if there is no memory for it.
std::vector<std::unique_ptr<Transport>> makeThreadTransports(int processors);

} // namespace zrt::shm

#endif // ZRT_TRANSPORT_SHM_SHMTRANSPORT_H
