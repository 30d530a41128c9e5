//===- SymmetricMemory.cpp - The memory that PEs write into ---------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// OpenSHMEM writes only into symmetric memory, whose size is fixed before the
/// start, and allocates in it only when all PEs do so together. A processor
/// allocates arrays alone and at any time. So nearly all of the symmetric heap
/// is taken at once, and each PE runs a heap of its own in its copy.
///
/// The size: by default each PE could hold its share of the machine's memory,
/// but for an eighth. Open MPI takes the heap from System V shared memory (or a
/// file in memory), so pages that nobody touches cost nothing. It hangs if
/// there is not so much, therefore the same request is made here first.
///
/// Zeros: OpenSHMEM promises none. Where all PEs are on one machine, the pages
/// are dropped, which costs nothing for untouched ones and makes them zero,
/// and the heap drops them again when arrays are released. Where PEs are on
/// several machines a network adapter may hold the pages; dropping would cut
/// it off, so they are cleared by hand once, and kept.
///
//===----------------------------------------------------------------------===//

#include "SymmetricMemory.h"

#include "Support/Env.h"
#include "Support/Rounding.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <shmem.h>
#include <sys/mman.h>
#include <sys/sysinfo.h>

using namespace zrt;
using namespace zrt::shmem;

namespace {

/// What OpenSHMEM's own heap needs for its records.
constexpr size_t Overhead = 64 << 10;

/// "8G", "1.5g", "4096": bytes, with a factor of 1024 per letter; nothing if
/// \p text is something else.
std::optional<size_t> parseSize(const std::string &text) {
  constexpr const char *Letters = "kmgtp";
  char *end = nullptr;
  double number = strtod(text.c_str(), &end);
  if (end == text.c_str() || !(number > 0))
    return std::nullopt;
  if (*end) {
    const char *letter = strchr(Letters, *end | 0x20);
    if (!letter || end[1])
      return std::nullopt;
    for (auto power = letter - Letters; power >= 0; --power)
      number *= 1024;
  }
  if (number > 1e18)
    return std::nullopt;
  return static_cast<size_t>(number);
}

size_t machineMemory() {
  struct sysinfo machine;
  if (sysinfo(&machine) != 0)
    return size_t(1) << 30;
  return static_cast<size_t>(machine.totalram) * machine.mem_unit;
}

/// Whether the system would share so much memory between processes, and what
/// OpenSHMEM adds to it.
bool systemGives(size_t bytes) {
  bytes += size_t(16) << 20;
  void *memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED)
    return false;
  munmap(memory, bytes);
  return true;
}

int countNeighbours(void *symmetric) {
  int near = 0;
  for (int pe = 0; pe < shmem_n_pes(); ++pe)
    near += shmem_ptr(symmetric, pe) != nullptr;
  return std::max(near, 1);
}

/// The least of the PEs' values. Collective.
long agreeOnLeast(long value) {
  static const int words = SHMEM_REDUCE_MIN_WRKDATA_SIZE;
  auto *memory = static_cast<long *>(
      shmem_calloc(2 + words + SHMEM_REDUCE_SYNC_SIZE, sizeof(long)));
  if (!memory)
    return value;
  long *result = memory + 1, *work = memory + 2, *sync = work + words;
  std::fill_n(sync, SHMEM_REDUCE_SYNC_SIZE, long(SHMEM_SYNC_VALUE));
  *memory = value;
  shmem_barrier_all();
  shmem_long_min_to_all(result, memory, 1, 0, 0, shmem_n_pes(), work, sync);
  value = *result;
  shmem_barrier_all();
  shmem_free(memory);
  return value;
}

} // namespace

size_t zrt::shmem::chooseSymmetricSize(const PluginServices &services,
                                       int neighbours) {
  const std::string variable = envName(EnvVariable::SymmetricSize);
  std::string text = envText(EnvVariable::SymmetricSize);
  if (text.empty()) {
    size_t share = machineMemory() / 8 * 7 / neighbours / PageSize * PageSize;
    while (share > Overhead && !systemGives(share))
      share = share / 2 / PageSize * PageSize;
    return share;
  }
  std::optional<size_t> bytes = parseSize(text);
  if (!bytes)
    services.refuse((variable + " is '" + text +
                     "', which is not a size; sizes are like 8G, 512M or "
                     "1000000")
                        .c_str());
  size_t whole = std::max<size_t>(*bytes, 1 << 20) / PageSize * PageSize;
  if (!systemGives(whole))
    services.refuse((variable + " is '" + text +
                     "', which is more memory than this machine gives")
                        .c_str());
  return whole;
}

void zrt::shmem::setSymmetricSize(size_t bytes) {
  // The standard's name, and that of OpenSHMEM 1.3, which is all that Open MPI
  // 4 knows besides one of its own.
  std::string text = std::to_string(bytes);
  setenv(envName(EnvVariable::SymmetricSize), text.c_str(), 1);
  setenv("SMA_SYMMETRIC_SIZE", text.c_str(), 1);
  unsetenv("SHMEM_SYMMETRIC_HEAP_SIZE");
}

SymmetricMemory::SymmetricMemory(const PluginServices &services, size_t wanted,
                                 size_t fixed)
    : fixed((fixed + HugePage - 1) / HugePage * HugePage) {
  bytes =
      agreeOnLeast(static_cast<long>(wanted - Overhead)) / PageSize * PageSize;
  start = bytes > this->fixed
              ? static_cast<char *>(shmem_align(HugePage, bytes))
              : nullptr;
  if (!start)
    services.fatal(("OpenSHMEM's symmetric heap of " + std::to_string(wanted) +
                    " bytes is too small to start; SHMEM_SYMMETRIC_SIZE sets "
                    "its size")
                       .c_str());
  near = countNeighbours(start);
  bool isOneMachine = near == shmem_n_pes();
  if (!isOneMachine || madvise(start, bytes, MADV_REMOVE) != 0)
    memset(start, 0, bytes);
  slice.emplace(start + this->fixed, heapBytes(), isOneMachine);
  // Nobody writes before all is clear.
  shmem_barrier_all();
}
