//===- Region.cpp - Memory that all processors reach ----------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Arrays are allocated at any time and by each processor for itself, but
/// windows are made by all together, and an attached window (a dynamic one)
/// serves puts by messages that the target has to take. So there is one window,
/// made at the start, in which each processor has a piece as large as the
/// machine's memory, with a heap of ours in it:
///
///     one machine    MPI_Win_allocate_shared: each processor sees the pieces
///                    of all others and stores there
///     several        MPI_Win_create over the same piece, for MPI_Put
///
/// Why not MPI_Put on one machine: MPICH 4.0 as Debian builds it (ch4:ucx)
/// serves every MPI_Put by a message, on windows of all kinds; nothing arrives
/// before the target calls MPI. Two processes, the target in no call:
///
///     MPI_Win_allocate, _allocate_shared, _create
///         MPI_Put and MPI_Win_flush return when the target calls MPI
///     stores to MPI_Win_allocate_shared
///         arrive in a tenth of a microsecond
///
/// What the address space costs: nothing before it is touched. MPICH looks
/// whether each page of a new window is free at one address in all processes,
/// 0.5 s per GiB. We do not need equal addresses, and turn that off unless the
/// environment says something else.
///
/// Memory: the file behind a window gets its pages when they are touched, and a
/// touch that finds the file system or the machine full is a signal. So
/// `allocate` has the system fill in the pages of each piece, a portion at a
/// time, and looks at what the machine has left before each. Then an array that
/// does not fit is an error of the program, with its line.
///
//===----------------------------------------------------------------------===//

#include "Region.h"

#include "Transport/shm/Segment.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/sysinfo.h>
#include <unistd.h>

using namespace zrt;
using namespace zrt::put;

namespace {

constexpr size_t SmallestPiece = 16 << 20;
/// Pages are filled in by so many bytes at a time. Less than that is not worth
/// a look at the machine's memory.
constexpr size_t Portion = 64 << 20;
constexpr size_t LookFrom = 1 << 20;
/// What is left to the rest of the machine.
constexpr size_t Reserve = 64 << 20;

size_t limitOf(int resource) {
  rlimit limit;
  return getrlimit(static_cast<__rlimit_resource>(resource), &limit) == 0
             ? limit.rlim_cur
             : RLIM_INFINITY;
}

/// The largest piece that this process can have if \p processes of its machine
/// have one as well: all memory of the machine, within the limits on address
/// space (most of it is left to others) and on files.
size_t possiblePiece(int processes) {
  struct sysinfo machine;
  size_t bytes = size_t(64) << 30;
  if (sysinfo(&machine) == 0)
    bytes = static_cast<size_t>(machine.totalram) * machine.mem_unit;
  bytes = std::min(bytes, limitOf(RLIMIT_AS) / 4 / processes);
  bytes = std::min(bytes, limitOf(RLIMIT_FSIZE) / processes);
  return roundDown(bytes, HugePage);
}

/// Bytes that the machine could still give, as far as it says so.
size_t availableMemory() {
  FILE *file = fopen("/proc/meminfo", "re");
  if (!file)
    return SIZE_MAX;
  char line[256];
  unsigned long long kilobytes = 0;
  bool isKnown = false;
  while (!isKnown && fgets(line, sizeof line, file))
    isKnown = sscanf(line, "MemAvailable: %llu kB", &kilobytes) == 1;
  fclose(file);
  return isKnown ? static_cast<size_t>(kilobytes) << 10 : SIZE_MAX;
}

/// Gives the pages of a range memory. True if they have it, or if the system
/// is too old to tell.
bool fillIn(char *memory, size_t bytes) {
#ifdef MADV_POPULATE_WRITE
  while (madvise(memory, bytes, MADV_POPULATE_WRITE) != 0) {
    if (errno == EINTR || errno == EAGAIN)
      continue;
    return errno == EINVAL;
  }
#else
  (void)memory, (void)bytes;
#endif
  return true;
}

} // namespace

Region::Region(mpi::MpiProcessors &mpi)
    : mpi(mpi), pieces(mpi.size()), started(mpi.size()) {
  MPI_Comm machine = mpi.machineCommunicator();
  int processes = 1;
  MPI_Comm_size(machine, &processes);
  uint64_t possible = possiblePiece(processes), agreed = 0;
  MPI_Request request;
  mpi.check(MPI_Iallreduce(&possible, &agreed, 1, MPI_UINT64_T, MPI_MIN,
                           MPI_COMM_WORLD, &request),
            "MPI_Iallreduce");
  mpi.awaitAlone(request);
  bytes = agreed;
  if (bytes < SmallestPiece)
    mpi.services->fatal("the transport 'put' finds no room for arrays: the "
                        "limit on address space (ulimit -v) or on files "
                        "(ulimit -f) is too low");
  if (processes > 1)
    makeNear(machine, processes);
  else
    makeAlone();
  if (processes < mpi.size())
    makeFar();
  // Huge pages, where there are any, begin at boundaries of their own.
  size_t lead = roundUp(reinterpret_cast<uintptr_t>(own), HugePage) -
                reinterpret_cast<uintptr_t>(own);
  heap = std::make_unique<shm::SliceHeap>(own + lead, bytes - lead);
}

/// The window of this machine's processors, and where their pieces are.
void Region::makeNear(MPI_Comm machine, int processes) {
  MPI_Info wishes;
  MPI_Info_create(&wishes);
  MPI_Info_set(wishes, "alloc_shared_noncontig", "true");
  mpi.check(MPI_Win_allocate_shared(static_cast<MPI_Aint>(bytes), 1, wishes,
                                    machine, &own, &near),
            "MPI_Win_allocate_shared");
  MPI_Info_free(&wishes);
  mpi.check(MPI_Win_lock_all(MPI_MODE_NOCHECK, near), "MPI_Win_lock_all");

  std::vector<int> ranks(processes);
  int rank = mpi.rank();
  MPI_Request request;
  mpi.check(MPI_Iallgather(&rank, 1, MPI_INT, ranks.data(), 1, MPI_INT, machine,
                           &request),
            "MPI_Iallgather");
  mpi.awaitAlone(request);
  for (int i = 0; i < processes; ++i) {
    MPI_Aint size;
    int unit;
    mpi.check(MPI_Win_shared_query(near, i, &size, &unit, &pieces[ranks[i]]),
              "MPI_Win_shared_query");
  }
}

/// The piece of a processor without neighbours. MPICH would ask for private
/// memory of that size, which the system may refuse.
void Region::makeAlone() {
  void *memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                      MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED)
    mpi.services->fatal("the transport 'put' finds no room for arrays");
  own = static_cast<char *>(memory);
}

void Region::makeFar() {
  mpi.check(MPI_Win_create(own, static_cast<MPI_Aint>(bytes), 1, MPI_INFO_NULL,
                           MPI_COMM_WORLD, &far),
            "MPI_Win_create");
  mpi.check(MPI_Win_lock_all(MPI_MODE_NOCHECK, far), "MPI_Win_lock_all");
}

void Region::close() {
  heap.reset();
  for (MPI_Win *window : {&far, &near}) {
    if (*window == MPI_WIN_NULL)
      continue;
    mpi.check(MPI_Win_unlock_all(*window), "MPI_Win_unlock_all");
    mpi.check(MPI_Win_free(window), "MPI_Win_free");
  }
}

// --- The heap ---------------------------------------------------------------

bool Region::commit(char *memory, size_t size) {
  const size_t page = PageSize;
  char *from = own + roundDown(memory - own, page);
  char *to = own + roundUp(memory + size - own, page);
  while (from < to) {
    size_t portion = std::min<size_t>(to - from, Portion);
    if (portion >= LookFrom && availableMemory() < portion + Reserve)
      return false;
    if (!fillIn(from, portion))
      return false;
    from += portion;
  }
  return true;
}

void *Region::allocate(size_t size) {
  auto *memory = static_cast<char *>(heap->allocate(size));
  size_t taken = shm::SliceHeap::footprint(size);
  if (!memory || commit(memory, taken))
    return memory;
  // The heap would clear this piece, and could not. It is given up; addresses
  // are plenty.
  madvise(memory, taken, MADV_REMOVE);
  return nullptr;
}

void Region::release(void *memory, size_t size) {
  if (heap)
    heap->release(memory, size);
}

// --- Ordering and far access ------------------------------------------------

void Region::sync() { mpi.check(MPI_Win_sync(far), "MPI_Win_sync"); }

void Region::put(int rank, uint64_t place, const void *data, size_t size) {
  mpi.check(MPI_Put_c(data, static_cast<MPI_Count>(size), MPI_BYTE, rank,
                      static_cast<MPI_Aint>(place),
                      static_cast<MPI_Count>(size), MPI_BYTE, far),
            "MPI_Put");
  // MPICH keeps a record for each, and has a limited number of them.
  if (++started[rank] >= 1000)
    flush(rank);
}

void Region::get(int rank, uint64_t place, void *data, size_t size) {
  mpi.check(MPI_Get_c(data, static_cast<MPI_Count>(size), MPI_BYTE, rank,
                      static_cast<MPI_Aint>(place),
                      static_cast<MPI_Count>(size), MPI_BYTE, far),
            "MPI_Get");
  flush(rank);
}

void Region::signal(int rank, uint64_t place, uint64_t value) {
  if (started[rank])
    flush(rank);
  mpi.check(MPI_Accumulate(&value, 1, MPI_UINT64_T, rank,
                           static_cast<MPI_Aint>(place), 1, MPI_UINT64_T,
                           MPI_REPLACE, far),
            "MPI_Accumulate");
  flush(rank);
}

uint64_t Region::fetch(const uint64_t *flag) {
  uint64_t nothing = 0, value = 0;
  mpi.check(MPI_Fetch_and_op(&nothing, &value, MPI_UINT64_T, mpi.rank(),
                             static_cast<MPI_Aint>(offset(flag)), MPI_NO_OP,
                             far),
            "MPI_Fetch_and_op");
  flush(mpi.rank());
  return value;
}

void Region::flush(int rank) {
  mpi.check(MPI_Win_flush(rank, far), "MPI_Win_flush");
  started[rank] = 0;
}

void Region::flushLocal(int rank) {
  if (started[rank])
    mpi.check(MPI_Win_flush_local(rank, far), "MPI_Win_flush_local");
}
