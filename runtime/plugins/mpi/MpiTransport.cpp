//===- MpiTransport.cpp - Transfers by messages of MPI --------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The plug-in for runs under mpiexec: what MpiProcessors has, private memory,
/// and transfers on a communicator of their own. Each exchange takes the next
/// tag there, so any number may be under way.
///
//===----------------------------------------------------------------------===//

#include "MpiTransport.h"

#include "MpiExchange.h"

using namespace zrt;
using namespace zrt::mpi;

MpiTransport::MpiTransport(const PluginServices *services)
    : MpiProcessors(services), transfers(newCommunicator()) {
  account.open(*this);
  int *largest = nullptr;
  int known = 0;
  MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &largest, &known);
  largestTag = known ? *largest : 32767; // What MPI promises.
}

void *MpiTransport::allocate(size_t bytes) {
  if (!account.take(bytes))
    return nullptr;
  void *memory = services->allocate(services->heap, bytes);
  if (!memory)
    account.giveBack(bytes);
  return memory;
}

void MpiTransport::release(void *memory, size_t bytes) {
  services->release(services->heap, memory, bytes);
  account.giveBack(bytes);
}

std::unique_ptr<Exchange> MpiTransport::makeExchange(std::vector<Pair> pairs) {
  // All processors make the same exchanges in the same order, so the counter
  // is the same on each. It comes round only after millions of exchanges.
  int tag = nextTag;
  nextTag = nextTag == largestTag ? 0 : nextTag + 1;
  return std::make_unique<MpiExchange>(*this, std::move(pairs), tag);
}

void MpiTransport::close() {
  account.close();
  MPI_Comm_free(&transfers);
}

ZRT_TRANSPORT_PLUGIN(MpiTransport)
