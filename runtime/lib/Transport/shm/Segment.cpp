//===- Segment.cpp - The memory that processors share ---------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The layout, for P processors:
///
///     Control | ProcessorState x P | Channel x P*P | slice x P
///
/// Behind it is a memfd, an unnamed file in memory: it goes away with the last
/// process that maps it, whatever happened, and is not limited by the size of
/// /dev/shm. Only pages that are touched exist, so 1024 processors with a
/// million channels and 64 TiB of slices are reserved in microseconds.
///
/// Reserving: map a stretch of address space that is large enough wherever the
/// system likes, lay the file over it from a boundary of huge pages on, give
/// the rest back. If the address space is limited, halve the slices and try
/// again.
///
//===----------------------------------------------------------------------===//

#include "Transport/shm/Segment.h"

#include <algorithm>
#include <cerrno>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/sysinfo.h>
#include <unistd.h>

using namespace zrt::shm;

namespace {

constexpr size_t SmallestSlice = 16 << 20;

size_t roundUp(size_t bytes, size_t unit) {
  return (bytes + unit - 1) / unit * unit;
}

/// Maps \p file over \p bytes of address space on a boundary of huge pages.
char *mapAligned(int file, size_t bytes) {
  void *stretch = mmap(nullptr, bytes + HugePage, PROT_NONE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (stretch == MAP_FAILED)
    return nullptr;
  char *start = static_cast<char *>(stretch);
  size_t lead = roundUp(reinterpret_cast<uintptr_t>(start), HugePage) -
                reinterpret_cast<uintptr_t>(start);
  char *aligned = start + lead;
  void *mapped = mmap(aligned, bytes, PROT_READ | PROT_WRITE,
                      MAP_SHARED | MAP_NORESERVE | MAP_FIXED, file, 0);
  if (mapped == MAP_FAILED) {
    munmap(start, bytes + HugePage);
    return nullptr;
  }
  if (lead)
    munmap(start, lead);
  munmap(aligned + bytes, HugePage - lead);
  return aligned;
}

/// False if a limit on file sizes forbids \p bytes: growing a file beyond it
/// would raise a signal.
bool fileMayHave(size_t bytes) {
  rlimit limit;
  return getrlimit(RLIMIT_FSIZE, &limit) != 0 || bytes <= limit.rlim_cur;
}

} // namespace

size_t zrt::shm::defaultSliceBytes() {
  struct sysinfo machine;
  size_t memory = 0;
  if (sysinfo(&machine) == 0)
    memory = static_cast<size_t>(machine.totalram) * machine.mem_unit;
  return std::max<size_t>(size_t(64) << 30, roundUp(2 * memory, HugePage));
}

std::shared_ptr<Segment> Segment::create(int processors, size_t sliceBytes) {
  int file = memfd_create("zpl", MFD_CLOEXEC);
  if (file < 0)
    return nullptr;
  std::shared_ptr<Segment> segment(new Segment);
  size_t p = processors;
  segment->count = processors;
  segment->channelOffset =
      roundUp(sizeof(Control) + p * sizeof(ProcessorState), PageSize);
  size_t head =
      roundUp(segment->channelOffset + p * p * sizeof(Channel), HugePage);

  errno = ENOMEM;
  for (size_t each = roundUp(sliceBytes, HugePage); each >= SmallestSlice;
       each = roundUp(each / 2, HugePage)) {
    size_t bytes = head + p * each;
    if (!fileMayHave(bytes) || ftruncate(file, bytes) != 0)
      continue;
    segment->base = mapAligned(file, bytes);
    if (!segment->base)
      continue;
    segment->bytes = bytes;
    segment->slices = segment->base + head;
    segment->perSlice = each;
    break;
  }
  int reason = errno;
  close(file); // The mapping keeps it.
  errno = reason;
  return segment->base ? segment : nullptr;
}

Segment::~Segment() {
  if (base)
    munmap(base, bytes);
}

ProcessorState &Segment::processor(int rank) const {
  return reinterpret_cast<ProcessorState *>(base + sizeof(Control))[rank];
}

Channel &Segment::channel(int from, int to) const {
  // Those that one processor reads lie together.
  size_t index = static_cast<size_t>(to) * count + from;
  return reinterpret_cast<Channel *>(base + channelOffset)[index];
}
