//===- MemoryAccount.cpp - What a machine's processors hold ---------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// One number in memory that the processes of a machine share; the first of
/// them makes it, and tells the others where in /proc it is to be found. (A
/// window of MPI would cost a dozen operations in which all wait for all.) It
/// is counted with the processor's own atomic operations. Two machines count by
/// themselves.
///
//===----------------------------------------------------------------------===//

#include "MemoryAccount.h"

#include "MpiProcessors.h"

#include "Machine/MachineMemory.h"

#include <cstdio>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace zrt;
using namespace zrt::mpi;

static_assert(std::atomic<uint64_t>::is_always_lock_free);

namespace {

/// What is in the memory.
struct Account {
  uint64_t key; ///< tells it from another file
  std::atomic<uint64_t> held;
};

/// Where the others find it.
struct Place {
  int process, file;
  uint64_t key;
};

Account *map(int file) {
  void *memory = mmap(nullptr, sizeof(Account), PROT_READ | PROT_WRITE,
                      MAP_SHARED, file, 0);
  return memory == MAP_FAILED ? nullptr : static_cast<Account *>(memory);
}

/// Null if this system does not have or allow it.
Account *find(const Place &place) {
  char path[48];
  snprintf(path, sizeof path, "/proc/%d/fd/%d", place.process, place.file);
  int file = ::open(path, O_RDWR | O_CLOEXEC);
  struct stat status;
  Account *found = nullptr;
  if (file >= 0 && fstat(file, &status) == 0 &&
      status.st_size == sizeof(Account))
    found = map(file);
  if (file >= 0)
    ::close(file);
  return found && found->key == place.key ? found : nullptr;
}

} // namespace

void MemoryAccount::open(MpiProcessors &mpi) {
  int rank = 0;
  MPI_Comm_rank(mpi.machineCommunicator(), &rank);
  Place place = {getpid(), -1, 0};
  Account *account = nullptr;
  if (rank == 0) {
    file = memfd_create("zrt-memory", MFD_CLOEXEC);
    if (file >= 0 && ftruncate(file, sizeof(Account)) == 0)
      account = map(file);
    if (account && getrandom(&place.key, sizeof place.key, 0) > 0)
      account->key = place.key;
    place.file = file;
  }
  MPI_Request request;
  mpi.check(MPI_Ibcast(&place, sizeof place, MPI_BYTE, 0,
                       mpi.machineCommunicator(), &request),
            "MPI_Ibcast");
  mpi.awaitAlone(request);
  if (rank != 0)
    account = find(place);
  held = account ? &account->held : nullptr;
}

void MemoryAccount::close() {
  held = nullptr;
  if (file >= 0)
    ::close(file);
  file = -1;
}

bool MemoryAccount::take(uint64_t bytes) {
  return !held || takeMemory(*held, bytes);
}

void MemoryAccount::giveBack(uint64_t bytes) {
  if (held)
    held->fetch_sub(bytes, std::memory_order_relaxed);
}
