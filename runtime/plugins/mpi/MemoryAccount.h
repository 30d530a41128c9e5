//===- MemoryAccount.h - What a machine's processors hold -------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_PLUGINS_MPI_MEMORYACCOUNT_H
#define ZRT_PLUGINS_MPI_MEMORYACCOUNT_H

#include <atomic>
#include <cstdint>
#include <mpi.h>

namespace zrt::mpi {

class MpiProcessors;

/// The sum of what the processors of one machine hold for arrays. The system
/// would hand out more than there is, and kill a processor later.
class MemoryAccount {
public:
  /// Collective over all processors, of which \p mpi knows those of the machine.
  void open(MpiProcessors &mpi);
  /// When all have come to the end. Nothing is counted from then on.
  void close();

  /// Adds \p bytes; false, and nothing added, if the machine has not so much.
  bool take(uint64_t bytes);
  void giveBack(uint64_t bytes);

private:
  int file = -1; ///< the memory, if this one has made it
  std::atomic<uint64_t> *held = nullptr; ///< in memory that all of them share
};

} // namespace zrt::mpi

#endif // ZRT_PLUGINS_MPI_MEMORYACCOUNT_H
