//===- StorageShape.h - How an array lies in memory -------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_MEMORY_STORAGESHAPE_H
#define ZRT_MEMORY_STORAGESHAPE_H

#include "Layout/Box.h"

namespace zrt {

/// The indices of an array that a processor holds: what it owns and the fluff
/// around it (null: none), within \p declared: region and borders. A processor
/// that owns indices of the rank, but none of the array's, may still hold
/// fluff: it may read the array where the covering region differs from the
/// declared one.
Box storedBox(const Box &declared, const Box &own, const zrt_fluff *fluff);

/// Where the elements of one array lie within its allocation.
struct StorageShape {
  Box stored;                       ///< positions
  int64_t pitch[ZRT_MAX_RANK] = {}; ///< bytes between neighbours
  int64_t start = 0; ///< offset in bytes of the first stored element
  int64_t bytes = 0; ///< size of the allocation; 0 if nothing is stored
};

/// Plans the memory of the positions \p stored. \p aligned is the position of
/// the last dimension that should start a cache line in each row, where rows
/// are padded and elements fit. The pitch of a dimension is a multiple of \p
/// elementSize and depends only on the extents of the dimensions after it; it
/// is 0 in the dimensions of \p floods, which have one position.
/// False if the size does not fit 63 bits.
bool planStorage(const Box &stored, int64_t elementSize, int64_t aligned,
                 int floods, StorageShape &shape);

} // namespace zrt

#endif // ZRT_MEMORY_STORAGESHAPE_H
