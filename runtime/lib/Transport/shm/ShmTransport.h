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
  void exchange(int partner, const void *out, void *in, size_t bytes) override;
  size_t gatherLimit(int members) const override;
  void gather(const int *members, int count, int place, const void *mine,
              size_t bytes, void *all) override;
  void progress() override { postPending(); }
  bool reportsDeaths() const override { return true; }
  void leave() override;
  bool findsHangs() const override { return true; }
  bool claimReport(bool replicated) override;
  [[noreturn]] void abort(int status) override;
  void finish() override;

  /// How many waits there have been so far that called the idle function.
  uint64_t busyWaits() const { return waits; }

  // --- For exchanges and gathers --------------------------------------------

  /// Shared memory for descriptors, outside the account of arrays.
  SliceHeap &heap() { return slice; }
  /// True if \p memory lies in this processor's slice, so that partners can
  /// read it.
  bool isShared(const char *memory) const;

  /// Numbers the exchanges in which `self` sends to \p partner, and those in
  /// which it receives from it. Both sides count alike.
  uint64_t nextSend(int partner) { return partners[partner].sends++; }
  uint64_t nextReceive(int partner) { return partners[partner].receives++; }

  /// Tells \p partner where to look from now on for what \p exchange brings
  /// it. Does not wait.
  void postReady(int partner, uint64_t exchange, SendRecord *record);
  /// Waits for that of \p partner.
  SendRecord *takeReady(int partner, uint64_t exchange);

  /// The only ways to wait for a partner and to end others' waits.
  void await(int partner, Flag &flag, uint64_t target) {
    if (flag.load() < target)
      awaitSlowly(partner, flag, target);
  }
  /// For flags that are set, not raised: may notice it some 50 us late.
  void awaitQuiet(int partner, Flag &flag, uint64_t target);
  void raise(Flag &flag, uint64_t to) { traffic.calls += flag.raise(to); }

private:
  struct Ready {
    int partner;
    uint64_t exchange;
    SendRecord *record;
  };
  /// This processor's side of the channels to and from one other.
  struct Partner {
    uint64_t sends = 0, receives = 0;      ///< exchanges made so far
    uint64_t posted = 0, takenByIt = 0;    ///< ready entries, outgoing
    uint64_t taken = 0;                    ///< ready entries, incoming
    uint64_t written = 0, read = 0;        ///< bytes of messages
    uint64_t invited = 0, invitations = 0; ///< to gathers: it, and by it
    std::vector<Ready> early; ///< taken while looking for another exchange
  };

  /// A set of processors that gather, this one among them.
  struct Circle {
    std::vector<int> members;
    Meeting *meeting;   ///< in the slice of the first of them
    uint64_t times = 0; ///< how often they have gathered
  };

  bool goesToSlice(size_t bytes);
  long napBetweenWork() const;
  void awaitSlowly(int partner, Flag &flag, uint64_t target);
  bool tryPost(const Ready &ready);
  void postPending();
  void putHeader(int to, uint64_t bytes);
  void getHeader(int from, uint64_t bytes);
  void put(int to, const char *data, size_t bytes);
  void get(int from, char *data, size_t bytes);
  Circle &circleOf(const int *members, int count, int place);
  Meeting *openMeeting(const int *members, int count);

  std::shared_ptr<Segment> segment;
  int self;
  uint64_t waits = 0;
  WaitPolicy policy;
  SliceHeap slice;
  std::optional<bool> sliceHasHugePages; ///< none: nobody has asked
  PrivateHeap privateHeap; ///< large arrays, where slices have small pages
  std::vector<Partner> partners;
  std::vector<Ready> pending; ///< posts that found the ring full
  std::vector<Circle> circles;
};

/// \p processors transports for as many threads of this process, for tests.
/// Empty if there is no memory for it.
std::vector<std::unique_ptr<Transport>> makeThreadTransports(int processors);

} // namespace zrt::shm

#endif // ZRT_TRANSPORT_SHM_SHMTRANSPORT_H
