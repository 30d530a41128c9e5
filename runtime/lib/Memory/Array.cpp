//===- Array.cpp - Making, copying and addressing arrays ------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The array descriptor of Abi.h and its memory. For `var A: [1..8, 1..8]
// double` on processor 0 of a 2 x 2 grid, with fluff of one:
//
//     stored   1..5, 1..5     own block 1..4, 1..4 and the fluff, clipped
//     pitch    40, 8          bytes; rows this short are not padded
//     origin   storage + start - 1*40 - 1*8: where element (0, 0) would be
//
// so that generated code addresses element i as origin + sum of i[d]*pitch[d]
// without knowing what is stored. The origin may lie outside of the allocation;
// it is computed as an integer for that reason.
//
//===----------------------------------------------------------------------===//

#include "Memory/Array.h"

#include "Memory/StorageShape.h"
#include "Support/Error.h"
#include "Transport/Blocks.h"

#include <cinttypes>

namespace zrt {

/// Moves an address by \p bytes, also out of its allocation.
static char *moved(const void *address, int64_t bytes) {
  return reinterpret_cast<char *>(reinterpret_cast<uintptr_t>(address) +
                                  static_cast<uintptr_t>(bytes));
}

/// Offset of the element at the low corner of \p box from the origin.
static int64_t offsetOf(const zrt_array &array, const Box &box) {
  uint64_t offset = 0;
  for (int d = 0; d < box.rank; ++d)
    offset += static_cast<uint64_t>(box.dim[d].lo) *
              static_cast<uint64_t>(array.pitch[d]);
  return static_cast<int64_t>(offset);
}

static const char *nameOf(const char *name) {
  return name ? name : "(temporary)";
}

/// Allocates \p shape and points \p array at it.
static void allocateStorage(Transport &transport, zrt_array &array,
                            const StorageShape &shape, const zrt_loc *loc) {
  array.storage = transport.allocate(static_cast<size_t>(shape.bytes));
  if (!array.storage)
    fatal(loc, ErrorScope::Local,
          "out of memory: array %s needs %" PRId64 " bytes", nameOf(array.name),
          shape.bytes);
  array.bytes = shape.bytes;
  std::copy(shape.pitch, shape.pitch + shape.stored.rank, array.pitch);
  array.origin =
      moved(array.storage, shape.start - offsetOf(array, shape.stored));
}

void createArray(Transport &transport, zrt_array &array,
                 const zrt_region &region, const zrt_type &type,
                 const zrt_fluff *fluff, const char *name, const Box &own,
                 uint64_t id, const zrt_loc *loc) {
  array = zrt_array();
  array.region = region;
  array.name = name;
  array.type = &type;
  array.id = id;
  Box stored = storedBox(boxOf(region), own, fluff);
  std::copy(stored.dim, stored.dim + ZRT_MAX_RANK, array.stored);
  if (isEmpty(stored))
    return;
  // The first element that statements compute in each row: stencils leave out
  // the border of the declared region that they read.
  int last = region.rank - 1;
  int64_t border = region.dim[last].lo + (fluff ? fluff->below[last] : 0);
  int64_t aligned = std::max(own.dim[last].lo, border);
  StorageShape shape;
  if (!planStorage(stored, type.size, aligned, shape))
    fatal(loc, ErrorScope::Local,
          "out of memory: array %s over %s is larger than all memory",
          nameOf(name), toString(boxOf(region)).c_str());
  allocateStorage(transport, array, shape, loc);
}

void destroyArray(Transport &transport, zrt_array &array) {
  if (array.storage && !array.borrowed)
    transport.release(array.storage, static_cast<size_t>(array.bytes));
  array = zrt_array();
}

void borrowArray(zrt_array &result, const zrt_array &array,
                 const zrt_region &region, const int64_t *direction,
                 uint64_t id) {
  zrt_array borrowed = array;
  borrowed.region = region;
  borrowed.borrowed = 1;
  borrowed.id = id;
  Box stored = intersect(shift(storedBox(array), direction, -1), boxOf(region));
  if (isEmpty(stored))
    stored = emptyBox(region.rank);
  std::copy(stored.dim, stored.dim + ZRT_MAX_RANK, borrowed.stored);
  int64_t distance = 0;
  for (int d = 0; d < region.rank; ++d)
    distance += direction[d] * array.pitch[d];
  borrowed.origin = moved(array.origin, distance);
  result = borrowed;
}

MemoryBlock blockOf(const zrt_array &array, const Box &box, int mergeFrom) {
  ZRT_CHECK(contains(storedBox(array), box));
  MemoryBlock block;
  block.base = moved(array.origin, offsetOf(array, box));
  block.elementSize = array.type->size;
  // From the innermost dimension out; turned round at the end.
  int64_t count[ZRT_MAX_RANK], stride[ZRT_MAX_RANK];
  int n = 0;
  for (int d = box.rank - 1; d >= 0; --d) {
    int64_t extent = size(box.dim[d]);
    if (extent == 1)
      continue;
    if (n > 0 && d + 1 >= mergeFrom &&
        array.pitch[d] == count[n - 1] * stride[n - 1]) {
      count[n - 1] *= extent;
      continue;
    }
    count[n] = extent;
    stride[n++] = array.pitch[d];
  }
  if (n == 0) {
    count[n] = 1;
    stride[n++] = block.elementSize;
  }
  block.rank = n;
  std::reverse_copy(count, count + n, block.count);
  std::reverse_copy(stride, stride + n, block.stride);
  return block;
}

void copyElements(zrt_array &target, const zrt_array &source, const Box &box,
                  const int64_t *direction) {
  if (isEmpty(box))
    return;
  copyBlock(blockOf(source, shift(box, direction), ZRT_MAX_RANK),
            blockOf(target, box, ZRT_MAX_RANK));
}

} // namespace zrt
