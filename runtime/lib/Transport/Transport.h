//===- Transport.h - What a transport is ------------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The machine-dependent half of the Ironman interface (dissertation 4.4), and
/// the little else that the layers above need: memory that partners can reach,
/// and ordered messages between two processors. Each transport says in its
/// CONTRACT.md what it promises; the conformance suite holds it to that.
///
/// A plug-in exports one C function, `zrt_transport_create` (see Plugin.h); it
/// uses no symbol of the executable.
///
//===----------------------------------------------------------------------===//

#ifndef ZRT_TRANSPORT_TRANSPORT_H
#define ZRT_TRANSPORT_TRANSPORT_H

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace zrt {

/// A strided box of memory: `count[d]` steps of `stride[d]` bytes in each of
/// `rank` dimensions, the last one varying fastest; elements of `elementSize`
/// bytes. Strides may be negative, and 0 in a source. Runs that are contiguous
/// have been merged by the planner where possible, so that `stride[rank-1] ==
/// elementSize` marks a row copy.
struct MemoryBlock {
  char *base = nullptr;
  int64_t elementSize = 0;
  int rank = 0;
  int64_t count[6] = {};
  int64_t stride[6] = {};

  /// Number of bytes the block holds.
  int64_t bytes() const {
    int64_t n = elementSize;
    for (int d = 0; d < rank; ++d)
      n *= count[d];
    return n;
  }
};

/// All that goes between this processor and one partner in one transfer. The
/// k-th block sent is the k-th block the partner receives, of equal counts.
/// Either list may be empty.
struct Pair {
  int partner = 0;
  std::vector<MemoryBlock> sends;
  std::vector<MemoryBlock> receives;
};

/// One planned transfer (PP_New ... PP_Old). Between construction and
/// destruction the four points are called over and over, in the order DR, SR,
/// DN, SV, by every processor that has pairs in it; points of other exchanges
/// may stand in between.
class Exchange {
public:
  virtual ~Exchange() = default;
  virtual void destinationReady() = 0;
  virtual void sourceReady() = 0;
  virtual void destinationNeeded() = 0;
  virtual void sourceVolatile() = 0;
};

/// What a transport has done for its processor so far. Transports add to it;
/// whoever wants to know what an operation cost takes differences.
struct Traffic {
  uint64_t messages = 0; ///< sent: one per partner and SR, one per `send`
  uint64_t bytes = 0;    ///< of their data
  uint64_t calls = 0;    ///< into the library or system that carries them
  /// If somebody wants to know it, the bytes that each processor was sent; what
  /// several were given at once is the own one's. Null: nobody.
  uint64_t *partners = nullptr;
  const int *numbers = nullptr; ///< which of them `to` is; null: that one

  /// Counts a message.
  void sent(int to, uint64_t size) {
    ++messages;
    bytes += size;
    if (partners) [[unlikely]]
      partners[numbers ? numbers[to] : to] += size;
  }
};

/// A running set of processors, numbered from 0.
class Transport {
public:
  virtual ~Transport() = default;

  Traffic traffic;

  virtual const char *name() const = 0;
  virtual int rank() const = 0;
  virtual int size() const = 0;

  /// Memory for arrays, zeroed, aligned to 64 bytes, reachable by partners as
  /// far as the transport needs that. Null if there is none left. Local.
  virtual void *allocate(size_t bytes) = 0;
  virtual void release(void *memory, size_t bytes) = 0;
  /// What a message about memory that could not be had says in addition, after
  /// a comma or semicolon: what limits it here. "" if only the machine does.
  virtual std::string memoryAdvice() const { return ""; }

  /// Collective over all processors, in the same order on each. Sends of p to
  /// q and receives of q from p correspond.
  virtual std::unique_ptr<Exchange> makeExchange(std::vector<Pair> pairs) = 0;

  /// Ordered messages between two different processors. A send may return
  /// before the message is received or block until it is; receives name the
  /// size that was sent. Messages and exchanges do not order each other.
  virtual void send(int to, const void *data, size_t bytes) = 0;
  virtual void receive(int from, void *data, size_t bytes) = 0;

  /// A message to \p partner and one of the same size from it, both called at
  /// the same time as far as the transport can. In order with other messages.
  virtual void exchange(int partner, const void *out, void *in, size_t bytes) {
    if (rank() < partner)
      send(partner, out, bytes);
    receive(partner, in, bytes);
    if (rank() > partner)
      send(partner, out, bytes);
  }

  /// The largest payload that `gather` takes from each of \p members
  /// processors; 0: this transport has none, use messages.
  virtual size_t gatherLimit(int members) const {
    (void)members;
    return 0;
  }
  /// Collective over the \p count processors at \p members, which are in
  /// ascending order and the same on all of them; this one is at \p place.
  /// Everyone gives \p bytes bytes, at most gatherLimit(count), and finds
  /// those of all, in the order of the members, at \p all.
  virtual void gather(const int *members, int count, int place,
                      const void *mine, size_t bytes, void *all) {
    (void)members, (void)count, (void)place, (void)mine, (void)bytes, (void)all;
  }

  /// Has bytes counted by partner, in size() numbers at \p partners.
  virtual void countPartners(uint64_t *partners) {
    traffic.partners = partners;
  }

  /// Moves on what is under way and needs this processor for that; returns at
  /// once. Every wait of the transport does it by itself.
  virtual void progress() {}

  /// Has \p function called with \p argument again and again while this
  /// transport waits: other work goes on then. It does not call the transport.
  /// Null: nothing to call. \p pause: for how many nanoseconds a wait may sleep
  /// between two calls.
  void setIdle(void (*function)(void *), void *argument, long pause = 50000) {
    idle = function;
    idleArgument = argument;
    idlePause = pause;
  }

  /// Says that this processor waits for others, not through this transport, in
  /// the \p wait-th of its waits there. Called again and again in it, so that
  /// hangs are found with both kinds of waits together.
  virtual void waitElsewhere(uint64_t wait) { (void)wait; }

  /// Whether what \p partner sends in an exchange goes on travelling while both
  /// compute, and takes so long that it pays to compute something else before
  /// DN.
  virtual bool travels(int partner) const {
    (void)partner;
    return false;
  }

  /// Whether somebody else notices and reports it when this processor dies.
  virtual bool reportsDeaths() const { return false; }
  /// Whether waits end the run, with a report, when all processors wait for
  /// each other; `finish` is a wait, too.
  virtual bool findsHangs() const { return false; }

  /// Tells whether this processor is the one to report an error; true for one
  /// processor only. \p replicated says that all processors see this error and
  /// come here (then processor 0 is chosen); else the first caller is.
  virtual bool claimReport(bool replicated) = 0;

  /// Ends the run of all processors with \p status, at once; does not return.
  /// What this processor's caller has flushed is out. A processor whose
  /// claimReport answered false waits here until the report is out.
  [[noreturn]] virtual void abort(int status) = 0;

  /// Collective: the regular end. After it only the destructor is called.
  virtual void finish() = 0;

protected:
  /// For waits, which must not sleep for longer than `pauseOfIdle` then.
  bool hasIdle() const { return idle != nullptr; }
  long pauseOfIdle() const { return idlePause; }
  void callIdle() {
    if (idle)
      idle(idleArgument);
  }

private:
  void (*idle)(void *) = nullptr;
  void *idleArgument = nullptr;
  long idlePause = 0;
};

} // namespace zrt

#endif // ZRT_TRANSPORT_TRANSPORT_H
