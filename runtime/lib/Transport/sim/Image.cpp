//===- Image.cpp - Each processor's copy of the variables -----------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A compiled program keeps `var delta: double` and the descriptors of its arrays
// at fixed addresses, C functions keep `static int calls`, and the runtime keeps
// the pointer to its Process. Processes have a copy of all that each. Processors
// of one process need the same. The ways to that which were thought of:
//
//     a process per processor, run in turns: a change is two system calls and
//         the scheduler of the system, some microseconds
//     the pages of the variables mapped anew: a system call per change, and
//         page faults after it
//     variables of the program as members of a block: no cost, but programs
//         must be compiled for it, and linked C stays as it is
//     all variables copied out and in
//
// So variables stay where they are, and a switch exchanges those that differ.
// Which these are is found, not declared: at each switch all lines of 64 bytes
// that nobody has changed so far are compared with what they were at the start.
// One that differs belongs to each processor from now on, and all others have in
// it what it was at the start, which is what it was for them.
//
//     .data .bss    |.........#.......##...............|    . common   # own
//     processor 0             a       bc                      kept values
//     processor 1             d       ef
//
// Arrays and large variables are on heaps and are not moved. Of jacobi.z some
// 16 KB are compared. A C function with a large static array
// makes every switch compare it.
//
// What of this is not there: variables of shared libraries are common to all
// processors, so `rand()` of linked C continues one sequence for all of them.
//
//===----------------------------------------------------------------------===//

#include "Transport/sim/Image.h"

#include <algorithm>
#include <cstring>
#include <link.h>

using namespace zrt::sim;

/// Adds what of [begin, end) is not in [without, withoutEnd).
static void addRange(std::vector<MemoryRange> &ranges, uintptr_t begin,
                     uintptr_t end, uintptr_t without, uintptr_t withoutEnd) {
  auto add = [&](uintptr_t from, uintptr_t to) {
    if (from < to)
      ranges.push_back({reinterpret_cast<char *>(from), to - from});
  };
  if (without >= end || withoutEnd <= begin)
    return add(begin, end);
  add(begin, without);
  add(withoutEnd, end);
}

/// The first object that the system names is the executable.
static int takeExecutable(dl_phdr_info *info, size_t, void *argument) {
  auto &ranges = *static_cast<std::vector<MemoryRange> *>(argument);
  uintptr_t fixed = 0, fixedEnd = 0; // written by the loader only
  for (int k = 0; k < info->dlpi_phnum; ++k) {
    const auto &header = info->dlpi_phdr[k];
    if (header.p_type != PT_GNU_RELRO)
      continue;
    fixed = info->dlpi_addr + header.p_vaddr;
    fixedEnd = fixed + header.p_memsz;
  }
  for (int k = 0; k < info->dlpi_phnum; ++k) {
    const auto &header = info->dlpi_phdr[k];
    if (header.p_type != PT_LOAD || !(header.p_flags & PF_W))
      continue;
    uintptr_t begin = info->dlpi_addr + header.p_vaddr;
    addRange(ranges, begin, begin + header.p_memsz, fixed, fixedEnd);
  }
  return 1;
}

std::vector<MemoryRange> zrt::sim::executableVariables() {
  std::vector<MemoryRange> ranges;
  dl_iterate_phdr(takeExecutable, &ranges);
  return ranges;
}

Image::Image(const std::vector<MemoryRange> &ranges) {
  for (const MemoryRange &range : ranges)
    all += range.bytes;
  initial.resize(all);
  char *at = initial.data();
  for (const MemoryRange &range : ranges) {
    std::memcpy(at, range.begin, range.bytes);
    common.push_back({range.begin, at, range.bytes});
    at += range.bytes;
  }
}

void Image::addOwn(const Part &part) {
  own += part.bytes;
  if (!changed.empty()) {
    Part &last = changed.back();
    if (last.memory + last.bytes == part.memory) {
      last.bytes += part.bytes;
      return;
    }
  }
  changed.push_back(part);
}

/// Takes the changed lines out of a common part.
void Image::cut(size_t number) {
  Part part = common[number];
  std::vector<Part> rest;
  size_t start = 0; // of what is common
  for (size_t at = 0; at < part.bytes; at += LineBytes) {
    size_t bytes = std::min(LineBytes, part.bytes - at);
    if (std::memcmp(part.memory + at, part.first + at, bytes) == 0)
      continue;
    if (at > start)
      rest.push_back({part.memory + start, part.first + start, at - start});
    addOwn({part.memory + at, part.first + at, bytes});
    start = at + bytes;
  }
  if (start < part.bytes)
    rest.push_back(
        {part.memory + start, part.first + start, part.bytes - start});
  common.erase(common.begin() + static_cast<ptrdiff_t>(number));
  common.insert(common.begin() + static_cast<ptrdiff_t>(number), rest.begin(),
                rest.end());
}

void Image::findChanges() {
  for (size_t k = common.size(); k > 0; --k) {
    const Part &part = common[k - 1];
    if (std::memcmp(part.memory, part.first, part.bytes) != 0)
      cut(k - 1);
  }
}

void Image::save(OwnValues &values) {
  findChanges();
  values.resize(own);
  char *at = values.data();
  for (const Part &part : changed) {
    std::memcpy(at, part.memory, part.bytes);
    at += part.bytes;
  }
}

void Image::load(OwnValues &values) {
  size_t known = values.size();
  const char *at = values.data();
  for (const Part &part : changed) {
    size_t kept = std::min(part.bytes, known);
    std::copy_n(at, kept, part.memory); // no memory, of no values
    std::memcpy(part.memory + kept, part.first + kept, part.bytes - kept);
    at += kept;
    known -= kept;
  }
}
