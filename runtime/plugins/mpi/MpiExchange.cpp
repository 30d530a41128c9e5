//===- MpiExchange.cpp - Transfers by persistent requests -----------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The two-sided, non-blocking form of the Ironman interface (dissertation
/// table 4.1), with the arguments of the messages bound once:
///
///     made      MPI_Recv_init, MPI_Send_init
///     DR        start the receives
///     SR        pack, start the sends
///     DN        wait for the receives, unpack
///     SV        wait for the sends
///
/// SV takes MPI's own wait for small sends. MPI has copied them, so they are
/// over, which MPI_Wait sees at once; MPI_Test first looks whether anything has
/// come, a tenth of the time of eight bytes to a neighbour.
///
/// One message per partner holds all blocks of the transfer. A message is
/// bound in one of three ways:
///
///     one contiguous block (a row)      its place
///     long runs, a large message        a derived datatype
///     all else (a column)               a buffer, packed and unpacked by us
///
/// Where the second begins was measured: two processes of MPICH 4.0 on one
/// machine, persistent requests, blocks of runs of equal length, both ways at
/// once, least of 30 rounds. Time of packing over that of the datatype:
///
///     message   runs of 8 B   64 B   256 B   512 B   1 KiB   4 KiB
///       8 KiB          0.27   0.18    0.12    0.12    0.12    0.14
///      12 KiB          0.16   0.77    1.56    1.8     2.0     2.2
///      64 KiB          0.60   0.58    1.07    1.3     1.46    1.61
///     256 KiB            -      -     0.92    1.11    1.24    1.59
///       1 MiB            -    0.91    1.00    1.1     1.21    1.36
///
/// Small messages are copied by MPI in any case, and its engine for datatypes
/// takes its time for each run; large ones go from place to place, which saves
/// two copies if the runs are long. So: from 12 KiB on, with 512 bytes per run
/// on average. The two sides need not agree, since their bytes are the same.
///
/// Since the receives are started before the partner sends, large messages
/// need no extra round. Sizes are MPI_Count, so more than 2^31 bytes go in one
/// message too.
///
//===----------------------------------------------------------------------===//

#include "MpiExchange.h"

#include <new>

using namespace zrt;
using namespace zrt::mpi;

/// From here on a derived datatype is faster than packing.
static constexpr int64_t LargeMessage = 12 << 10;
static constexpr int64_t LongRun = 512;

/// MPI copies at least so much in the call that starts a send.
static constexpr uint64_t SmallMessage = 4096;

/// The dimensions of a block that lie one element after another in memory.
struct Run {
  int64_t bytes;
  int outer; ///< number of dimensions outside of it
};

static Run innerRun(const MemoryBlock &block) {
  Run run = {block.elementSize, block.rank};
  for (; run.outer > 0; --run.outer) {
    int d = run.outer - 1;
    if (block.count[d] != 1 && block.stride[d] != run.bytes)
      break;
    run.bytes *= block.count[d];
  }
  return run;
}

MpiExchange::MpiExchange(MpiTransport &transport, std::vector<Pair> pairs,
                         int tag)
    : transport(transport) {
  auto add = [&](Messages &messages, std::vector<MemoryBlock> &blocks,
                 int partner, auto *init, const char *what) {
    if (blocks.empty())
      return;
    uint64_t before = messages.bytes;
    Data data = bind(messages, std::move(blocks));
    messages.each.emplace_back(partner, messages.bytes - before);
    MPI_Request request;
    transport.check(init(data.base, data.count, data.type, partner, tag,
                         transport.transfers, &request),
                    what);
    requests.push_back(request);
    if (data.type != MPI_BYTE)
      MPI_Type_free(&data.type); // The request keeps it.
  };
  for (Pair &pair : pairs)
    add(receives, pair.receives, pair.partner, MPI_Recv_init_c,
        "MPI_Recv_init");
  for (Pair &pair : pairs)
    add(sends, pair.sends, pair.partner, MPI_Send_init_c, "MPI_Send_init");
}

MpiExchange::Data MpiExchange::bind(Messages &messages,
                                    std::vector<MemoryBlock> blocks) {
  int64_t bytes = 0, runs = 0;
  for (const MemoryBlock &block : blocks) {
    int64_t size = block.bytes();
    bytes += size;
    runs += size == 0 ? 0 : size / innerRun(block).bytes;
  }
  messages.bytes += bytes;
  ++messages.count;
  if (runs <= 1 && blocks.size() == 1)
    return {blocks.front().base, bytes, MPI_BYTE};
  if (bytes >= LargeMessage && bytes >= runs * LongRun)
    return {MPI_BOTTOM, 1, typeOf(blocks)};

  Packed packed;
  packed.buffer.reset(new (std::nothrow) char[bytes]);
  if (!packed.buffer)
    transport.services->fatal("out of memory for a transfer");
  packed.blocks = std::move(blocks);
  messages.packed.push_back(std::move(packed));
  return {messages.packed.back().buffer.get(), bytes, MPI_BYTE};
}

/// Relative to the block's base.
MPI_Datatype MpiExchange::typeOf(const MemoryBlock &block) {
  Run run = innerRun(block);
  MPI_Datatype type, inner;
  transport.check(MPI_Type_contiguous_c(run.bytes, MPI_BYTE, &type),
                  "MPI_Type_contiguous");
  for (int d = run.outer - 1; d >= 0; --d) {
    inner = type;
    transport.check(MPI_Type_create_hvector_c(block.count[d], 1,
                                              block.stride[d], inner, &type),
                    "MPI_Type_create_hvector");
    MPI_Type_free(&inner);
  }
  return type;
}

/// With absolute addresses.
MPI_Datatype MpiExchange::typeOf(const std::vector<MemoryBlock> &blocks) {
  std::vector<MPI_Count> ones(blocks.size(), 1), places;
  std::vector<MPI_Datatype> types;
  for (const MemoryBlock &block : blocks) {
    MPI_Aint place;
    MPI_Get_address(block.base, &place);
    places.push_back(place);
    types.push_back(typeOf(block));
  }
  MPI_Datatype all;
  transport.check(
      MPI_Type_create_struct_c(static_cast<MPI_Count>(blocks.size()),
                               ones.data(), places.data(), types.data(), &all),
      "MPI_Type_create_struct");
  transport.check(MPI_Type_commit(&all), "MPI_Type_commit");
  for (MPI_Datatype &type : types)
    MPI_Type_free(&type);
  return all;
}

MpiExchange::~MpiExchange() {
  int over = 0;
  MPI_Finalized(&over);
  if (over) // And the requests with it.
    return;
  transport.waitAll(requests.data(), static_cast<int>(requests.size()),
                    receives.bytes + sends.bytes);
  for (MPI_Request &request : requests)
    MPI_Request_free(&request);
}

void MpiExchange::start(MPI_Request *first, int count) {
  if (count == 1)
    transport.check(MPI_Start(first), "MPI_Start");
  else if (count > 1)
    transport.check(MPI_Startall(count, first), "MPI_Startall");
}

void MpiExchange::destinationReady() { start(requests.data(), receives.count); }

void MpiExchange::sourceReady() {
  for (const Packed &packed : sends.packed) {
    char *at = packed.buffer.get();
    for (const MemoryBlock &block : packed.blocks) {
      transport.services->pack(block, at);
      at += block.bytes();
    }
  }
  start(firstSend(), sends.count);
  for (const auto &[partner, bytes] : sends.each)
    transport.traffic.sent(partner, bytes);
}

void MpiExchange::destinationNeeded() {
  transport.waitAll(requests.data(), receives.count, receives.bytes);
  for (const Packed &packed : receives.packed) {
    const char *at = packed.buffer.get();
    for (const MemoryBlock &block : packed.blocks) {
      transport.services->unpack(at, block);
      at += block.bytes();
    }
  }
}

void MpiExchange::sourceVolatile() {
  if (sends.bytes > SmallMessage)
    transport.waitAll(firstSend(), sends.count, sends.bytes);
  else if (sends.count == 1)
    transport.check(MPI_Wait(firstSend(), MPI_STATUS_IGNORE), "MPI_Wait");
  else if (sends.count > 1)
    transport.check(MPI_Waitall(sends.count, firstSend(), MPI_STATUSES_IGNORE),
                    "MPI_Waitall");
}
