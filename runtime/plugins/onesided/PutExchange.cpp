//===- PutExchange.cpp - Transfers by puts and flags ----------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The one-sided form of the Ironman interface (dissertation table 4.1, the
/// column of SHMEM), over any library of puts:
///
///     receiver 1                           sender 0
///     DR: set the sender's flag `ready`
///                                          SR: wait for `ready`, put the rows
///                                              into the fluff, set `arrived`
///     DN: wait for `arrived`
///                                          SV: wait until the sources are read
///
/// Between DR and DN the receiver makes no call. A flag set after data is seen
/// after them; how, is the library's business (OneSided.h).
///
/// How they find each other: at its first DR the receiver posts an
/// *announcement* to the sender's mailbox, with the place of its *inlet*, which
/// says where the data go. The sender reads that at its first SR, and puts the
/// place of its own flag into the inlet; from then on both know all. So making
/// an exchange sends nothing, memory may have been allocated at any time, and
/// an exchange over new memory announces itself anew. A full mailbox makes the
/// receiver wait; that ends because every processor that waits takes what lies
/// in its mailboxes.
///
/// Waiting for `ready` in SR cannot go round in circles: all processors run the
/// points of all exchanges in the same order, DR before SR, so the earliest
/// point that anybody waits in has nobody to wait for.
///
/// Straight or packed: the receiver decides for each block. Rows of at least
/// `StraightFrom` bytes, and blocks that are one row, are put where they
/// belong. Shorter rows (a column of an array) are packed by the sender, put
/// as one piece after the inlet, and unpacked in DN; so are blocks in memory
/// that partners cannot write. A source whose rows are not like those of the
/// target (a mirrored one) is packed as well, and then put in rows. Where the
/// sender can store to the receiver's memory itself, it copies all blocks from
/// array to array.
///
/// Cost: per partner and time one signal for DR, and one put per row or packed
/// piece and one signal for SR. Once per exchange an announcement and a get.
///
//===----------------------------------------------------------------------===//

#include "PutExchange.h"

#include <cstring>
#include <new>

using namespace zrt;
using namespace zrt::onesided;

namespace {

/// A put costs about as much as copying so many bytes twice.
constexpr int64_t StraightFrom = 512;

/// Bytes of the longest rows that a block consists of; they follow each other
/// in the order of the elements.
int64_t rowBytes(const MemoryBlock &block) {
  int64_t bytes = block.elementSize;
  for (int d = block.rank - 1; d >= 0; --d) {
    if (block.count[d] != 1 && block.stride[d] != bytes)
      return bytes;
    bytes *= block.count[d];
  }
  return bytes;
}

/// How far from its first element the byte \p offset of a block lies, counted
/// in the order of the elements. \p offset is that of a whole element.
template <typename Block> int64_t distance(const Block &block, int64_t offset) {
  int64_t index = offset / block.elementSize, bytes = 0;
  for (int64_t d = block.rank - 1; d >= 0; --d) {
    bytes += index % block.count[d] * block.stride[d];
    index /= block.count[d];
  }
  return bytes;
}

MemoryBlock shapeOf(const Inlet::Block &target) {
  MemoryBlock block;
  block.elementSize = target.elementSize;
  block.rank = static_cast<int>(target.rank);
  memcpy(block.count, target.count, sizeof block.count);
  memcpy(block.stride, target.stride, sizeof block.stride);
  return block;
}

size_t inletBytes(uint64_t blocks) {
  size_t bytes = sizeof(Inlet) + blocks * sizeof(Inlet::Block);
  return (bytes + 63) / 64 * 64;
}

} // namespace

// --- The session ------------------------------------------------------------

PutSession::PutSession(OneSided &library, Traffic &traffic,
                       std::vector<Mailbox *> mailboxes,
                       std::vector<uint64_t> places)
    : library(library), traffic(traffic), mailboxes(std::move(mailboxes)),
      partners(places.size()) {
  for (size_t q = 0; q < places.size(); ++q)
    partners[q].mailbox = places[q];
}

bool PutSession::take(int from) {
  Partner &partner = partners[from];
  Announcement &entry =
      mailboxes[from]->announcements[partner.taken % Mailbox::Slots];
  if (__atomic_load_n(&entry.posted, __ATOMIC_ACQUIRE) != partner.taken + 1)
    return false;
  partner.known.emplace(entry.exchange, entry);
  library.signal(from, partner.mailbox + offsetof(Mailbox, taken),
                 ++partner.taken);
  return true;
}

void PutSession::progress() {
  for (size_t from = 0; from < partners.size(); ++from)
    while (take(static_cast<int>(from)))
      ;
}

void PutSession::announce(int to, uint64_t exchange, uint64_t place,
                          uint64_t bytes) {
  Partner &partner = partners[to];
  if (partner.posted >= Mailbox::Slots)
    library.await(to, &mailboxes[to]->taken,
                  partner.posted - Mailbox::Slots + 1);
  uint64_t slot = partner.mailbox + offsetof(Mailbox, announcements) +
                  partner.posted % Mailbox::Slots * sizeof(Announcement);
  uint64_t content[] = {exchange, place, bytes};
  library.put(to, slot + offsetof(Announcement, exchange), content,
              sizeof content);
  library.signal(to, slot + offsetof(Announcement, posted), ++partner.posted);
  library.awaitSources(to);
}

Announcement PutSession::awaitAnnouncement(int from, uint64_t exchange) {
  Partner &partner = partners[from];
  while (true) {
    if (auto entry = partner.known.find(exchange);
        entry != partner.known.end()) {
      Announcement found = entry->second;
      partner.known.erase(entry);
      return found;
    }
    // Waiting may take entries, too.
    uint64_t next = partner.taken;
    library.await(from,
                  &mailboxes[from]->announcements[next % Mailbox::Slots].posted,
                  next + 1);
    take(from);
  }
}

// --- Making an exchange -----------------------------------------------------

PutExchange::PutExchange(PutSession &session, std::vector<Pair> pairs)
    : session(session) {
  for (Pair &pair : pairs) {
    if (!pair.sends.empty())
      addOutgoing(pair);
    if (!pair.receives.empty())
      addIncoming(pair);
  }
}

void *PutExchange::allocate(size_t bytes) {
  void *memory = session.library.allocate(bytes);
  if (!memory)
    session.library.services().fatal("out of memory for a transfer");
  return memory;
}

void PutExchange::addOutgoing(Pair &pair) {
  Outgoing out;
  out.partner = pair.partner;
  out.number = session.nextSend(pair.partner);
  out.sources = std::move(pair.sends);
  out.ready = static_cast<uint64_t *>(allocate(sizeof(uint64_t)));
  outgoing.push_back(std::move(out));
}

void PutExchange::addIncoming(Pair &pair) {
  Incoming in;
  in.partner = pair.partner;
  in.number = session.nextReceive(pair.partner);
  const OneSided &library = session.library;
  bool isMapped = library.mapped(pair.partner, 0);
  auto isStraight = [&](const MemoryBlock &block) {
    int64_t row = rowBytes(block);
    return library.isReachable(block.base) &&
           (isMapped || row >= StraightFrom || row == block.bytes());
  };
  size_t packedBytes = 0, head = inletBytes(pair.receives.size());
  for (const MemoryBlock &block : pair.receives)
    packedBytes += isStraight(block) ? 0 : block.bytes();
  in.bytes = head + packedBytes;
  in.inlet = static_cast<Inlet *>(allocate(in.bytes));
  in.packed = reinterpret_cast<char *>(in.inlet) + head;
  in.inlet->count = pair.receives.size();

  char *free = in.packed;
  Inlet::Block *target = in.inlet->blocks;
  for (const MemoryBlock &block : pair.receives) {
    target->elementSize = block.elementSize;
    if (isStraight(block)) {
      target->place = block.bytes() ? session.library.place(block.base) : 0;
      target->rank = block.rank;
      memcpy(target->count, block.count, sizeof block.count);
      memcpy(target->stride, block.stride, sizeof block.stride);
    } else {
      target->place = session.library.place(free);
      free += block.bytes();
      in.staged.push_back(block);
    }
    ++target;
  }
  incoming.push_back(std::move(in));
}

PutExchange::~PutExchange() {
  OneSided &library = session.library;
  for (Incoming &in : incoming) {
    if (!library.isOver())
      library.await(in.partner, &in.inlet->arrived, times);
    library.release(in.inlet, in.bytes);
  }
  for (Outgoing &out : outgoing) {
    if (!library.isOver())
      library.awaitSources(out.partner);
    library.release(out.ready, sizeof(uint64_t));
  }
}

// --- What the sender learns -------------------------------------------------

/// Adds what has to be put of one block. \p free is where the next packed
/// data go.
void PutExchange::planBlock(Outgoing &out, const MemoryBlock &source,
                            const Inlet::Block &target, char *&free) {
  int64_t bytes = source.bytes();
  if (bytes == 0)
    return;
  bool isPacked = target.rank == 0;
  int64_t row = isPacked ? bytes : rowBytes(shapeOf(target));
  if (char *to = session.library.mapped(out.partner, target.place);
      to && !isPacked && (row != bytes || rowBytes(source) != bytes)) {
    MemoryBlock destination = shapeOf(target);
    destination.base = to;
    out.copies.push_back({source, destination});
    return;
  }
  const char *from = nullptr;
  if (rowBytes(source) % row != 0) {
    out.packings.push_back({source, free});
    from = free;
    free += bytes;
  }
  for (int64_t offset = 0; offset < bytes; offset += row)
    out.runs.push_back(
        {target.place + (isPacked ? 0 : distance(target, offset)),
         from ? from + offset : source.base + distance(source, offset),
         static_cast<size_t>(row)});
}

/// Packed data that are neighbours on both sides are put at once.
template <typename Runs> static void joinNeighbours(Runs &runs) {
  size_t kept = 0;
  for (size_t i = 1; i < runs.size(); ++i) {
    auto &last = runs[kept];
    if (last.place + last.bytes == runs[i].place &&
        last.from + last.bytes == runs[i].from)
      last.bytes += runs[i].bytes;
    else
      runs[++kept] = runs[i];
  }
  if (!runs.empty())
    runs.resize(kept + 1);
}

void PutExchange::learn(Outgoing &out) {
  OneSided &library = session.library;
  Announcement found = session.awaitAnnouncement(out.partner, out.number);
  std::vector<uint64_t> words(found.bytes / sizeof(uint64_t));
  library.get(out.partner, found.place, words.data(), found.bytes);
  auto *inlet = reinterpret_cast<const Inlet *>(words.data());
  if (inlet->count != out.sources.size())
    library.services().fatal("both sides of a transfer differ");

  for (const MemoryBlock &source : out.sources)
    out.bytes += source.bytes();
  out.buffer.reset(new (std::nothrow) char[out.bytes]);
  if (!out.buffer)
    library.services().fatal("out of memory for a transfer");
  char *free = out.buffer.get();
  for (size_t i = 0; i < out.sources.size(); ++i)
    planBlock(out, out.sources[i], inlet->blocks[i], free);
  if (out.packings.empty())
    out.buffer.reset();
  joinNeighbours(out.runs);

  out.arrived = found.place + offsetof(Inlet, arrived);
  out.isKnown = true;
  uint64_t ready = library.place(out.ready);
  library.put(out.partner, found.place + offsetof(Inlet, ready), &ready,
              sizeof ready);
  library.awaitSources(out.partner);
}

// --- The four points --------------------------------------------------------

void PutExchange::destinationReady() {
  ++times;
  for (Incoming &in : incoming)
    if (times == 1)
      session.announce(in.partner, in.number, session.library.place(in.inlet),
                       inletBytes(in.inlet->count));
    else
      session.library.signal(in.partner, in.inlet->ready, times);
}

void PutExchange::sourceReady() {
  OneSided &library = session.library;
  for (Outgoing &out : outgoing) {
    if (out.isKnown)
      library.await(out.partner, out.ready, times);
    else
      learn(out);
    for (const Packing &packing : out.packings)
      library.services().pack(packing.source, packing.to);
    for (const Copying &copying : out.copies)
      library.services().copy(copying.from, copying.to);
    for (const Run &run : out.runs)
      library.put(out.partner, run.place, run.from, run.bytes);
    library.signal(out.partner, out.arrived, times);
    session.traffic.sent(out.partner, out.bytes);
  }
}

void PutExchange::destinationNeeded() {
  for (Incoming &in : incoming) {
    session.library.await(in.partner, &in.inlet->arrived, times);
    const char *from = in.packed;
    for (const MemoryBlock &block : in.staged) {
      session.library.services().unpack(from, block);
      from += block.bytes();
    }
  }
}

void PutExchange::sourceVolatile() {
  for (Outgoing &out : outgoing)
    session.library.awaitSources(out.partner);
}
