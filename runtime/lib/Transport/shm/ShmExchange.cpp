//===- ShmExchange.cpp - Transfers through shared memory ------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The pull form of the Ironman interface (dissertation table 4.1): the data
/// are copied once, by the receiver, from array to array.
///
/// Example: processor 0 sends the last row of its block to processor 1.
///
///     processor 0                        processor 1
///     SR: post {exchange 4, record}
///                                        DN: wait for the entry,
///                                            copy record->blocks[0] to its
///                                            own fluff, raise record->done
///     SV: wait for record->done
///
/// The entry carries the address of the record, which lies in the sender's
/// slice and describes the blocks. So making an exchange touches nothing that
/// is shared, and plans may come and go without agreement; only the numbering
/// of the exchanges of a pair must be the same on both sides.
///
/// Sources that lie in private memory (ShmTransport.cpp says why) are *staged*:
/// SR packs them into a piece of the slice, and the record describes that
/// piece. The receiver does not see the difference. SV has nothing to wait for
/// then, but the next SR has: for the piece.
///
/// A sender cannot run ahead by more than its own SR: SV, or the next SR, waits
/// for the receiver's DN. Until then the receiver finds at most one entry of
/// each exchange, whatever others lie in between. When the receivers are done
/// nobody reads the record, so it can be freed.
///
/// Cost: making one: an allocation of about a hundred bytes per partner. Each
/// time: two cache line transfers per partner beyond the data.
///
//===----------------------------------------------------------------------===//

#include "Transport/shm/ShmExchange.h"

#include "Support/Error.h"
#include "Transport/Blocks.h"

#include <algorithm>

using namespace zrt;
using namespace zrt::shm;

static size_t recordBytes(size_t blocks) {
  return sizeof(SendRecord) + blocks * sizeof(MemoryBlock);
}

ShmExchange::ShmExchange(ShmTransport &transport, std::vector<Pair> pairs)
    : transport(transport) {
  for (Pair &pair : pairs) {
    if (!pair.sends.empty())
      addOutgoing(pair);
    if (!pair.receives.empty())
      incoming.push_back({pair.partner, transport.nextReceive(pair.partner),
                          std::move(pair.receives)});
  }
}

void *ShmExchange::allocate(size_t bytes) {
  void *memory = transport.heap().allocate(bytes);
  if (!memory)
    fatal(nullptr, ErrorScope::Local, "out of memory for a transfer");
  return memory;
}

void ShmExchange::addOutgoing(const Pair &pair) {
  size_t count = pair.sends.size();
  auto *record = static_cast<SendRecord *>(allocate(recordBytes(count)));
  record->count = count;
  std::copy(pair.sends.begin(), pair.sends.end(), record->blocks);
  outgoing.push_back(
      {pair.partner, transport.nextSend(pair.partner), record, {}, nullptr, 0});
  bool areShared = std::all_of(
      pair.sends.begin(), pair.sends.end(), [&](const MemoryBlock &block) {
        return block.bytes() == 0 || transport.isShared(block.base);
      });
  if (!areShared)
    stage(outgoing.back(), pair.sends);
}

/// Lets the record describe a contiguous piece for each of \p sources.
void ShmExchange::stage(Outgoing &out, std::vector<MemoryBlock> sources) {
  for (const MemoryBlock &source : sources)
    out.stagingBytes += source.bytes();
  out.staging = static_cast<char *>(allocate(out.stagingBytes));
  char *piece = out.staging;
  for (size_t i = 0; i < sources.size(); ++i) {
    MemoryBlock &staged = out.record->blocks[i];
    staged = MemoryBlock();
    staged.base = piece;
    staged.elementSize = sources[i].elementSize;
    staged.rank = 1;
    staged.count[0] = sources[i].bytes() / sources[i].elementSize;
    staged.stride[0] = staged.elementSize;
    piece += sources[i].bytes();
  }
  out.sources = std::move(sources);
}

ShmExchange::~ShmExchange() {
  for (const Outgoing &out : outgoing) {
    transport.await(out.record->done, times);
    if (out.staging)
      transport.heap().release(out.staging, out.stagingBytes);
    transport.heap().release(out.record, recordBytes(out.record->count));
  }
}

void ShmExchange::sourceReady() {
  for (const Outgoing &out : outgoing) {
    if (out.staging) {
      transport.await(out.record->done, times);
      for (size_t i = 0; i < out.sources.size(); ++i)
        packBlock(out.sources[i], out.record->blocks[i].base);
    }
    transport.postReady(out.partner, out.number, out.record);
  }
  ++times;
}

void ShmExchange::destinationNeeded() {
  for (const Incoming &in : incoming) {
    SendRecord *record = transport.takeReady(in.partner, in.number);
    ZRT_CHECK(record->count == static_cast<int64_t>(in.blocks.size()));
    for (size_t i = 0; i < in.blocks.size(); ++i)
      copyBlock(record->blocks[i], in.blocks[i]);
    record->done.raise(times);
  }
}

void ShmExchange::sourceVolatile() {
  for (const Outgoing &out : outgoing)
    if (!out.staging)
      transport.await(out.record->done, times);
}
