//===- Cursor.cpp - Elements at the indices of a region here --------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One number per index stands for it in plans and loops of this layer. Dense
// regions count all that a processor owns, sparse ones what is stored:
//
//     [1..4, 1..4] on the second of two processors     slots 0..7
//     its pattern of the last essay                    slots 0..4
//
// A cursor makes addresses of them. In a sparse array the slot is the position.
// In a dense one the row's address is computed once per row, and from there it
// is an offset per column; of scattered domains by places, else by positions.
//
//===----------------------------------------------------------------------===//

#include "Sparse/Cursor.h"

#include "Collective/Collective.h"
#include "Support/Error.h"

#include <algorithm>

namespace zrt {

OwnIndices::OwnIndices(const IndexOwners &owners, const zrt_region &region)
    : owners(owners) {
  if (region.is_sparse) {
    pattern = sharedPattern(region.pattern);
    return;
  }
  for (int d = 0; d < owners.rank; ++d) {
    along[d] = owners.ownOf(d, seqOf(region.dim[d]));
    total *= static_cast<int64_t>(along[d].size());
  }
}

void OwnIndices::indexAt(int64_t slot, int64_t *index) const {
  if (pattern)
    return pattern->indexAt(slot, index);
  for (int d = owners.rank - 1; d >= 0; --d) {
    auto extent = static_cast<int64_t>(along[d].size());
    index[d] = along[d][static_cast<size_t>(slot % extent)];
    slot /= extent;
  }
}

int64_t OwnIndices::slotOf(const int64_t *index) const {
  int64_t slot = 0;
  for (int d = 0; d < owners.rank; ++d) {
    const std::vector<int32_t> &list = along[d];
    auto found = std::lower_bound(list.begin(), list.end(), index[d]);
    // Mostly a range.
    if (!list.empty() && index[d] >= list.front() && index[d] <= list.back() &&
        list.back() - list.front() + 1 == static_cast<int64_t>(list.size()))
      found = list.begin() + (index[d] - list.front());
    if (found == list.end() || *found != index[d])
      return -1;
    slot = slot * static_cast<int64_t>(list.size()) + (found - list.begin());
  }
  return slot;
}

Cursor::Cursor(const OwnIndices &indices, const zrt_array &array)
    : indices(indices), isSparse(array.region.is_sparse),
      inPlaces(indices.owners.isScattered()), base(array.origin) {
  int rank = indices.owners.rank;
  for (int d = 0; d < rank; ++d) {
    const zrt_dim &dim = array.region.dim[d];
    dims[d] = {array.pitch[d], dim.align, dim.stride};
    if (inPlaces)
      dims[d].stride = 1;
  }
  last = dims[rank - 1];
  if (isSparse) {
    ZRT_CHECK(hasPattern(array, indices.pattern.get()));
    return;
  }
  if (const Pattern *pattern = indices.pattern.get()) {
    columns = inPlaces ? pattern->column_place : pattern->column;
    return;
  }
  for (int32_t index : indices.along[rank - 1])
    offsets.push_back(offsetOf(rank - 1, index));
}

int64_t Cursor::offsetOf(int d, int64_t index) const {
  const Dim &dim = dims[d];
  if (inPlaces)
    index = indices.owners.placeOf(d, index);
  else if (dim.stride != 1)
    index = (index - dim.align) / dim.stride;
  return index * dim.pitch;
}

void Cursor::goToRow(int64_t slot) {
  int outer = indices.owners.rank - 1;
  int64_t offset = 0;
  if (const Pattern *pattern = indices.pattern.get()) {
    int64_t r = pattern->rowOf(slot);
    for (int d = 0; d < outer; ++d)
      offset += offsetOf(d, pattern->row[d][r]);
    rowBegin = pattern->starts[r];
    rowEnd = pattern->starts[r + 1];
  } else {
    auto extent = static_cast<int64_t>(offsets.size());
    // A column has a row for each slot: divisions would be most of the work.
    int64_t row = extent == 1 ? slot : slot / extent;
    rowBegin = row * extent;
    rowEnd = rowBegin + extent;
    for (int d = outer - 1; d > 0; --d) {
      auto count = static_cast<int64_t>(indices.along[d].size());
      offset += offsetOf(d, indices.along[d][static_cast<size_t>(row % count)]);
      row /= count;
    }
    if (outer > 0)
      offset += offsetOf(0, indices.along[0][static_cast<size_t>(row)]);
  }
  rowBase = reinterpret_cast<char *>(reinterpret_cast<uintptr_t>(base) +
                                     static_cast<uintptr_t>(offset));
}

bool firstOfAll(Transport &transport, const OwnIndices &indices, int64_t slot,
                int64_t *index) {
  constexpr size_t Numbers = ZRT_MAX_RANK + 1;
  auto size = static_cast<size_t>(transport.size());
  std::vector<int64_t> all(size * Numbers);
  int64_t *own = &all[static_cast<size_t>(transport.rank()) * Numbers];
  own[0] = slot >= 0;
  if (slot >= 0)
    indices.indexAt(slot, own + 1);
  std::vector<size_t> offsets;
  for (size_t p = 0; p <= size; ++p)
    offsets.push_back(p * Numbers * sizeof(int64_t));
  allgather(transport, everybody(transport), all.data(), offsets);
  const int64_t *first = nullptr;
  int rank = indices.owners.rank;
  for (size_t p = 0; p < size; ++p) {
    const int64_t *one = &all[p * Numbers];
    if (one[0] && (!first || std::lexicographical_compare(
                                 one + 1, one + 1 + rank, first, first + rank)))
      first = one + 1;
  }
  if (first)
    std::copy(first, first + rank, index);
  return first != nullptr;
}

} // namespace zrt
