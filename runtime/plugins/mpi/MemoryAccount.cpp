//===- MemoryAccount.cpp - What a machine's processors hold ---------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// One number in a window of memory that the processes of a machine share; the
/// first of them has it, the others ask MPI where it lies. It is counted with
/// the processor's own atomic operations, no call of MPI. Two machines count by
/// themselves.
///
//===----------------------------------------------------------------------===//

#include "MemoryAccount.h"

#include "Support/MachineMemory.h"

using namespace zrt;
using namespace zrt::mpi;

static_assert(std::atomic<uint64_t>::is_always_lock_free);

void MemoryAccount::open() {
  MPI_Comm machine;
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL,
                      &machine);
  int rank = 0, unit = 1;
  MPI_Comm_rank(machine, &rank);
  void *start = nullptr;
  MPI_Aint bytes = rank == 0 ? sizeof *held : 0;
  if (MPI_Win_allocate_shared(bytes, 1, MPI_INFO_NULL, machine, &start,
                              &window) == MPI_SUCCESS) {
    MPI_Win_shared_query(window, 0, &bytes, &unit, &start);
    held = static_cast<std::atomic<uint64_t> *>(start);
    if (rank == 0)
      held->store(0);
    MPI_Barrier(machine);
  }
  MPI_Comm_free(&machine);
}

void MemoryAccount::close() {
  held = nullptr;
  if (window != MPI_WIN_NULL)
    MPI_Win_free(&window);
}

bool MemoryAccount::take(uint64_t bytes) {
  return !held || takeMemory(*held, bytes);
}

void MemoryAccount::giveBack(uint64_t bytes) {
  if (held)
    held->fetch_sub(bytes, std::memory_order_relaxed);
}
