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
// Memory holds positions. Over [1..8 by 2, *] the indices 1, 3, 5, 7 have the
// positions 0..3, and the flooded dimension one, with pitch 0:
//
//     stored   0..2, 0..0     own block 1..4, *; index 5 is fluff
//     pitch    8, 0
//
// Where wrapped elements are read (`A@^d`) the storage goes on beyond the
// declared region: of [1..9] by 2 on one processor it holds the positions
// -1..5, where that of index 11 is for a copy of the element at 1 (Transfer).
//
// Borrowing gives the same memory other positions. A over [0..9] at the indices
// of S = [1..9 by 4], shifted by -1, has the elements 0, 4, 8 at positions 0..2
// of the result: its pitch is 4 times that of A. Dimensions of one index may
// have another stride; they get a pitch as any array has it.
//
//===----------------------------------------------------------------------===//

#include "Memory/Array.h"

#include "Memory/StorageShape.h"
#include "Support/Error.h"
#include "Support/Work.h"
#include "Transport/Blocks.h"
#include "Transport/sim/SimTransport.h"

#include <cinttypes>
#include <utility>

namespace zrt {

/// Moves an address by \p bytes, also out of its allocation.
static char *moved(const void *address, int64_t bytes) {
  return reinterpret_cast<char *>(reinterpret_cast<uintptr_t>(address) +
                                  static_cast<uintptr_t>(bytes));
}

/// a * b modulo 2^64: addresses of elements that do not exist may lie anywhere.
static int64_t times(int64_t a, int64_t b) {
  return static_cast<int64_t>(static_cast<uint64_t>(a) *
                              static_cast<uint64_t>(b));
}

static const char *nameOf(const char *name) {
  return name ? name : "(temporary)";
}

static bool floods(const zrt_array &array, int d) {
  return array.region.floods >> d & 1;
}

/// Allocates \p shape and points \p array at it.
static void allocateStorage(Transport &transport, zrt_array &array,
                            const StorageShape &shape, const zrt_loc *loc) {
  size_t bytes = static_cast<size_t>(shape.bytes);
  array.keeper->isWithoutElements = zrt_work_done.without_elements != 0;
  array.storage = array.keeper->isWithoutElements ? sim::commonMemory(bytes)
                                                  : transport.allocate(bytes);
  if (!array.storage)
    fatal(loc, ErrorScope::Local,
          "out of memory: array %s needs %" PRId64 " bytes%s",
          nameOf(array.name), shape.bytes, transport.memoryAdvice().c_str());
  array.bytes = shape.bytes;
  std::copy(shape.pitch, shape.pitch + shape.stored.rank, array.pitch);
  int64_t offset = shape.start;
  for (int d = 0; d < shape.stored.rank; ++d)
    offset -= times(shape.stored.dim[d].lo, shape.pitch[d]);
  array.origin = moved(array.storage, offset);
}

/// The borders of \p spec, copied.
static const zrt_region *copiedBorders(const ArraySpec &spec) {
  if (spec.borderCount == 0)
    return nullptr;
  auto *borders = new zrt_region[static_cast<size_t>(spec.borderCount)];
  std::copy(spec.borders, spec.borders + spec.borderCount, borders);
  return borders;
}

/// The position in the last dimension of the first element that statements
/// compute in each row: stencils leave out the border that they read.
static int64_t firstComputed(const ArraySpec &spec, const Box &declared,
                             const Box &own) {
  int last = spec.region.rank - 1;
  const zrt_dim &dim = spec.region.dim[last];
  bool leavesOut = spec.fluff && !(spec.fluff->wraps >> last & 1);
  int64_t border =
      declared.dim[last].lo + (leavesOut ? spec.fluff->below[last] : 0);
  int64_t from = std::max({own.dim[last].lo, border, dim.lo});
  Seq computed =
      intersect(declared.dim[last], Range{from, declared.dim[last].hi});
  return positionsOf(computed, dim).lo;
}

/// The fluff of \p spec with one position where it asks for steps.
static zrt_fluff roomOf(const ArraySpec &spec) {
  zrt_fluff room = spec.fluff ? *spec.fluff : zrt_fluff();
  for (int d = 0; d < spec.region.rank; ++d) {
    int64_t least = room.steps >> d & 1 ? spec.region.dim[d].stride : 0;
    room.below[d] = std::max(room.below[d], least);
    room.above[d] = std::max(room.above[d], least);
  }
  return room;
}

/// \p declared and what \p room adds beyond it.
static Box withWrapped(Box declared, const zrt_region &region,
                       const zrt_fluff &room) {
  for (int d = 0; d < declared.rank; ++d) {
    Seq &seq = declared.dim[d];
    const zrt_dim &dim = region.dim[d];
    if (room.wraps & ~region.floods & 1 << d && !isEmpty(seq))
      seq = seqOf({seq.lo - room.below[d], seq.hi + room.above[d]}, dim.stride,
                  dim.align);
  }
  return declared;
}

/// All of \p array but its memory.
static void describeArray(zrt_array &array, const ArraySpec &spec,
                          uint64_t id) {
  array = zrt_array();
  array.region = spec.region;
  array.borders = copiedBorders(spec);
  array.border_count = spec.borderCount;
  array.name = spec.name;
  array.type = &spec.type;
  array.id = id;
  array.keeper = new zrt_keeper{roomOf(spec)};
}

/// Makes memory for the positions \p stored; rows begin a cache line at the
/// position \p aligned.
static void storeArray(Transport &transport, zrt_array &array,
                       const Box &stored, int64_t aligned, const zrt_loc *loc) {
  for (int d = 0; d < ZRT_MAX_RANK; ++d)
    array.stored[d] = rangeOf(stored.dim[d]);
  // Also where nothing is stored: all processors decide by it.
  int last = array.region.rank - 1;
  array.pitch[last] = floods(array, last) ? 0 : array.type->size;
  if (isEmpty(stored))
    return;
  StorageShape shape;
  if (!planStorage(stored, array.type->size, aligned, array.region.floods,
                   shape))
    fatal(loc, ErrorScope::Local,
          "out of memory: array %s over %s is larger than all memory",
          nameOf(array.name), toString(array.region).c_str());
  allocateStorage(transport, array, shape, loc);
}

void createPlaced(Transport &transport, zrt_array &array, const ArraySpec &spec,
                  const Box &places, uint64_t id, const zrt_loc *loc) {
  describeArray(array, spec, id);
  array.keeper->room = {};
  storeArray(transport, array, places, places.dim[places.rank - 1].lo, loc);
}

void createArray(Transport &transport, zrt_array &array, const ArraySpec &spec,
                 const Box &own, uint64_t id, const zrt_loc *loc) {
  describeArray(array, spec, id);
  Box declared = declaredHull(array);
  Box stored = storedBox(withWrapped(declared, spec.region, array.keeper->room),
                         own, &array.keeper->room);
  for (int d = 0; d < ZRT_MAX_RANK; ++d)
    stored.dim[d] = positionsOf(stored.dim[d], spec.region.dim[d]);
  storeArray(transport, array, stored, firstComputed(spec, declared, own), loc);
}

void destroyArray(Transport &transport, zrt_array &array) {
  if (array.borrowed) {
    --array.keeper->views;
  } else {
    if (array.storage && !array.keeper->isWithoutElements)
      transport.release(array.storage, static_cast<size_t>(array.bytes));
    delete array.keeper;
  }
  delete[] array.borders;
  array = zrt_array();
}

void widenArray(Transport &transport, zrt_array &array, const zrt_fluff &room,
                const Box &own, const zrt_loc *loc) {
  ZRT_CHECK(!array.borrowed && array.keeper->views == 0);
  zrt_array wider;
  int64_t before = std::exchange(zrt_work_done.without_elements,
                                 array.keeper->isWithoutElements);
  createArray(transport, wider,
              {array.region, *array.type, array.name, &room, array.borders,
               array.border_count},
              own, array.id, loc);
  zrt_work_done.without_elements = before;
  wider.planned = array.planned;
  copyElements(wider, array, storedBox(array), IndexMap());
  destroyArray(transport, array);
  array = wider;
}

void lendStorage(zrt_array &view, const zrt_array &array) {
  view.keeper = array.keeper;
  view.borrowed = 1;
  view.planned = 0;
  ++array.keeper->views;
}

void partOfElements(zrt_array &result, const zrt_array &array, void *origin,
                    const zrt_type &type, uint64_t id) {
  result = array;
  result.origin = static_cast<char *>(origin);
  result.borders = copiedBorders({array.region, type, nullptr, nullptr,
                                  array.borders, array.border_count});
  result.type = &type;
  result.id = id;
  lendStorage(result, array);
}

bool mayLendRows(const zrt_array &array, const zrt_region &region) {
  int last = region.rank - 1;
  return floods(array, last) || region.floods >> last & 1 ||
         region.dim[last].stride != 1 || array.pitch[last] == array.type->size;
}

zrt_region floodedAs(const zrt_region &region, const zrt_array &array) {
  zrt_region result = region;
  for (int d = 0; d < region.rank; ++d)
    if (floods(array, d)) {
      result.dim[d] = {0, 0, 1, 0};
      result.floods |= 1 << d;
      result.grids |= array.region.grids & 1 << d;
      result.singletons &= ~(1 << d);
    }
  return result;
}

/// The pitch of dimension \p d in a view of \p array with the distances of
/// \p to. It follows from the regions alone: all views over one have the same.
static int64_t borrowedPitch(const zrt_array &array, int d, const zrt_dim &to) {
  const zrt_dim &from = array.region.dim[d];
  if (to.stride % from.stride == 0)
    return times(array.pitch[d], to.stride / from.stride);
  return d == array.region.rank - 1 ? array.type->size : array.pitch[d];
}

/// Gives dimension \p d of \p result, whose indices are \p stored, the elements
/// that \p array has \p distance further on.
static void borrowDim(zrt_array &result, const zrt_array &array, int d,
                      const Seq &stored, int64_t distance) {
  const zrt_dim &from = array.region.dim[d], &to = result.region.dim[d];
  int64_t first = (stored.lo + distance - from.align) / from.stride;
  Seq positions = positionsOf(stored, to);
  result.stored[d] = rangeOf(positions);
  result.origin =
      moved(result.origin, times(first, array.pitch[d]) -
                               times(positions.lo, result.pitch[d]));
}

void borrowArray(zrt_array &result, const zrt_array &array,
                 const zrt_region &region, const int64_t *direction,
                 uint64_t id) {
  zrt_array borrowed = array;
  borrowed.region = floodedAs(region, array);
  borrowed.borders = nullptr;
  borrowed.border_count = 0;
  borrowed.id = id;
  lendStorage(borrowed, array);
  Box stored = boxOf(borrowed.region);
  for (int d = 0; d < region.rank; ++d)
    if (!floods(array, d)) {
      stored.dim[d] = intersect(stored.dim[d],
                                shift(storedBox(array).dim[d], -direction[d]));
      borrowed.pitch[d] = borrowedPitch(array, d, borrowed.region.dim[d]);
    }
  for (int d = 0; d < region.rank; ++d)
    if (isEmpty(stored))
      borrowed.stored[d] = EmptyRange;
    else if (!floods(array, d))
      borrowDim(borrowed, array, d, stored.dim[d], direction[d]);
  result = borrowed;
}

Box storedBox(const zrt_array &array) {
  Box box;
  box.rank = array.region.rank;
  for (int d = 0; d < box.rank; ++d) {
    Range stored = array.stored[d];
    const zrt_dim &dim = array.region.dim[d];
    if (!isEmpty(stored))
      box.dim[d] = seqOf({stored.lo * dim.stride + dim.align,
                          stored.hi * dim.stride + dim.align},
                         dim.stride, dim.align);
  }
  return box;
}

std::vector<Box> declaredBoxes(const zrt_array &array) {
  std::vector<Box> boxes = {boxOf(array.region)};
  for (int64_t k = 0; k < array.border_count; ++k)
    boxes.push_back(boxOf(array.borders[k]));
  return boxes;
}

Box declaredHull(const zrt_array &array) {
  Box all = emptyBox(array.region.rank);
  for (const Box &box : declaredBoxes(array))
    all = hull(all, box);
  for (int d = 0; d < all.rank; ++d)
    all.dim[d] = seqOf(rangeOf(all.dim[d]), array.region.dim[d].stride,
                       array.region.dim[d].align);
  return all;
}

/// sign * s + offset.
static Seq applied(const Seq &s, int64_t sign, int64_t offset) {
  if (isEmpty(s))
    return EmptySeq;
  return sign > 0 ? shift(s, offset)
                  : Seq{offset - s.hi, offset - s.lo, s.stride};
}

Box applied(const IndexMap &map, const Box &box) {
  Box result = box;
  for (int d = 0; d < box.rank; ++d)
    result.dim[d] = applied(box.dim[d], map.sign[d], map.offset[d]);
  return result;
}

Box reversed(const IndexMap &map, const Box &box) {
  Box result = box;
  for (int d = 0; d < box.rank; ++d)
    result.dim[d] =
        applied(box.dim[d], map.sign[d], -map.sign[d] * map.offset[d]);
  return result;
}

/// Collects the dimensions of a block, from the innermost out.
class BlockBuilder {
public:
  void add(int64_t count, int64_t stride, bool mayMerge) {
    if (count == 1)
      return;
    if (mayMerge && n > 0 && stride == counts[n - 1] * strides[n - 1]) {
      counts[n - 1] *= count;
      return;
    }
    counts[n] = count;
    strides[n++] = stride;
  }

  MemoryBlock finish(char *base, int64_t elementSize) {
    MemoryBlock block;
    block.base = base;
    block.elementSize = elementSize;
    if (n == 0) {
      counts[n] = 1;
      strides[n++] = elementSize;
    }
    block.rank = n;
    std::reverse_copy(counts, counts + n, block.count);
    std::reverse_copy(strides, strides + n, block.stride);
    return block;
  }

private:
  int64_t counts[ZRT_MAX_RANK], strides[ZRT_MAX_RANK];
  int n = 0;
};

MemoryBlock blockOf(const zrt_array &array, const Box &box, const IndexMap &map,
                    int mergeFrom) {
  ZRT_CHECK(contains(storedBox(array),
                     flooded(applied(map, box), array.region.floods)));
  BlockBuilder builder;
  int64_t offset = 0;
  for (int d = box.rank - 1; d >= 0; --d) {
    const Seq &seq = box.dim[d];
    const zrt_dim &dim = array.region.dim[d];
    int64_t step = 0;
    if (!floods(array, d)) {
      int64_t first = map.sign[d] * seq.lo + map.offset[d];
      offset += times((first - dim.align) / dim.stride, array.pitch[d]);
      step = map.sign[d] * (seq.stride / dim.stride) * array.pitch[d];
    }
    builder.add(size(seq), step, d + 1 >= mergeFrom);
  }
  return builder.finish(moved(array.origin, offset), array.type->size);
}

void copyElements(zrt_array &target, const zrt_array &source, const Box &box,
                  const IndexMap &map) {
  if (!isEmpty(box))
    copyBlock(blockOf(source, box, map), blockOf(target, box));
}

} // namespace zrt
