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
/// Pointers into the segment are the same for all, which forked processes get
/// for nothing. Others, such as those that mpiexec has started, get the file
/// through /proc/PID/fd/N of its creator and map it at the creator's address,
/// which was chosen to be free everywhere; the layout stands in Control.
///
//===----------------------------------------------------------------------===//

#include "Transport/shm/Segment.h"

#include <algorithm>
#include <cerrno>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/sysinfo.h>
#include <unistd.h>

using namespace zrt;
using namespace zrt::shm;

namespace {

constexpr size_t SmallestSlice = 16 << 20;

size_t channelOffset(size_t processors) {
  return roundUp(sizeof(Control) + processors * sizeof(ProcessorState),
                 PageSize);
}

/// What lies before the slices.
size_t headBytes(size_t processors) {
  return roundUp(channelOffset(processors) +
                     processors * processors * sizeof(Channel),
                 HugePage);
}

/// Maps \p file over \p bytes at \p address, where nothing may be.
char *mapAt(char *address, int file, size_t bytes) {
  void *mapped =
      mmap(address, bytes, PROT_READ | PROT_WRITE,
           MAP_SHARED | MAP_NORESERVE | MAP_FIXED_NOREPLACE, file, 0);
  if (mapped == MAP_FAILED)
    return nullptr;
  if (mapped == address)
    return address;
  munmap(mapped, bytes); // A system that takes the address for a wish.
  errno = EEXIST;
  return nullptr;
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

/// False, with errno set, if a limit on file sizes forbids \p bytes: growing a
/// file beyond it would raise a signal.
bool fileMayHave(size_t bytes) {
  rlimit limit;
  if (getrlimit(RLIMIT_FSIZE, &limit) != 0 || bytes <= limit.rlim_cur)
    return true;
  errno = EFBIG;
  return false;
}

} // namespace

size_t zrt::shm::defaultSliceBytes() {
  struct sysinfo machine;
  size_t memory = 0;
  if (sysinfo(&machine) == 0)
    memory = static_cast<size_t>(machine.totalram) * machine.mem_unit;
  return std::max<size_t>(size_t(64) << 30, roundUp(2 * memory, HugePage));
}

std::shared_ptr<Segment> Segment::create(int processors, size_t sliceBytes,
                                         int *file) {
  int memory = memfd_create("zpl", MFD_CLOEXEC);
  if (memory < 0)
    return nullptr;
  SegmentLayout layout = {};
  layout.processors = processors;
  layout.isCrowded = processors > usableCores();
  errno = ENOMEM;
  for (size_t each = roundUp(sliceBytes, HugePage);
       each >= SmallestSlice && !layout.base;
       each = roundUp(each / 2, HugePage)) {
    layout.sliceBytes = each;
    layout.bytes = headBytes(processors) + processors * each;
    if (!fileMayHave(layout.bytes) || ftruncate(memory, layout.bytes) != 0)
      continue;
    layout.base = file ? mapAt(reinterpret_cast<char *>(CommonAddress), memory,
                               layout.bytes)
                       : mapAligned(memory, layout.bytes);
  }
  int reason = errno;
  if (file && layout.base)
    *file = memory;
  else
    close(memory); // The mapping keeps it.
  errno = reason;
  if (!layout.base)
    return nullptr;
  std::shared_ptr<Segment> segment(new Segment);
  segment->layOut(layout);
  segment->control().layout = layout;
  return segment;
}

std::shared_ptr<Segment> Segment::open(int file) {
  SegmentLayout layout; // What the file begins with.
  struct stat state;
  ssize_t length = pread(file, &layout, sizeof layout, 0);
  if (length < 0 || fstat(file, &state) != 0)
    return nullptr;
  if (length != sizeof layout || !layout.base ||
      layout.bytes != static_cast<size_t>(state.st_size)) {
    errno = EINVAL;
    return nullptr;
  }
  if (!mapAt(layout.base, file, layout.bytes))
    return nullptr;
  std::shared_ptr<Segment> segment(new Segment);
  segment->layOut(layout);
  return segment;
}

void Segment::layOut(const SegmentLayout &layout) {
  count = layout.processors;
  base = layout.base;
  bytes = layout.bytes;
  channels = base + channelOffset(count);
  slices = base + headBytes(count);
  perSlice = layout.sliceBytes;
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
  return reinterpret_cast<Channel *>(channels)[index];
}
