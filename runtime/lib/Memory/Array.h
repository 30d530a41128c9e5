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

#include <memory>
#include <vector>

/// What an array has in common with the views of its storage.
struct zrt_keeper {
  /// For how much there is room beside the elements, in indices; within the
  /// region, and beyond it in the dimensions of `wraps`.
  zrt_fluff room = {};
  int64_t views = 0; ///< alive
  /// Its elements do not matter, and are where those of others are.
  bool isWithoutElements = false;
  /// Of a sparse array: keeps the pattern alive.
  std::shared_ptr<const zrt_pattern> pattern = nullptr;
};

namespace zrt {

/// What an array is to be.
struct ArraySpec {
  const zrt_region &region;
  const zrt_type &type;
  const char *name = nullptr;
  const zrt_fluff *fluff = nullptr;
  const zrt_region *borders = nullptr; ///< stored beside the region
  int64_t borderCount = 0;
};

/// Fills \p array: zeros over the region and borders of \p spec, of which this
/// processor holds its part: \p own is what it owns of the rank, everything in
/// dimensions that the region floods. Memory comes from \p transport. Ends the
/// run, naming the array and the size, if there is none left. \p id is unique.
void createArray(Transport &transport, zrt_array &array, const ArraySpec &spec,
                 const Box &own, uint64_t id, const zrt_loc *loc);

/// The same of an array of a scattered domain (Grid/Places.h): this processor
/// has the positions \p places, dimension by dimension, and no room beside
/// them. In flooded dimensions 0..0.
void createPlaced(Transport &transport, zrt_array &array, const ArraySpec &spec,
                  const Box &places, uint64_t id, const zrt_loc *loc);

/// Gives the memory back unless it is borrowed, and clears \p array.
void destroyArray(Transport &transport, zrt_array &array);

/// Gives \p array, which has no views, storage with this \p room. Elements keep
/// their values, also those beside the own block. Everything that points at the
/// storage is to be forgotten.
void widenArray(Transport &transport, zrt_array &array, const zrt_fluff &room,
                const Box &own, const zrt_loc *loc);

/// Counts one more view of the storage of \p array, which destroyArray of the
/// view takes back.
void lendStorage(zrt_array &view, const zrt_array &array);

/// Makes \p result an array over \p region with the storage of \p array, its
/// element i being that of i + \p direction there. Where the array is flooded
/// so is the result.
void borrowArray(zrt_array &result, const zrt_array &array,
                 const zrt_region &region, const int64_t *direction,
                 uint64_t id);

/// Makes \p result the array of those parts of the elements of \p array that
/// are of \p type, over the same region and borders; \p origin is the part at
/// the positions (0,...,0).
void partOfElements(zrt_array &result, const zrt_array &array, void *origin,
                    const zrt_type &type, uint64_t id);

/// True if an array over \p region may borrow the storage of \p array. Code for
/// a last dimension of stride 1 may count on elements side by side, which parts
/// of larger ones are not.
bool mayLendRows(const zrt_array &array, const zrt_region &region);

/// \p region, flooded where \p array is.
zrt_region floodedAs(const zrt_region &region, const zrt_array &array);

/// The indices of the elements that are stored here, borders and fluff
/// included; 0 in flooded dimensions.
Box storedBox(const zrt_array &array);

/// The index set over which \p array is stored anywhere: its declared region,
/// then its borders.
std::vector<Box> declaredBoxes(const zrt_array &array);

/// The smallest box with the array's strides that holds all of these.
Box declaredHull(const zrt_array &array);

/// A map of indices, i -> sign[d] * i[d] + offset[d] in each dimension d; signs
/// are 1 and -1.
struct IndexMap {
  int64_t sign[ZRT_MAX_RANK] = {1, 1, 1, 1, 1, 1};
  int64_t offset[ZRT_MAX_RANK] = {};
};

/// What the map makes of \p box.
Box applied(const IndexMap &map, const Box &box);
/// What it makes \p box of.
Box reversed(const IndexMap &map, const Box &box);

/// The memory of the elements at \p map of the indices of \p box, which is not
/// empty, in the order of these; all are stored here, and where the array is
/// flooded every index finds the one element. Dimensions of one index are left
/// out. Dimensions from \p mergeFrom - 1 on are merged with the next one where
/// they are contiguous; partners that store the same extents in the dimensions
/// from mergeFrom on get equal counts.
MemoryBlock blockOf(const zrt_array &array, const Box &box, const IndexMap &map,
                    int mergeFrom = ZRT_MAX_RANK);

/// The memory of the elements of \p box.
inline MemoryBlock blockOf(const zrt_array &array, const Box &box,
                           int mergeFrom = ZRT_MAX_RANK) {
  return blockOf(array, box, IndexMap(), mergeFrom);
}

/// Copies \p source at \p map of \p box to \p target at \p box, both held here
/// and not overlapping in memory.
void copyElements(zrt_array &target, const zrt_array &source, const Box &box,
                  const IndexMap &map);

} // namespace zrt

#endif // ZRT_MEMORY_ARRAY_H
