//===- Blocks.h - Copying memory blocks -------------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_TRANSPORT_BLOCKS_H
#define ZRT_TRANSPORT_BLOCKS_H

#include "Transport/Transport.h"

namespace zrt {

/// What several blocks hold, in bytes.
int64_t bytesOf(const std::vector<MemoryBlock> &blocks);

/// Copies the elements of \p from, in row-major order, onto those of \p to.
/// Both hold the same number of elements; their dimensions may have been
/// merged differently. The blocks do not overlap.
void copyBlock(const MemoryBlock &from, const MemoryBlock &to);

/// Copies a block to and from contiguous memory of `bytes()` bytes.
void packBlock(const MemoryBlock &from, char *to);
void unpackBlock(const char *from, const MemoryBlock &to);

} // namespace zrt

#endif // ZRT_TRANSPORT_BLOCKS_H
