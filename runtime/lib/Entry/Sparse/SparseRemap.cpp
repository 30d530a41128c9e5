//===- SparseRemap.cpp - Remaps over sparse regions -----------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     [S] B := A#[I, ];      S and so B and I sparse, A dense
//
// A gather or scatter asks little of its covering region: which indices a
// processor has, and where its arrays have them. Over a sparse one it is told
// of a dense region of rank 1, the numbers of the indices, of which a processor
// has consecutive ones, and of vectors over it. These are the sparse arrays'
// own, seen with other descriptors. The index of a dimension becomes a map with
// an array. So all ways of a remap, and its schedules, hold for sparse regions.
//
// Only the order of a scatter's sources is that of the whole region. Where the
// processors' indices do not follow each other in it, each of them gets its
// place from a merge of all, once for a pattern.
//
//===----------------------------------------------------------------------===//

#include "Entry/Sparse/SparseRemap.h"

#include "Entry/Process.h"
#include "IO/Sparse/MergedElements.h"
#include "Sparse/Facts.h"
#include "Sparse/SparseArray.h"

namespace zrt {

/// Of the indices of a dimension.
static const zrt_type &indexType() {
  static constexpr zrt_type type = [] {
    zrt_type result = {};
    result.kind = ZRT_I32;
    result.size = sizeof(int32_t);
    result.name = "integer";
    return result;
  }();
  return type;
}

/// The places of this processor's indices in the whole region.
static std::vector<int64_t> mergedPlaces(Transport &transport,
                                         const zrt_region &region) {
  zrt_array any = {};
  any.region = region;
  any.type = &indexType();
  MergedElements elements(transport, any, /*values=*/false);
  std::vector<int64_t> places;
  MergedSlab slab;
  int64_t place = 0;
  while (elements.next(1 << 14, slab)) {
    auto count = static_cast<size_t>(slab.count);
    slab.owners.resize(count);
    broadcast(transport, slab.owners.data(), count * sizeof(int32_t));
    for (int32_t owner : slab.owners) {
      if (owner == transport.rank())
        places.push_back(place);
      ++place;
    }
  }
  return places;
}

/// Whether the indices of each processor come before those of the next one.
static bool doAscend(Transport &transport, const Pattern &pattern) {
  constexpr size_t Numbers = 2 * ZRT_MAX_RANK + 1;
  auto size = static_cast<size_t>(transport.size()),
       rank = static_cast<size_t>(pattern.rank);
  std::vector<int64_t> all(size * Numbers);
  int64_t *own = &all[static_cast<size_t>(transport.rank()) * Numbers];
  own[0] = pattern.count;
  if (pattern.count > 0) {
    pattern.indexAt(0, own + 1);
    pattern.indexAt(pattern.count - 1, own + 1 + ZRT_MAX_RANK);
  }
  std::vector<size_t> offsets;
  for (size_t p = 0; p <= size; ++p)
    offsets.push_back(p * Numbers * sizeof(int64_t));
  allgather(transport, everybody(transport), all.data(), offsets);
  const int64_t *last = nullptr;
  for (size_t p = 0; p < size; ++p) {
    const int64_t *one = &all[p * Numbers];
    if (one[0] == 0)
      continue;
    if (last && !std::lexicographical_compare(last, last + rank, one + 1,
                                              one + 1 + rank))
      return false;
    last = one + 1 + ZRT_MAX_RANK;
  }
  return true;
}

void SparseRemap::findPlaces() {
  Transport &transport = *process().transport;
  if (!pattern.order) {
    PatternOrder order;
    if (transport.size() > 1 && !doAscend(transport, pattern)) {
      order.ascends = false;
      order.places = mergedPlaces(transport, sparse);
    }
    pattern.order = std::move(order);
  }
  const PatternOrder &order = *pattern.order;
  indices.emplace(NumberedIndices{sparse, order.ascends ? 0 : pattern.id,
                                  order.places.data()});
}

SparseRemap::SparseRemap(const zrt_region &region, const zrt_map *given,
                         int mapCount, const zrt_mask *mask)
    : sparse(region), pattern(*patternOf(region.pattern)),
      maps(given, given + mapCount) {
  Process &p = process();
  findPlaces();
  const std::vector<int64_t> &counts = countsOf(*p.transport, pattern);
  BlockCut &cut = distribution.cut[0];
  cut.parts = p.transport->size();
  cut.points.push_back(-1);
  for (int64_t count : counts)
    cut.points.push_back(cut.points.back() + count);
  cut.bounds = {0, cut.points.back()};
  first = cut.points[static_cast<size_t>(p.transport->rank())] + 1;
  distribution.grid.extent[0] = p.transport->size();
  numbers.rank = 1;
  numbers.dim[0] = {0, cut.points.back(), 1, 0};
  parallel.emplace(Parallel{*p.transport, distribution, p.slices, p.exchanges});
  for (zrt_map &map : maps) {
    if (map.form == ZRT_MAP_SCALAR)
      continue;
    vectors.push_back(std::make_unique<zrt_array>(map.form == ZRT_MAP_INDEX
                                                      ? vectorOfIndices(map.dim)
                                                      : vectorOf(*map.array)));
    map = {ZRT_MAP_ARRAY, 0, 0, vectors.back().get(), 0, 0, 0};
  }
  zrt_mask flags = mask ? *mask : zrt_mask{nullptr, 0};
  if (flags.array) {
    vectors.push_back(std::make_unique<zrt_array>(vectorOf(*flags.array)));
    flags.array = vectors.back().get();
  }
  made.emplace(*parallel, numbers, maps.data(), mapCount, flags);
  made->numbered = &*indices;
}

zrt_array SparseRemap::vectorOf(const zrt_array &array) const {
  zrt_array result = array;
  result.region = numbers;
  std::fill(result.pitch, result.pitch + ZRT_MAX_RANK, 0);
  result.pitch[0] = stepOf(array);
  result.stored[0] =
      pattern.count > 0 ? Range{first, first + pattern.count - 1} : EmptyRange;
  result.origin =
      reinterpret_cast<char *>(reinterpret_cast<uintptr_t>(array.origin) -
                               static_cast<uintptr_t>(first * result.pitch[0]));
  return result;
}

/// The indices in dimension \p dim, by number.
zrt_array SparseRemap::vectorOfIndices(int dim) {
  zrt_array array = {};
  array.region.rank = 1;
  array.type = &indexType();
  array.pitch[0] = sizeof(int32_t);
  // No array has such an id.
  array.id = ~(pattern.id * ZRT_MAX_RANK + static_cast<uint64_t>(dim));
  const int32_t *values = pattern.column;
  if (dim + 1 < pattern.rank) {
    std::vector<int32_t> &list = rowIndices.emplace_back();
    list.reserve(static_cast<size_t>(pattern.count));
    for (int64_t r = 0; r < pattern.rows; ++r)
      list.insert(
          list.end(),
          static_cast<size_t>(pattern.starts[r + 1] - pattern.starts[r]),
          pattern.row[dim][r]);
    values = list.data();
  }
  array.origin = reinterpret_cast<char *>(const_cast<int32_t *>(values));
  return vectorOf(array);
}

} // namespace zrt
