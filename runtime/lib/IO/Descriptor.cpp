//===- Descriptor.cpp - Whole reads and writes ----------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The system's calls may do a part of what they are asked for, be interrupted,
// or, on a terminal that somebody made non-blocking, do nothing yet:
//
//     write of 1000 bytes    ->   600, EINTR, EAGAIN (poll), 400
//
// Callers see one call. Cost: that of the system's.
//
//===----------------------------------------------------------------------===//

#include "IO/Descriptor.h"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

namespace zrt {

/// The system moves at most 2 GiB in one call.
static constexpr size_t MostPerCall = size_t(1) << 30;

/// Whether to try again after errno.
static bool retry(int descriptor, short event) {
  if (errno == EAGAIN) {
    pollfd ready = {descriptor, event, 0};
    poll(&ready, 1, -1);
    return true;
  }
  return errno == EINTR;
}

int writeFully(int descriptor, const char *data, size_t bytes) {
  while (bytes > 0) {
    ssize_t n = write(descriptor, data, std::min(bytes, MostPerCall));
    if (n < 0 && !retry(descriptor, POLLOUT))
      return errno;
    size_t done = static_cast<size_t>(std::max<ssize_t>(n, 0));
    data += done;
    bytes -= done;
  }
  return 0;
}

int writeFullyAt(int descriptor, const char *data, size_t bytes,
                 int64_t offset) {
  while (bytes > 0) {
    ssize_t n = pwrite(descriptor, data, std::min(bytes, MostPerCall), offset);
    if (n < 0 && !retry(descriptor, POLLOUT))
      return errno;
    size_t done = static_cast<size_t>(std::max<ssize_t>(n, 0));
    data += done;
    offset += static_cast<int64_t>(done);
    bytes -= done;
  }
  return 0;
}

void beginSync([[maybe_unused]] int descriptor, [[maybe_unused]] int64_t offset,
               [[maybe_unused]] size_t bytes) {
#ifdef SYNC_FILE_RANGE_WRITE
  sync_file_range(descriptor, offset, static_cast<int64_t>(bytes),
                  SYNC_FILE_RANGE_WRITE);
#endif
}

int64_t readSome(int descriptor, char *data, size_t bytes) {
  while (true) {
    ssize_t n = ::read(descriptor, data, std::min(bytes, MostPerCall));
    if (n >= 0)
      return n;
    if (!retry(descriptor, POLLIN))
      return -errno;
  }
}

int readFullyAt(int descriptor, char *data, size_t bytes, int64_t offset) {
  while (bytes > 0) {
    ssize_t n = pread(descriptor, data, std::min(bytes, MostPerCall), offset);
    if (n == 0)
      return -1;
    if (n < 0 && !retry(descriptor, POLLIN))
      return errno;
    size_t done = static_cast<size_t>(std::max<ssize_t>(n, 0));
    data += done;
    offset += static_cast<int64_t>(done);
    bytes -= done;
  }
  return 0;
}

} // namespace zrt
