//===- LargeMemory.cpp - Memory of lists that may be large ----------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Small pieces come from malloc. Large ones are mapped by themselves:
//
//   - once a piece is freed the system has it. malloc keeps blocks of some MB
//     after the first of its size, and small ones that come later hold on to
//     their pages
//   - what is not used of it has no memory
//   - a piece that grows keeps its pages, only their addresses change
//   - from 2 MB on it begins at a huge page, and the system is asked for as many
//     of these as it has room for: the first touch of a small page costs as much
//     as a loop over its numbers
//
// Where addresses cannot change, growing copies.
//
//===----------------------------------------------------------------------===//

#include "Support/LargeMemory.h"

#include "Support/Rounding.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <new>
#include <sys/mman.h>

namespace zrt {

static constexpr size_t Large = 256 << 10, Huge = HugePage;
static constexpr size_t Page = 4 << 10;

size_t roundLarge(size_t bytes) {
  return bytes < Large ? bytes : roundUp(bytes, Page);
}

/// Asks for huge pages, which is only a wish. All of a piece has the same wish,
/// or it could not be moved as one.
static void *wish(void *memory, size_t bytes) {
#ifdef MADV_HUGEPAGE
  if (bytes >= Huge)
    madvise(memory, bytes, MADV_HUGEPAGE);
#endif
  return memory;
}

/// Memory of \p bytes, a multiple of pages.
static void *mapLarge(size_t bytes) {
  size_t more = bytes < Huge ? 0 : HugePage;
  void *start = mmap(nullptr, bytes + more, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (start == MAP_FAILED)
    throw std::bad_alloc();
  if (more == 0)
    return start;
  // What is outside of the part that begins at a huge page goes back.
  auto address = reinterpret_cast<uintptr_t>(start);
  size_t lead = roundUp(address, HugePage) - address;
  char *memory = static_cast<char *>(start) + lead;
  if (lead != 0)
    munmap(start, lead);
  if (lead != more)
    munmap(memory + bytes, more - lead);
  return wish(memory, bytes);
}

static void *take(size_t bytes) {
  if (bytes >= Large)
    return mapLarge(bytes);
  void *memory = std::malloc(bytes);
  if (!memory)
    throw std::bad_alloc();
  return memory;
}

static void release(void *memory, size_t bytes) {
  if (bytes < Large)
    std::free(memory);
  else
    munmap(memory, bytes);
}

void *resizeLarge(void *memory, size_t old, size_t bytes) {
#ifdef MREMAP_MAYMOVE
  if (old >= Large && bytes >= Large) {
    // Not to an address of our own: what libraries put in the place of mremap
    // may forget that one.
    void *moved = mremap(memory, old, bytes, MREMAP_MAYMOVE);
    if (moved == MAP_FAILED)
      throw std::bad_alloc();
    return wish(moved, bytes);
  }
#endif
  void *result = bytes == 0 ? nullptr : take(bytes);
  if (result && old != 0)
    std::memcpy(result, memory, std::min(old, bytes));
  release(memory, old);
  return result;
}

} // namespace zrt
