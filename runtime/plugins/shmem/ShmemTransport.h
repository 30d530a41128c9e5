//===- ShmemTransport.h - Processors that talk by OpenSHMEM -----*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_PLUGINS_SHMEM_SHMEMTRANSPORT_H
#define ZRT_PLUGINS_SHMEM_SHMEMTRANSPORT_H

#include "ShmemCouncil.h"
#include "SymmetricMemory.h"
#include "onesided/PutExchange.h"

namespace zrt::shmem {

inline constexpr size_t CacheLine = 64;

/// The payload of one member of a gather.
struct alignas(CacheLine) GatherSlot {
  static constexpr size_t Bytes = 512;
  uint64_t arrived; ///< a flag: number of the gather of this pair, from 1
  alignas(CacheLine) char data[Bytes];
};

/// What one PE writes into the memory of another one, besides arrays.
struct alignas(CacheLine) Inbox {
  static constexpr uint64_t RingBytes = 64 << 10;

  uint64_t written; ///< a flag: bytes of messages it has put into the ring
  uint64_t read;    ///< a flag: bytes of ours that it has taken from its ring
  uint64_t ended;   ///< a flag: it has come to the end; from PE 0: all
  GatherSlot gathered[2]; ///< of even and odd gathers
  Notes notes;
  onesided::Mailbox mailbox;
  alignas(CacheLine) char ring[RingBytes];
};

/// The head of the symmetric memory of each PE.
struct alignas(CacheLine) Head {
  uint64_t reporter; ///< on PE 0: who reports the error, from 1; 0: nobody yet
  Inbox inboxes[];   ///< one per PE
};

/// One PE.
class ShmemTransport final : public Transport, private onesided::OneSided {
public:
  explicit ShmemTransport(const PluginServices *services);

  const char *name() const override { return "shmem"; }
  int rank() const override { return self; }
  int size() const override { return static_cast<int>(peers.size()); }

  void *allocate(size_t bytes) override;
  void release(void *memory, size_t bytes) override;
  std::string memoryAdvice() const override;
  std::unique_ptr<Exchange> makeExchange(std::vector<Pair> pairs) override;
  void send(int to, const void *data, size_t bytes) override;
  void receive(int from, void *data, size_t bytes) override;
  void exchange(int partner, const void *out, void *in, size_t bytes) override;
  size_t gatherLimit(int members) const override;
  void gather(const int *members, int count, int place, const void *mine,
              size_t bytes, void *all) override;
  void progress() override;
  bool findsHangs() const override { return true; }
  bool claimReport(bool replicated) override;
  [[noreturn]] void abort(int status) override;
  void finish() override;

private:
  /// This PE's side of what goes to and comes from one other.
  struct Peer {
    uint64_t sent = 0;          ///< bytes put into its ring
    uint64_t roomUntil = 0;     ///< as far as it may be filled
    uint64_t taken = 0;         ///< bytes taken from our ring
    uint64_t announcedRead = 0; ///< as far as it knows
    uint64_t gathers = 0;       ///< in which both take part
  };

  // --- OneSided -------------------------------------------------------------
  uint64_t place(const void *own) const override;
  bool isReachable(const void *own) const override {
    return memory->contains(own);
  }
  /// Never: on one machine, too, the library's puts are as fast as stores.
  char *mapped(int, uint64_t) const override { return nullptr; }
  void put(int partner, uint64_t place, const void *from,
           size_t bytes) override;
  void get(int partner, uint64_t place, void *to, size_t bytes) override;
  void signal(int partner, uint64_t place, uint64_t value) override;
  void await(int partner, uint64_t *flag, uint64_t value) override;
  void awaitSources(int partner) override;
  bool isOver() const override { return over; }
  const PluginServices &services() const override { return *core; }

  // --- Messages -------------------------------------------------------------
  void putPiece(int to, const char *data, size_t bytes);
  void takePiece(int from, char *data, size_t bytes);
  void sendPiece(int to, const char *data, size_t bytes);
  void receivePiece(int from, char *data, size_t bytes);
  void checkPartner(int partner) const;
  void awaitEndOfAll();

  Head &head() const { return *reinterpret_cast<Head *>(memory->base()); }
  Inbox &inbox(int from) const { return head().inboxes[from]; }
  /// Where `inbox(self)`, or something in it, lies at a partner.
  uint64_t placeOfOwnInbox() const { return place(&inbox(self)); }

  const PluginServices *core;
  int self = 0;
  bool over = false;
  bool crowded = false; ///< more processes than cores on this machine
  std::vector<Peer> peers;
  std::optional<SymmetricMemory> memory;
  std::optional<onesided::PutSession> session;
  ShmemCouncil council;
  watch::RunWatch watch;
};

} // namespace zrt::shmem

#endif // ZRT_PLUGINS_SHMEM_SHMEMTRANSPORT_H
