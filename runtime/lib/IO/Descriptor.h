//===- Descriptor.h - Whole reads and writes --------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_IO_DESCRIPTOR_H
#define ZRT_IO_DESCRIPTOR_H

#include <cstddef>
#include <cstdint>

namespace zrt {

/// Writes all \p bytes bytes at the descriptor's position, or at \p offset
/// without moving it; waits where the descriptor does not block. 0, or what
/// errno says of the failure.
int writeFully(int descriptor, const char *data, size_t bytes);
int writeFullyAt(int descriptor, const char *data, size_t bytes,
                 int64_t offset);

/// Has the system begin to bring what was written there to the disk, so that
/// less is left for fsync. A hint.
void beginSync(int descriptor, int64_t offset, size_t bytes);

/// Reads what is there, at most \p bytes, waiting for at least one byte: the
/// number read, 0 at the end, or -errno.
int64_t readSome(int descriptor, char *data, size_t bytes);

/// Reads \p bytes bytes at \p offset without moving the position. 0, errno, or
/// -1 if the file ends before.
int readFullyAt(int descriptor, char *data, size_t bytes, int64_t offset);

} // namespace zrt

#endif // ZRT_IO_DESCRIPTOR_H
