//===- PrivateHeap.cpp - Array memory of one process ----------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Three sizes:
///  - below 128 KiB: the C library's heap, cleared by hand;
///  - from there on: anonymous pages, which the system hands out cleared;
///  - from 2 MiB on: the same, on a boundary of huge pages and marked for
///    them. An array of 1000x1000 doubles then needs four entries of the
///    translation buffer instead of two thousand.
/// The class follows from the size, so nothing is stored per piece. Pages are
/// kept for the next array of the same size within the rule of PieceCache.
///
//===----------------------------------------------------------------------===//

#include "Transport/PrivateHeap.h"

#include "Machine/MachineMemory.h"
#include "Support/Rounding.h"

#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <sys/mman.h>

using namespace zrt;

namespace {

constexpr size_t Alignment = 64;
constexpr size_t MappedFrom = 128 << 10;

/// What all heaps of this process have handed out in pages. The system would
/// hand out more than there is, and kill the process later.
std::atomic<uint64_t> held = 0;

void *mapPages(size_t bytes) {
  void *memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return memory == MAP_FAILED ? nullptr : memory;
}

/// Maps a huge page more than needed and gives back what lies outside the
/// aligned piece.
void *mapHugePages(size_t bytes) {
  char *start = static_cast<char *>(mapPages(bytes + HugePage));
  if (!start)
    return nullptr;
  size_t lead = roundUp(reinterpret_cast<uintptr_t>(start), HugePage) -
                reinterpret_cast<uintptr_t>(start);
  if (lead)
    munmap(start, lead);
  munmap(start + lead + bytes, HugePage - lead);
  madvise(start + lead, bytes, MADV_HUGEPAGE); // Only a wish.
  return start + lead;
}

void unmapPages(Piece piece) { munmap(piece.memory, piece.bytes); }

} // namespace

PrivateHeap::~PrivateHeap() {
  auto unmap = [&](Piece piece) { giveBack(piece); };
  cache.makeRoom(SIZE_MAX, unmap);
  for (const auto &[memory, bytes] : mapped) {
    munmap(memory, bytes);
    held.fetch_sub(bytes, std::memory_order_relaxed);
  }
}

void PrivateHeap::giveBack(Piece piece) {
  mapped.erase(piece.memory);
  unmapPages(piece);
}

void *PrivateHeap::allocate(size_t bytes) {
  bool isCleared = false;
  void *memory = take(bytes, isCleared);
  return memory && !isCleared ? memset(memory, 0, bytes) : memory;
}

void *PrivateHeap::allocateRaw(size_t bytes) {
  bool isCleared = false;
  return take(bytes, isCleared);
}

void *PrivateHeap::take(size_t bytes, bool &isCleared) {
  if (bytes > PTRDIFF_MAX - HugePage)
    return nullptr;
  if (bytes < MappedFrom)
    return aligned_alloc(Alignment, roundUp(bytes ? bytes : 1, Alignment));
  size_t size = roundUp(bytes, PageSize);
  if (!takeMemory(held, size))
    return nullptr;
  if (void *memory = cache.take(size))
    return memory;
  cache.makeRoom(size, [&](Piece piece) { giveBack(piece); });
  void *memory = size >= HugeFrom ? mapHugePages(size) : mapPages(size);
  isCleared = memory != nullptr;
  if (memory) {
    cache.addUsed(size);
    mapped[memory] = size;
  } else {
    held.fetch_sub(size, std::memory_order_relaxed);
  }
  return memory;
}

void PrivateHeap::release(void *memory, size_t bytes) {
  if (bytes < MappedFrom) {
    free(memory);
    return;
  }
  size_t size = roundUp(bytes, PageSize);
  held.fetch_sub(size, std::memory_order_relaxed);
  cache.keep({memory, size});
  cache.trim([&](Piece piece) { giveBack(piece); });
}
