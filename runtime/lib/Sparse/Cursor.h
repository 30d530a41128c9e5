//===- Cursor.h - Elements at the indices of a region here ------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_SPARSE_CURSOR_H
#define ZRT_SPARSE_CURSOR_H

#include "Memory/Array.h"
#include "Sparse/Pattern.h"

namespace zrt {

/// The indices of a region that this processor owns, numbered from 0 in
/// row-major order: its *slots*. Of a sparse region these are the positions.
class OwnIndices {
public:
  /// A sparse region has been set. Keeps \p owners by reference.
  OwnIndices(const IndexOwners &owners, const zrt_region &region);

  int64_t count() const { return pattern ? pattern->count : total; }
  /// Writes the index at \p slot.
  void indexAt(int64_t slot, int64_t *index) const;
  /// The slot of an index, all of whose dimensions are own, or -1. Dense only.
  int64_t slotOf(const int64_t *index) const;

  const IndexOwners &owners;
  PatternPtr pattern; ///< null: dense
  /// Dense: those in each dimension.
  std::vector<int32_t> along[ZRT_MAX_RANK];

private:
  int64_t total = 1;
};

/// Walks over the elements that an array has at these, best in order. The array
/// is sparse with the same pattern, or dense and declared over all of them.
class Cursor {
public:
  Cursor(const OwnIndices &indices, const zrt_array &array);

  /// The address of the element at \p slot.
  char *at(int64_t slot) {
    if (isSparse)
      return base + slot * last.pitch;
    if (slot < rowBegin || slot >= rowEnd)
      goToRow(slot);
    return rowBase + columnOffset(slot);
  }

private:
  struct Dim {
    int64_t pitch = 0, align = 0, stride = 1;
  };
  void goToRow(int64_t slot);
  int64_t columnOffset(int64_t slot) const {
    if (!columns)
      return offsets[static_cast<size_t>(slot - rowBegin)];
    int64_t index = columns[slot];
    if (last.stride != 1)
      index = (index - last.align) / last.stride;
    return index * last.pitch;
  }
  int64_t offsetOf(int d, int64_t index) const;

  const OwnIndices &indices;
  bool isSparse, inPlaces;
  char *base, *rowBase = nullptr;
  Dim dims[ZRT_MAX_RANK], last;
  int64_t rowBegin = 0, rowEnd = 0; ///< the slots of the row
  const int32_t *columns = nullptr; ///< over a pattern: indices or places
  std::vector<int64_t> offsets;     ///< else: of the columns
};

/// The least slot of \p indices, of all processors, whose index comes first in
/// row-major order, where \p slot, or -1, is this processor's. Writes the index
/// and returns true, or there is none. Collective.
bool firstOfAll(Transport &transport, const OwnIndices &indices, int64_t slot,
                int64_t *index);

} // namespace zrt

#endif // ZRT_SPARSE_CURSOR_H
