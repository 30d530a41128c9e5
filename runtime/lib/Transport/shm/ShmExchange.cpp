//===- ShmExchange.cpp - Transfers through shared memory ------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What is sent goes one of three ways, which the sender chooses for each pair
/// when the exchange is made, and tells with the data:
///  - *packed* (eager): at SR the sender packs the data into a slot, after its
///    flag; at DN the receiver unpacks them. SV has nothing to wait for. For
///    small data, for data in short runs, for sources in private memory.
///  - *pulled*: SR only raises the flag; at DN the receiver copies from array
///    to array; SV waits for it. For the rest.
///  - *pushed*: DR says that the destination is ready; if that is known at SR,
///    the sender copies from array to array, else it packs. Where the sources
///    are private (ShmTransport.cpp says why) and the destinations are not,
///    which saves one of two copies.
///
/// Example: processor 0 sends its last row, 1000 doubles, to processor 1.
///
///     processor 0                            processor 1
///     SR: pack the row into slot 1,
///         raise its flag to round 1,
///         post {exchange 4, record}
///                                            DN: take the entry: know the
///                                                record from now on; wait for
///                                                the flag of slot 1, unpack,
///                                                record->done = 1
///     SV: nothing
///     SR: slot 0, round 2; no entry          DN: slot 0 of the record ...
///
/// The record lies in the sender's slice. Making an exchange touches nothing
/// that is shared, and plans may come and go without agreement; only the
/// numbering of the exchanges of a pair must be the same on both sides. The
/// entry at the first SR tells the receiver where the record is; from then on
/// both look at flags of their own, and different exchanges do not meet.
///
/// A sender has two slots, or four, and writes one anew when the receiver is
/// done with it. It seldom looks: where the partner sends in the same
/// exchange, its data of round n say that it has passed DN of round n-1, so
/// `done` need not even be raised, only stored.
///
/// No deadlock. All processors pass the points in one order, the program's.
/// Every wait at a point is for a partner to pass a point that stands earlier
/// in that order: DN of round n waits for SR of round n; SV of round n for DN
/// of round n (of what is pulled); SR of round n for DN of round n-2 or n-4
/// (slots); the destructor for the last DN. SR never waits for DR: it looks
/// once. So of all processors that wait, the one at the earliest point waits
/// for nothing, or for an entry that a full ring holds up with its sender; that
/// one posts it in its own wait (ShmTransport.cpp).
///
/// The crossovers were measured between two processors that give each other n
/// bytes, write all of the source before SR and read all of the destination
/// after DN, as programs do; least of many short bursts, on two cores (Zen 5)
/// with a cache line transfer of 110 ns. Microseconds per round:
///
///     bytes    512   4096   16384   65536   262144
///     packed  0.52    2.4     8.3      32      131
///     pulled  0.70    3.3    10.9      39      155
///     pushed          3.2    10.8      39
///
/// Packing wins by one cache line transfer and, beyond, because the copy reads
/// and writes what is in the own cache, while the receiver gets the data in one
/// stream. It loses where the source has not changed since the last time
/// (65536 bytes: 4.0 instead of 1.0, since then the receiver has the source in
/// its cache) and takes memory for two slots; so it ends at 32 KiB. Columns (8
/// bytes of each row of 64 to 470) take half the time packed: 2.3 instead of
/// 5.3 for 300 elements; a pulled element moves a whole cache line. Pushing is
/// no faster than pulling, so it is for private sources only.
///
/// Cost: making one: some hundred bytes per partner. Each time: one cache line
/// transfer per partner beyond the data, two if pulled.
///
//===----------------------------------------------------------------------===//

#include "Transport/shm/ShmExchange.h"

#include "Machine/RunFigures.h"
#include "Support/Error.h"
#include "Transport/Blocks.h"

#include <algorithm>
#include <cstring>

using namespace zrt;
using namespace zrt::shm;

namespace {

/// With two slots a sender of small data would often look whether one is free.
constexpr size_t ManySlotsUpTo = 1 << 10;

/// The number of bytes that lie side by side in \p block.
size_t runOf(const MemoryBlock &block) {
  int64_t run = block.elementSize;
  for (int d = block.rank - 1; d >= 0; --d) {
    if (block.count[d] != 1 && block.stride[d] != run)
      break;
    run *= block.count[d];
  }
  return run;
}

/// A call of memcpy costs more than a short copy.
void copyBytes(char *to, const char *from, size_t bytes) {
  if (bytes == 8)
    memcpy(to, from, 8);
  else
    memcpy(to, from, bytes);
}

} // namespace

// --- Making and ending ------------------------------------------------------

ShmExchange::ShmExchange(ShmTransport &transport,
                         const std::vector<Pair> &pairs)
    : transport(transport) {
  for (const Pair &pair : pairs) {
    int reverse = -1;
    if (!pair.sends.empty()) {
      reverse = static_cast<int>(outgoing.size());
      addOutgoing(pair.partner, pair.sends);
    }
    if (!pair.receives.empty())
      incoming.push_back({pair.partner, transport.nextReceive(pair.partner),
                          partsOf(pair.receives), reverse});
  }
}

std::vector<ShmExchange::Part>
ShmExchange::partsOf(const std::vector<MemoryBlock> &blocks) {
  std::vector<Part> parts;
  for (const MemoryBlock &block : blocks) {
    // Blocks without bytes are so on both sides.
    if (size_t bytes = block.bytes())
      parts.push_back({block, bytes, runOf(block) == bytes});
  }
  return parts;
}

bool ShmExchange::areShared(const std::vector<Part> &parts) const {
  return std::all_of(parts.begin(), parts.end(), [&](const Part &part) {
    return transport.isShared(part.block.base);
  });
}

void *ShmExchange::allocate(size_t bytes) {
  void *memory = transport.heap().allocate(bytes);
  if (!memory)
    fatal(nullptr, ErrorScope::Local, "out of memory for a transfer");
  return memory;
}

BlockList *ShmExchange::makeList(const std::vector<Part> &parts) {
  auto *list =
      static_cast<BlockList *>(allocate(BlockList::bytes(parts.size())));
  for (const Part &part : parts)
    list->blocks[list->count++] = part.block;
  return list;
}

void ShmExchange::releaseList(const BlockList *list) {
  if (list)
    transport.heap().release(const_cast<BlockList *>(list),
                             BlockList::bytes(list->count));
}

void ShmExchange::addOutgoing(int partner,
                              const std::vector<MemoryBlock> &blocks) {
  Outgoing out = {partner, transport.nextSend(partner), partsOf(blocks),
                  nullptr, false};
  size_t bytes = 0;
  size_t run = SIZE_MAX;
  for (const Part &part : out.sources) {
    bytes += part.bytes;
    run = std::min(run, runOf(part.block));
  }
  bool isShared = areShared(out.sources);
  // Where the ways cross; the essay says how this was measured.
  const RunFigures &figures = runFigures();
  auto all = static_cast<double>(bytes);
  out.packs = !isShared || all <= figures.packUpTo ||
              (static_cast<double>(run) < figures.shortRun &&
               all <= figures.packShortRunsUpTo);
  auto *record = static_cast<SendRecord *>(allocate(sizeof(SendRecord)));
  record->slotCount = bytes <= ManySlotsUpTo ? 4 : 2;
  record->slotBytes = out.packs ? SendSlot::bytes(bytes) : sizeof(SendSlot);
  record->slots =
      static_cast<char *>(allocate(record->slotCount * record->slotBytes));
  record->sources = out.packs ? nullptr : makeList(out.sources);
  record->bytes = bytes;
  record->mayPush = !isShared && all >= figures.pushFrom;
  out.record = record;
  outgoing.push_back(std::move(out));
}

ShmExchange::~ShmExchange() {
  SliceHeap &heap = transport.heap();
  for (Outgoing &out : outgoing) {
    transport.awaitQuiet(out.partner, out.record->done, times);
    releaseList(out.record->sources);
    heap.release(out.record->slots,
                 out.record->slotCount * out.record->slotBytes);
    heap.release(out.record, sizeof(SendRecord));
  }
  for (const Incoming &in : incoming)
    releaseList(in.offer);
}

// --- The sender's points ----------------------------------------------------

void ShmExchange::awaitDone(Outgoing &out, uint64_t round) {
  if (out.known >= round)
    return;
  transport.await(out.partner, out.record->done, round);
  out.known = out.record->done.load();
}

void ShmExchange::sourceReady() {
  ++times;
  for (Outgoing &out : outgoing) {
    SendRecord &record = *out.record;
    if (times > record.slotCount)
      awaitDone(out, times - record.slotCount);
    SendSlot &slot = record.slot(times);
    slot.way = sendOne(out, slot);
    transport.raise(slot.round, times);
    if (times == 1)
      transport.postReady(out.partner, out.number, &record);
    transport.traffic.sent(out.partner, record.bytes);
  }
}

Way ShmExchange::sendOne(Outgoing &out, SendSlot &slot) {
  SendRecord &record = *out.record;
  if (record.mayPush && record.ready.load() >= times) {
    ZRT_CHECK(record.offer->count == static_cast<int64_t>(out.sources.size()));
    for (size_t i = 0; i < out.sources.size(); ++i)
      copyBlock(out.sources[i].block, record.offer->blocks[i]);
    return Way::Pushed;
  }
  if (!out.packs) {
    out.isPulled = true;
    return Way::Pulled;
  }
  char *to = slot.data(record.bytes);
  for (const Part &part : out.sources) {
    if (part.isContiguous)
      copyBytes(to, part.block.base, part.bytes);
    else
      packBlock(part.block, to);
    to += part.bytes;
  }
  return Way::Packed;
}

void ShmExchange::sourceVolatile() {
  for (Outgoing &out : outgoing)
    if (out.isPulled) {
      awaitDone(out, times);
      out.isPulled = false;
    }
}

// --- The receiver's points --------------------------------------------------

void ShmExchange::destinationReady() {
  for (const Incoming &in : incoming)
    if (in.offer)
      in.record->ready.set(times + 1);
}

/// Gets to know the sender's record.
void ShmExchange::meet(Incoming &in) {
  in.record = transport.takeReady(in.partner, in.number);
  size_t bytes = 0;
  for (const Part &part : in.targets)
    bytes += part.bytes;
  ZRT_CHECK(in.record->bytes == bytes);
  if (in.record->mayPush && areShared(in.targets)) {
    in.offer = makeList(in.targets);
    in.record->offer = in.offer;
  }
}

void ShmExchange::copyPulled(const Incoming &in) const {
  const BlockList &sources = *in.record->sources;
  ZRT_CHECK(sources.count == static_cast<int64_t>(in.targets.size()));
  for (size_t i = 0; i < in.targets.size(); ++i)
    copyBlock(sources.blocks[i], in.targets[i].block);
}

void ShmExchange::destinationNeeded() {
  for (Incoming &in : incoming) {
    if (!in.record)
      meet(in);
    SendSlot &slot = in.record->slot(times);
    transport.await(in.partner, slot.round, times);
    if (slot.way == Way::Pulled) {
      copyPulled(in);
    } else if (slot.way == Way::Packed) {
      const char *from = slot.data(in.record->bytes);
      for (const Part &part : in.targets) {
        if (part.isContiguous)
          copyBytes(part.block.base, from, part.bytes);
        else
          unpackBlock(from, part.block);
        from += part.bytes;
      }
    }
    if (in.reverse < 0 || slot.way == Way::Pulled)
      transport.raise(in.record->done, times);
    else
      in.record->done.set(times);
    // The partner has come to this SR, hence through its last DN.
    if (in.reverse >= 0)
      outgoing[in.reverse].known =
          std::max(outgoing[in.reverse].known, times - 1);
  }
}
