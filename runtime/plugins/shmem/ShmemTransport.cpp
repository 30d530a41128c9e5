//===- ShmemTransport.cpp - Processors that talk by OpenSHMEM -------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The plug-in for runs under oshrun: memory, the binding of OneSided.h to
/// OpenSHMEM, and the end of a run. Messages are in ShmemMessages.cpp.
///
///     place      offset in the symmetric memory, the same on all PEs
///     put        shmem_putmem; the source may be reused when it returns
///     signal     shmem_fence, which orders what goes to one PE, and an atomic
///                set, because a flag is read while it is written
///     await      shmem_uint64_test, over and over
///
/// Waiting: OpenSHMEM's own waits never give up the core. Those here offer it
/// to others after a while, and soon sleep for a moment where processes
/// outnumber cores.
///
/// Errors: who reports is settled by a compare-and-swap on PE 0.
///
/// Ending: shmem_global_exit makes the launcher drop what it has not read yet
/// of the processors' output, so `abort` waits until the pipes to it are empty.
/// At the regular end, Open MPI 4 unloads a component of which its memory hooks
/// still hold a function, and crashes when the next page is released; so that
/// component is kept in memory.
///
//===----------------------------------------------------------------------===//

#include "ShmemTransport.h"

#include "Support/Env.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <dlfcn.h>
#include <fcntl.h>
#include <sched.h>
#include <shmem.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace zrt;
using namespace zrt::shmem;

namespace {

constexpr int Millisecond = 1000; // times microseconds
/// Milliseconds that the others leave to processor 0 to report an error, and
/// to who reports until the end comes.
constexpr int ReportPatience = 2000;
constexpr int EndPatience = 5000;

/// Returns when the launcher has read what this process has written, or after
/// some seconds: the end of the run would throw it away.
void drainOutput() {
  constexpr int Patience = 2000;
  for (int stream : {STDOUT_FILENO, STDERR_FILENO}) {
    struct stat kind;
    if (fstat(stream, &kind) != 0)
      continue;
    // Launchers read from pipes or from terminals that they make.
    unsigned long question = S_ISFIFO(kind.st_mode) ? FIONREAD : TIOCOUTQ;
    if (!S_ISFIFO(kind.st_mode) && !isatty(stream))
      continue;
    int unread = 0;
    for (int i = 0;
         i < Patience && ioctl(stream, question, &unread) == 0 && unread > 0;
         ++i)
      usleep(Millisecond);
  }
  usleep(50 * Millisecond); // What has been read must also be passed on.
}

/// Keeps the component of Open MPI loaded that its memory hooks call into.
void pinComponent() {
  dlopen("libmca_common_ucx.so.40", RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE);
}

size_t headBytes(int processors) {
  return sizeof(Head) + processors * sizeof(Inbox);
}

} // namespace

ShmemTransport::ShmemTransport(const PluginServices *services)
    : core(services) {
  long neighbours = envNumber(EnvVariable::OmpiLocalSize).value_or(1);
  size_t bytes = chooseSymmetricSize(*services, static_cast<int>(neighbours));
  setSymmetricSize(bytes);
  shmem_init();
  pinComponent();
  self = shmem_my_pe();
  peers.resize(shmem_n_pes());
  for (Peer &peer : peers)
    peer.roomUntil = Inbox::RingBytes;
  memory.emplace(*services, bytes, headBytes(size()));
  crowded = memory->neighbours() > sysconf(_SC_NPROCESSORS_ONLN);

  std::vector<onesided::Mailbox *> mailboxes;
  std::vector<Notes *> notes;
  for (int pe = 0; pe < size(); ++pe) {
    mailboxes.push_back(&inbox(pe).mailbox);
    notes.push_back(&inbox(pe).notes);
  }
  std::vector<uint64_t> places(size(), place(&inbox(self).mailbox));
  OneSided &library = *this;
  session.emplace(library, traffic, std::move(mailboxes), std::move(places));
  council.open(std::move(notes));
  watch.start(services, &council, self, size(),
              services->watchdog > 0 ? council.findNeighbours()
                                     : std::vector<watch::Neighbour>());
}

// --- Memory -----------------------------------------------------------------

void *ShmemTransport::allocate(size_t bytes) {
  return memory->heap().allocate(bytes);
}

void ShmemTransport::release(void *piece, size_t bytes) {
  if (!over) // After that there is no symmetric memory.
    memory->heap().release(piece, bytes);
}

std::string ShmemTransport::memoryAdvice() const {
  return "; the symmetric heap of each processor holds " +
         std::to_string(memory->heapBytes() >> 20) +
         " MiB, and SHMEM_SYMMETRIC_SIZE sets that";
}

std::unique_ptr<Exchange>
ShmemTransport::makeExchange(std::vector<Pair> pairs) {
  return std::make_unique<onesided::PutExchange>(*session, std::move(pairs));
}

// --- The binding ------------------------------------------------------------

uint64_t ShmemTransport::place(const void *own) const {
  if (!memory->contains(own))
    core->fatal("a transfer to memory that is not symmetric");
  return static_cast<const char *>(own) - memory->base();
}

void ShmemTransport::put(int partner, uint64_t place, const void *from,
                         size_t bytes) {
  ++traffic.calls;
  shmem_putmem(memory->base() + place, from, bytes, partner);
}

void ShmemTransport::get(int partner, uint64_t place, void *to, size_t bytes) {
  ++traffic.calls;
  shmem_getmem(to, memory->base() + place, bytes, partner);
}

void ShmemTransport::signal(int partner, uint64_t place, uint64_t value) {
  traffic.calls += 2;
  shmem_fence();
  shmem_ulong_atomic_set(
      reinterpret_cast<unsigned long *>(memory->base() + place), value,
      partner);
}

void ShmemTransport::await(int, uint64_t *flag, uint64_t value) {
  ++traffic.calls; // However often it looks.
  watch::Waiting waiting(watch, 0);
  const int spins = crowded ? 20 : 20000, yields = crowded ? 200 : INT32_MAX;
  for (int looks = 1; !shmem_uint64_test(flag, SHMEM_CMP_GE, value); ++looks) {
    waiting.look();
    callIdle();
    if (looks % 16 == 0)
      session->progress();
    if (looks > yields)
      usleep(50);
    else if (looks > spins)
      sched_yield();
  }
  std::atomic_thread_fence(std::memory_order_acquire);
}

void ShmemTransport::awaitSources(int) {} // shmem_putmem has.

void ShmemTransport::progress() {
  session->progress();
  uint64_t nothing = 0;
  shmem_uint64_test(&nothing, SHMEM_CMP_GE, 1);
}

// --- The end of the run -----------------------------------------------------

bool ShmemTransport::claimReport(bool replicated) {
  uint64_t *reporter = &head().reporter;
  int patience = replicated && self != 0 ? ReportPatience : 0;
  for (int waited = 0; waited < patience; waited += 2) {
    if (shmem_ulong_atomic_fetch(reporter, 0) != 0)
      return false;
    usleep(2 * Millisecond);
  }
  uint64_t own = self + 1;
  uint64_t found = shmem_ulong_atomic_compare_swap(reporter, 0, own, 0);
  return found == 0 || found == own;
}

void ShmemTransport::abort(int status) {
  uint64_t reporter = shmem_ulong_atomic_fetch(&head().reporter, 0);
  if (reporter != 0 && reporter != static_cast<uint64_t>(self) + 1)
    usleep(EndPatience * Millisecond); // The reporter ends this process.
  drainOutput();
  // What is to be said has been said; the library would add lines of its own.
  int nothing = open("/dev/null", O_WRONLY);
  dup2(nothing, STDERR_FILENO);
  shmem_global_exit(status);
  _exit(status);
}

/// The end of OpenSHMEM is a barrier in which nobody would look for hangs.
void ShmemTransport::awaitEndOfAll() {
  auto tell = [&](int partner) {
    signal(partner, placeOfOwnInbox() + offsetof(Inbox, ended), 1);
  };
  watch.beginEnd();
  if (self != 0) {
    tell(0);
    await(0, &inbox(0).ended, 1);
    return;
  }
  for (int pe = 1; pe < size(); ++pe)
    await(pe, &inbox(pe).ended, 1);
  for (int pe = 1; pe < size(); ++pe)
    tell(pe);
}

void ShmemTransport::finish() {
  awaitEndOfAll();
  over = true;
  shmem_finalize();
}

ZRT_TRANSPORT_PLUGIN(zrt::shmem::ShmemTransport)
