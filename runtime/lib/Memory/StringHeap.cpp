//===- StringHeap.cpp - Memory of strings ---------------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A loop that makes a name, uses it and makes the next one,
//
//     for k := 1 to 100000000 do name := format("frame%04d.png", k); ... end;
//
// fills half a megabyte with names, one behind the other, then looks which of
// them can still be reached, here one, and fills the rest again. Memory is
// divided into lines of 128 bytes, as in the mark-region collectors of
// Blackburn and McKinley (Immix, PLDI 2008): a line is kept if a string that is
// reached lies in it, in part or as a whole.
//
//     live     0 0 1 0 0 0 1 1 0 0      kept by the last collection
//     filled   ---- . ------- .          runs of other lines, from the left
//
// Strings are never moved and hold no pointers, so there is nothing to follow:
// a collection costs what looking for pointers costs, and a bit per line. To
// make a string is an addition and a comparison. A string of more lines than
// there are in a row lies at the end, where memory is added by the MiB.
//
// One long string may be reached from a million elements; it is measured once
// as long as it is among the last few hundred that were marked.
//
//===----------------------------------------------------------------------===//

#include "Memory/StringHeap.h"

#include "Support/Error.h"

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstring>
#include <sys/mman.h>
#include <sys/resource.h>

namespace zrt {

static constexpr size_t MiB = size_t(1) << 20;
/// Strings of more lines do not make shorter ones pass over free lines.
static constexpr size_t ManyLines = 32;
/// The least from one collection to the next: stays in the second cache.
static constexpr size_t LeastPatience = MiB / 2;
static constexpr size_t RecentMarks = 512;

/// How much address space to take: a sixteenth of it where it is limited.
static size_t reservation(size_t most) {
  rlimit limit;
  if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY)
    return most;
  return std::clamp(limit.rlim_cur / 16 / MiB * MiB, MiB, most);
}

StringHeap::StringHeap(size_t start, size_t most, bool isThere, bool isLast)
    : start(start), isOwner(!isThere && isLast), patience(LeastPatience) {
  auto *wanted = reinterpret_cast<char *>(start);
  size_t bytes = reservation(most);
  if (isThere) {
    reserved = bytes;
    return;
  }
  void *memory = mmap(
      wanted, bytes, PROT_NONE,
      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
  if (memory == wanted) {
    reserved = bytes;
    return;
  }
  reason = errno;
  if (memory == MAP_FAILED)
    return;
  munmap(memory, bytes); // a system that takes the address for a wish
  reason = EEXIST;
}

StringHeap::~StringHeap() {
  if (reserved && isOwner)
    munmap(reinterpret_cast<char *>(start), reserved);
}

/// Keeps the last line of all, so that what is taken for a string ends at a 0.
void StringHeap::guard() {
  if (!live.empty())
    live.back() |= uint64_t(1) << 63;
}

/// Adds memory for \p lines lines. Returns the first one.
size_t StringHeap::commit(size_t lines) {
  if (!reserved)
    fatal(nullptr, ErrorScope::Local, "cannot keep strings at address %#zx: %s",
          start,
          reason == EEXIST ? "something else is there" : std::strerror(reason));
  size_t first = committed / LineBytes;
  size_t bytes = lines * LineBytes;
  size_t more = (bytes + LineBytes + MiB - 1) / MiB * MiB;
  if (bytes > reserved || more > reserved - committed ||
      mprotect(reinterpret_cast<char *>(start + committed), more,
               PROT_READ | PROT_WRITE) != 0)
    fatal(nullptr, ErrorScope::Local,
          "out of memory: a string of %zu bytes, beside %zu bytes of others",
          bytes, committed);
  committed += more;
  live.resize(committed / LineBytes / 64, 0);
  guard();
  return first;
}

/// Finds the first run of \p wanted lines and more that are not live, from
/// line \p from on: \p first to \p last, the latter left out.
bool StringHeap::findRun(size_t from, size_t wanted, size_t &first,
                         size_t &last) const {
  size_t lines = committed / LineBytes;
  for (size_t line = from; line < lines;) {
    uint64_t word = ~(live[line / 64] | ((uint64_t(1) << line % 64) - 1));
    if (word == 0) {
      line = line / 64 * 64 + 64;
      continue;
    }
    first = line / 64 * 64 + static_cast<size_t>(std::countr_zero(word));
    last = first;
    while (last < lines) {
      uint64_t taken = live[last / 64] >> last % 64;
      size_t run =
          taken ? static_cast<size_t>(std::countr_zero(taken)) : 64 - last % 64;
      last += run;
      if (taken)
        break;
    }
    if (last - first >= wanted)
      return true;
    line = last;
  }
  return false;
}

char *StringHeap::makeLarge(size_t lines) {
  size_t first, last;
  if (!findRun(std::max(largeLine, nextLine), lines, first, last))
    first = commit(lines);
  for (size_t line = first; line < first + lines; ++line)
    live[line / 64] |= uint64_t(1) << line % 64;
  largeLine = first + lines;
  sinceSweep += lines * LineBytes;
  return reinterpret_cast<char *>(start + first * LineBytes);
}

char *StringHeap::makeSlowly(size_t bytes) {
  size_t lines = (bytes + LineBytes - 1) / LineBytes;
  if (lines > ManyLines)
    return makeLarge(lines);
  size_t first, last;
  if (!findRun(nextLine, lines, first, last)) {
    first = commit(lines);
    last = committed / LineBytes - 1;
  }
  nextLine = last;
  sinceSweep += (last - first) * LineBytes;
  next = reinterpret_cast<char *>(start + first * LineBytes);
  end = reinterpret_cast<char *>(start + last * LineBytes);
  return make(bytes);
}

void StringHeap::startMarks() {
  marked.assign(live.size(), 0);
  recent.assign(RecentMarks, SIZE_MAX);
}

void StringHeap::markString(size_t offset) {
  size_t &known = recent[offset / 8 % RecentMarks];
  if (known == offset)
    return;
  known = offset;
  auto *text = reinterpret_cast<const char *>(start + offset);
  size_t last = (offset + strnlen(text, committed - 1 - offset)) / LineBytes;
  for (size_t line = offset / LineBytes; line <= last; ++line)
    marked[line / 64] |= uint64_t(1) << line % 64;
}

void StringHeap::sweep(size_t looked) {
  live.swap(marked);
  next = end = nullptr;
  nextLine = largeLine = sinceSweep = 0;
  size_t kept = 0;
  for (uint64_t word : live)
    kept += static_cast<size_t>(std::popcount(word));
  guard();
  patience = std::max({LeastPatience, kept * LineBytes, 2 * looked});
}

} // namespace zrt
