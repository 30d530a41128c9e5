//===- SymmetricMemory.h - The memory that PEs write into -------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_PLUGINS_SHMEM_SYMMETRICMEMORY_H
#define ZRT_PLUGINS_SHMEM_SYMMETRICMEMORY_H

#include "Transport/Plugin.h"
#include "Transport/shm/SliceHeap.h"

#include <optional>
#include <string>

namespace zrt::shmem {

/// The size of the symmetric heap, before OpenSHMEM is started: what
/// SHMEM_SYMMETRIC_SIZE says, or the machine's memory divided by the number of
/// \p neighbours, the processes that share it. A value that is no size or more
/// than the system gives ends the run through \p services.
size_t chooseSymmetricSize(const PluginServices &services, int neighbours);

/// Tells OpenSHMEM the size of the heap by the variables that it knows.
void setSymmetricSize(size_t bytes);

/// One symmetric piece of memory, of the same size and layout on all PEs: a
/// part of fixed layout, and after it a heap that each PE runs by itself.
class SymmetricMemory {
public:
  /// After shmem_init, collective. Takes what there is of \p wanted bytes, and
  /// ends the run if that is not more than \p fixed.
  SymmetricMemory(const PluginServices &services, size_t wanted, size_t fixed);

  char *base() const { return start; }
  size_t heapBytes() const { return bytes - fixed; }
  shm::SliceHeap &heap() { return *slice; }
  bool contains(const void *memory) const {
    auto *at = static_cast<const char *>(memory);
    return at >= start && at < start + bytes;
  }

  /// PEs that share this one's machine, itself among them.
  int neighbours() const { return near; }

private:
  char *start = nullptr;
  size_t bytes = 0, fixed = 0;
  int near = 1;
  std::optional<shm::SliceHeap> slice;
};

} // namespace zrt::shmem

#endif // ZRT_PLUGINS_SHMEM_SYMMETRICMEMORY_H
