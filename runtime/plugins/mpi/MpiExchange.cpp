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
/// One message per partner holds all blocks of the transfer. A single
/// contiguous block (a row of an array) is not copied by us.
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

/// True if the block's elements lie one after another in memory.
static bool isContiguous(const MemoryBlock &block) {
  int64_t bytes = block.elementSize;
  for (int d = block.rank - 1; d >= 0; --d) {
    if (block.count[d] != 1 && block.stride[d] != bytes)
      return false;
    bytes *= block.count[d];
  }
  return true;
}

MpiExchange::MpiExchange(const Session &session, std::vector<Pair> pairs,
                         int tag)
    : session(session) {
  for (Pair &pair : pairs) {
    MPI_Count bytes = 0;
    MPI_Request request;
    if (!pair.receives.empty()) {
      char *data = add(incoming, std::move(pair.receives), bytes);
      session.check(MPI_Recv_init_c(data, bytes, MPI_BYTE, pair.partner, tag,
                                    session.exchanges, &request),
                    "MPI_Recv_init");
      receives.push_back(request);
    }
    if (!pair.sends.empty()) {
      char *data = add(outgoing, std::move(pair.sends), bytes);
      session.check(MPI_Send_init_c(data, bytes, MPI_BYTE, pair.partner, tag,
                                    session.exchanges, &request),
                    "MPI_Send_init");
      sends.push_back(request);
    }
  }
}

char *MpiExchange::add(std::vector<Message> &list,
                       std::vector<MemoryBlock> blocks, MPI_Count &bytes) {
  bytes = 0;
  for (const MemoryBlock &block : blocks)
    bytes += block.bytes();
  Message message;
  char *data = blocks.front().base;
  if (blocks.size() > 1 || !isContiguous(blocks.front())) {
    message.buffer.reset(new (std::nothrow) char[bytes]);
    if (!message.buffer)
      session.services->fatal("out of memory for a transfer");
    data = message.buffer.get();
  }
  message.blocks = std::move(blocks);
  list.push_back(std::move(message));
  return data;
}

MpiExchange::~MpiExchange() {
  int over = 0;
  MPI_Finalized(&over);
  if (over) // And the requests with it.
    return;
  for (MPI_Request &request : sends)
    MPI_Request_free(&request);
  for (MPI_Request &request : receives)
    MPI_Request_free(&request);
}

void MpiExchange::destinationReady() {
  if (!receives.empty())
    session.check(
        MPI_Startall(static_cast<int>(receives.size()), receives.data()),
        "MPI_Startall");
}

void MpiExchange::sourceReady() {
  for (const Message &message : outgoing) {
    if (!message.buffer)
      continue;
    char *at = message.buffer.get();
    for (const MemoryBlock &block : message.blocks) {
      session.services->pack(block, at);
      at += block.bytes();
    }
  }
  if (!sends.empty())
    session.check(MPI_Startall(static_cast<int>(sends.size()), sends.data()),
                  "MPI_Startall");
}

void MpiExchange::destinationNeeded() {
  session.waitAll(receives);
  for (const Message &message : incoming) {
    if (!message.buffer)
      continue;
    const char *at = message.buffer.get();
    for (const MemoryBlock &block : message.blocks) {
      session.services->unpack(at, block);
      at += block.bytes();
    }
  }
}

void MpiExchange::sourceVolatile() { session.waitAll(sends); }
