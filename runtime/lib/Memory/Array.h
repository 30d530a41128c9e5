//===- Array.h - Making, copying and addressing arrays ----------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_MEMORY_ARRAY_H
#define ZRT_MEMORY_ARRAY_H

#include "Layout/Box.h"
#include "Transport/Transport.h"

namespace zrt {

/// Fills \p array: zeros over \p region, of which this processor, that owns
/// \p own of the rank, holds its part. Memory comes from \p transport. Ends the
/// run, naming the array and the size, if there is none left. \p id is unique.
void createArray(Transport &transport, zrt_array &array,
                 const zrt_region &region, const zrt_type &type,
                 const zrt_fluff *fluff, const char *name, const Box &own,
                 uint64_t id, const zrt_loc *loc);

/// Gives the memory back unless it is borrowed, and clears \p array.
void destroyArray(Transport &transport, zrt_array &array);

/// Makes \p result an array over \p region with the storage of \p array, its
/// element i being that of i + \p direction there.
void borrowArray(zrt_array &result, const zrt_array &array,
                 const zrt_region &region, const int64_t *direction,
                 uint64_t id);

inline Box storedBox(const zrt_array &array) {
  return makeBox(array.region.rank, array.stored);
}

/// The memory of the elements of \p box, which is not empty and is stored here.
/// Dimensions of one index are left out. Dimensions from \p mergeFrom - 1 on
/// are merged with the next one where they are contiguous; partners that store
/// the same extents in the dimensions from mergeFrom on get equal counts.
MemoryBlock blockOf(const zrt_array &array, const Box &box, int mergeFrom);

/// Copies \p source at \p box + \p direction to \p target at \p box, both held
/// here and not overlapping in memory.
void copyElements(zrt_array &target, const zrt_array &source, const Box &box,
                  const int64_t *direction);

} // namespace zrt

#endif // ZRT_MEMORY_ARRAY_H
