//===- PutTransport.cpp - Processors that write to each other -------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The plug-in `put`: start, messages and end are those of MpiProcessors, the
/// protocol of transfers that of PutExchange.cpp, the memory that of
/// Region.cpp. Here is how data and flags go, and what MPI promises for it.
///
///     partner on    data               flag after them
///     this machine  stores             a store that releases
///     another one   MPI_Put            MPI_Win_flush, then MPI_Accumulate with
///                                      MPI_REPLACE, MPI_Win_flush
///
/// Stores: in the unified memory model a shared window is one memory, which all
/// its processes load and store directly, and how these are ordered is up to
/// the machine (MPI 3.1, 11.2.3 and 11.4). So the machine's order is asked for:
/// the flag is an atomic word, stored with release and loaded with acquire
/// semantics, and MPI has no part in a transfer. MPI_Win_sync, which would do
/// as well, is a full barrier: it waits until the stores before it have left
/// the processor, four times per transfer. Measured, 8 bytes between two
/// processes, the best of many: 0.09 us, with MPI_Win_sync 0.47 us; by
/// persistent messages 0.18 us.
///
/// Puts: MPI_Win_flush returns when all that this processor has started towards
/// the target is complete there (11.5.4), so what is started afterwards cannot
/// be seen without it. Nothing less would do: MPI orders puts neither with each
/// other nor with accumulates (11.7). A flag that is polled by loads may only
/// be compared with one value, as its bytes may change one by one (11.7); so
/// flags from other machines are written and read by accumulates, which are
/// atomic per element (11.7.1). The reading also gives MPICH the calls that it
/// needs at a target.
///
//===----------------------------------------------------------------------===//

#include "PutTransport.h"

#include <cstdlib>
#include <cstring>

using namespace zrt;
using namespace zrt::put;
using namespace zrt::onesided;

/// To be called before MPI starts; see Region.cpp.
static const PluginServices *prepared(const PluginServices *services) {
  setenv("MPIR_CVAR_SHM_SYMHEAP_RETRY", "0", /*overwrite=*/0);
  return services;
}

// --- Puts and flags ---------------------------------------------------------

void Windows::put(int partner, uint64_t place, const void *from, size_t bytes) {
  if (char *to = mapped(partner, place))
    memcpy(to, from, bytes);
  else
    region.put(partner, place, from, bytes);
}

void Windows::get(int partner, uint64_t place, void *to, size_t bytes) {
  if (const char *from = mapped(partner, place))
    memcpy(to, from, bytes);
  else
    region.get(partner, place, to, bytes);
}

void Windows::signal(int partner, uint64_t place, uint64_t value) {
  if (char *flag = mapped(partner, place)) {
    __atomic_store_n(reinterpret_cast<uint64_t *>(flag), value,
                     __ATOMIC_RELEASE);
    return;
  }
  region.sync();
  region.signal(partner, place, value);
}

void Windows::await(int partner, uint64_t *flag, uint64_t value) {
  bool isNear = region.neighbour(partner);
  auto isRaised = [&] {
    return (isNear ? __atomic_load_n(flag, __ATOMIC_ACQUIRE)
                   : region.fetch(flag)) >= value;
  };
  if (!isRaised()) {
    watch::Waiting waiting(transport.watch, 0);
    for (int looks = 0; !isRaised(); ++looks) {
      waiting.look();
      transport.rest(looks);
    }
  }
  if (!isNear)
    region.sync();
}

void Windows::awaitSources(int partner) {
  if (!region.neighbour(partner))
    region.flushLocal(partner);
}

const PluginServices &Windows::services() const { return *transport.services; }

// --- The transport ----------------------------------------------------------

PutTransport::PutTransport(const PluginServices *services)
    : MpiProcessors(prepared(services)), region(*this), windows(*this, region) {
  void *memory = region.allocate(size() * sizeof(Mailbox));
  if (!memory)
    services->fatal("the transport 'put' finds no memory that is shared; is "
                    "/dev/shm full?");
  uint64_t first = region.offset(memory);
  std::vector<uint64_t> places(size());
  MPI_Request request;
  check(MPI_Iallgather(&first, 1, MPI_UINT64_T, places.data(), 1, MPI_UINT64_T,
                       MPI_COMM_WORLD, &request),
        "MPI_Iallgather");
  awaitAlone(request);
  std::vector<Mailbox *> mailboxes;
  for (int partner = 0; partner < size(); ++partner) {
    mailboxes.push_back(static_cast<Mailbox *>(memory) + partner);
    places[partner] += rank() * sizeof(Mailbox);
  }
  session = std::make_unique<PutSession>(windows, traffic, std::move(mailboxes),
                                         std::move(places));
}

std::unique_ptr<Exchange> PutTransport::makeExchange(std::vector<Pair> pairs) {
  return std::make_unique<PutExchange>(*session, std::move(pairs));
}

void PutTransport::progress() {
  MpiProcessors::progress();
  session->progress();
}

void PutTransport::rest(int looks) {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#endif
  if (looks % 64 == 63)
    progress();
  pauseInWait(looks);
}

ZRT_TRANSPORT_PLUGIN(PutTransport)
