//===- SliceHeap.cpp - The heap of one processor --------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// First fit by address over an ordered map of gaps, which merges neighbours on
/// release. A ZPL program holds tens of arrays, seldom thousands, and frees
/// them mostly in reverse order, so the map stays at a few entries and both
/// operations well under a microsecond.
///
/// Zeroing: a fresh page of the file is zero. Small pieces are cleared when
/// they are released, while they are still in the cache, and keep their
/// pages. Large ones are kept for the next array of their size and cleared
/// then; when they go, their pages are punched out of the file, which returns
/// the memory and makes the next touch see zeros.
///
/// Huge pages: of a file in memory the system makes them by itself only where
/// the administrator says so, but everywhere if it is told to collapse pages
/// (Linux 6.1). That needs one page of each to be there already. So a large
/// piece then has its pages from the start. It takes no longer than touching
/// them (10 ms for 64 MiB), and no memory beyond the piece.
///
//===----------------------------------------------------------------------===//

#include "Transport/shm/SliceHeap.h"

#include "Transport/shm/Segment.h"

#include <cstdint>
#include <cstring>
#include <sys/mman.h>

using namespace zrt;
using namespace zrt::shm;

namespace {

constexpr size_t PagesFrom = 64 << 10;
constexpr size_t LargeFrom = 256 << 10;

size_t alignment(size_t bytes) {
  if (bytes >= SliceHeap::HugeFrom)
    return HugePage;
  return bytes >= PagesFrom ? PageSize : CacheLine;
}

/// Makes huge pages of what lies in \p memory, which is zero, from boundary to
/// boundary. False if the system does not.
bool collapse(char *memory, size_t bytes) {
#ifdef MADV_COLLAPSE
  constexpr int Collapse = MADV_COLLAPSE;
#else
  constexpr int Collapse = 25; // of headers older than the system
#endif
  auto start = reinterpret_cast<uintptr_t>(memory);
  char *first = memory + (roundUp(start, HugePage) - start);
  char *end = memory + bytes - (start + bytes) % HugePage;
  for (char *page = first; page < end; page += HugePage)
    *static_cast<volatile char *>(page) = 0;
  return first < end &&
         madvise(first, static_cast<size_t>(end - first), Collapse) == 0;
}

} // namespace

size_t SliceHeap::footprint(size_t bytes) {
  if (bytes > PTRDIFF_MAX)
    return PTRDIFF_MAX;
  return roundUp(bytes ? bytes : 1, bytes >= PagesFrom ? PageSize : CacheLine);
}

void *SliceHeap::allocate(size_t bytes) {
  size_t length = footprint(bytes);
  if (length < LargeFrom)
    return takeGap(length);
  if (void *memory = cache.take(length))
    return memset(memory, 0, length);
  auto giveBack = [this](Piece piece) { returnPages(piece); };
  cache.makeRoom(length, giveBack);
  void *memory = takeGap(length);
  if (!memory) { // The gaps may be among what is kept.
    cache.makeRoom(SIZE_MAX, giveBack);
    memory = takeGap(length);
  }
  if (memory)
    cache.addUsed(length);
  if (memory && collapses && length >= HugeFrom)
    collapse(static_cast<char *>(memory), length); // Only a wish.
  return memory;
}

bool SliceHeap::makeHugePages() {
  void *memory = takeGap(HugePage);
  collapses = memory && collapse(static_cast<char *>(memory), HugePage);
  if (memory)
    returnPages({memory, HugePage});
  return collapses;
}

void *SliceHeap::takeGap(size_t length) {
  for (auto gap = gaps.begin(); gap != gaps.end(); ++gap) {
    auto [offset, room] = *gap;
    size_t start = roundUp(offset, alignment(length));
    if (room < start - offset || room - (start - offset) < length)
      continue;
    size_t rest = room - (start - offset) - length;
    if (start == offset)
      gaps.erase(gap);
    else
      gap->second = start - offset;
    if (rest)
      gaps[start + length] = rest;
    if (length >= HugeFrom)
      madvise(base + start, length, MADV_HUGEPAGE); // Only a wish.
    return base + start;
  }
  return nullptr;
}

void SliceHeap::release(void *memory, size_t bytes) {
  Piece piece = {memory, footprint(bytes)};
  if (piece.bytes < LargeFrom) {
    memset(memory, 0, piece.bytes);
    addGap(piece);
    return;
  }
  cache.keep(piece);
  cache.trim([this](Piece surplus) { returnPages(surplus); });
}

void SliceHeap::returnPages(Piece piece) {
  // Large pieces consist of whole pages.
  if (!dropsPages || madvise(piece.memory, piece.bytes, MADV_REMOVE) != 0)
    memset(piece.memory, 0, piece.bytes);
  addGap(piece);
}

void SliceHeap::addGap(Piece piece) {
  size_t start = static_cast<char *>(piece.memory) - base;
  size_t length = piece.bytes;
  auto next = gaps.lower_bound(start);
  if (next != gaps.end() && next->first == start + length) {
    length += next->second;
    next = gaps.erase(next);
  }
  if (next != gaps.begin()) {
    auto before = std::prev(next);
    if (before->first + before->second == start) {
      before->second += length;
      return;
    }
  }
  gaps.emplace_hint(next, start, length);
}
