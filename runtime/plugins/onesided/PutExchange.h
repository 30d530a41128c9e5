//===- PutExchange.h - Transfers by puts and flags --------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_PLUGINS_ONESIDED_PUTEXCHANGE_H
#define ZRT_PLUGINS_ONESIDED_PUTEXCHANGE_H

#include "OneSided.h"

#include <unordered_map>

namespace zrt::onesided {

/// "My memory for this exchange is described there": what a receiver tells a
/// sender once per exchange. Written by the receiver, into the sender's memory.
struct alignas(64) Announcement {
  uint64_t posted;   ///< a flag: the number of this entry, from 1
  uint64_t exchange; ///< which one of this pair, from 0
  uint64_t place;    ///< of an Inlet, in the receiver's memory
  uint64_t bytes;    ///< its length
};

/// What one partner writes into our memory: its announcements, and how many of
/// ours it has taken.
struct alignas(64) Mailbox {
  static constexpr uint64_t Slots = 64;
  Announcement announcements[Slots];
  alignas(64) uint64_t taken; ///< a flag
};

/// What a processor's exchanges share.
class PutSession {
public:
  /// Partner q writes into \p mailboxes[q], and this processor into the one at
  /// q's place \p places[q]. All are zero at the start.
  PutSession(OneSided &library, Traffic &traffic,
             std::vector<Mailbox *> mailboxes, std::vector<uint64_t> places);

  OneSided &library;
  Traffic &traffic;

  /// Takes what partners have announced. Cheap if they have not.
  void progress();

  /// Numbers the exchanges of a pair; both sides count alike.
  uint64_t nextSend(int partner) { return partners[partner].sends++; }
  uint64_t nextReceive(int partner) { return partners[partner].receives++; }

  /// Tells \p partner, who sends in \p exchange, where it is described.
  void announce(int partner, uint64_t exchange, uint64_t place, uint64_t bytes);
  /// Waits for what \p partner announces of \p exchange.
  Announcement awaitAnnouncement(int partner, uint64_t exchange);

private:
  struct Partner {
    uint64_t mailbox = 0;             ///< place of ours at this partner
    uint64_t sends = 0, receives = 0; ///< exchanges made so far
    uint64_t posted = 0;              ///< announcements, outgoing
    uint64_t taken = 0;               ///< announcements, incoming
    std::unordered_map<uint64_t, Announcement> known; ///< by exchange
  };
  bool take(int partner);

  std::vector<Mailbox *> mailboxes; ///< by who writes into them
  std::vector<Partner> partners;
};

/// Where a receiver has the data of an exchange put: flags, then a block for
/// each block of the pair. Lies in the receiver's memory; the sender reads the
/// blocks once, and writes the rest.
struct Inlet {
  uint64_t arrived; ///< a flag: how often the data have been put
  uint64_t ready;   ///< place of the sender's flag for the next DR
  uint64_t count;   ///< of blocks
  struct Block {
    uint64_t place; ///< of the first element, or of the packed data
    int64_t elementSize;
    int64_t rank; ///< 0: packed
    int64_t count[6], stride[6];
  } blocks[];
};

/// One planned transfer.
class PutExchange final : public Exchange {
public:
  /// \p session outlives this.
  PutExchange(PutSession &session, std::vector<Pair> pairs);
  ~PutExchange() override;

  void destinationReady() override;
  void sourceReady() override;
  void destinationNeeded() override;
  void sourceVolatile() override;

private:
  struct Incoming {
    int partner;
    uint64_t number;
    std::vector<MemoryBlock> staged; ///< where packed data go in the end
    Inlet *inlet;
    size_t bytes; ///< of the inlet, with the packed data after it
    char *packed;
  };
  struct Run {
    uint64_t place;
    const char *from;
    size_t bytes;
  };
  /// Between memory that both processors map.
  struct Copying {
    MemoryBlock from, to;
  };
  struct Packing {
    MemoryBlock source;
    char *to;
  };
  struct Outgoing {
    int partner;
    uint64_t number;
    std::vector<MemoryBlock> sources;
    uint64_t *ready;       ///< a flag that the receiver sets at DR
    uint64_t arrived = 0;  ///< place of its flag
    uint64_t bytes = 0;    ///< of data
    bool isKnown = false;  ///< the rest is set
    std::vector<Run> runs; ///< all that is put
    std::vector<Copying> copies;
    std::vector<Packing> packings;
    std::unique_ptr<char[]> buffer;
  };

  void *allocate(size_t bytes);
  void addIncoming(Pair &pair);
  void addOutgoing(Pair &pair);
  void learn(Outgoing &out);
  void planBlock(Outgoing &out, const MemoryBlock &source,
                 const Inlet::Block &target, char *&free);

  PutSession &session;
  uint64_t times = 0; ///< DRs so far
  std::vector<Incoming> incoming;
  std::vector<Outgoing> outgoing;
};

} // namespace zrt::onesided

#endif // ZRT_PLUGINS_ONESIDED_PUTEXCHANGE_H
