//===- Addition.h - Indices that a modify adds to a region ------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_SPARSE_ADDITION_H
#define ZRT_SPARSE_ADDITION_H

#include "Sparse/Routing.h"

#include <array>

namespace zrt {

/// What a `modify` has added with values that are the same on all processors.
struct SharedAdditions {
  int64_t count = 0;
  uint64_t digest = 0; ///< of the indices in their order
};

/// What one `modify` has added so far on this processor.
class Addition {
public:
  /// \p region is copied, \p owners kept by reference.
  Addition(const zrt_region &region, const IndexOwners &owners,
           const zrt_loc *loc);

  /// Counts what is replicated, for `shared`.
  void noteShared(const int64_t *index) {
    uint64_t mixed = 0;
    for (int d = 0; d < region.rank; ++d)
      mixed = mixed * 0x9E3779B97F4A7C15 + static_cast<uint64_t>(index[d]);
    shared.digest = shared.digest * 0xD1342543DE82EF95 + mixed;
    ++shared.count;
  }

  /// False if \p index is none of the region's bounds and strides. \p
  /// isReplicated: all processors add it.
  bool add(const int64_t *index, bool isReplicated) {
    if (isFlat) [[likely]]
      return addFlat(index, isReplicated);
    if (isReplicated && !owners.isSurelyOwn(index) &&
        owners.owner(index) != owners.self)
      return isWithin(index);
    return isNumbered ? addNumber(index) : addTuple(index);
  }

  /// The indices that were added on any processor and are this one's.
  /// Collective. Nothing is added afterwards.
  PatternPtr finish(Transport &transport, PatternBuilder builder);

  const zrt_region region;
  const zrt_loc *const loc; ///< of the modify
  SharedAdditions shared;   ///< none yet

private:
  using Numbers = LargeList<uint64_t>;
  using Tuple = std::array<int32_t, ZRT_MAX_RANK>;
  /// One dimension of the bounds, whose indices are counted.
  struct Dim {
    int64_t lo = 0;
    uint64_t extent = 0;
    int64_t stride = 1;
  };

  /// The count of \p index in dimension \p d; too large outside of the bounds.
  uint64_t countOf(int d, int64_t index) const {
    const Dim &dim = dims[d];
    auto distance = static_cast<uint64_t>(index - dim.lo);
    if (dim.stride == 1)
      return distance;
    auto stride = static_cast<uint64_t>(dim.stride);
    return index < dim.lo || distance % stride != 0 ? UINT64_MAX
                                                    : distance / stride;
  }
  bool isWithin(const int64_t *index) const {
    for (int d = 0; d < region.rank; ++d)
      if (countOf(d, index[d]) >= dims[d].extent)
        return false;
    return true;
  }
  bool addNumber(const int64_t *index) {
    uint64_t row = 0;
    int last = region.rank - 1;
    for (int d = 0; d < last; ++d) {
      uint64_t count = countOf(d, index[d]);
      if (count >= dims[d].extent)
        return false;
      row = row * dims[d].extent + count;
    }
    uint64_t column = countOf(last, index[last]);
    if (column >= dims[last].extent)
      return false;
    append(row * dims[last].extent, column);
    return true;
  }
  /// In two dimensions without strides.
  bool addFlat(const int64_t *index, bool isReplicated) {
    auto row = static_cast<uint64_t>(index[0] - dims[0].lo);
    auto column = static_cast<uint64_t>(index[1] - dims[1].lo);
    if (row >= dims[0].extent || column >= dims[1].extent) [[unlikely]]
      return false;
    bool isOther = isReplicated && !owners.isSurelyOwn(index) &&
                   owners.owner(index) != owners.self;
    if (!isOther)
      append(row * dims[1].extent, column);
    return true;
  }
  /// \p row: the number of its first column.
  void append(uint64_t row, uint64_t column) {
    if (numbers.size() == limit) [[unlikely]]
      compact();
    uint64_t number = row + column;
    if (number <= lastNumber && !isNext(row, number))
      return;
    lastRow = row;
    lastNumber = number;
    numbers.push_back(number);
  }
  bool isNext(uint64_t row, uint64_t number);
  bool addTuple(const int64_t *index);
  void compact();
  void sortNumbers();
  void sortRows();
  void mergeRuns();
  template <typename F> void forEachNumber(F &&f) const;
  std::vector<IndexStream> streamsOfNumbers(int processors);
  std::vector<IndexStream> streamsOfTuples(int processors);
  PatternPtr takeNumbers(PatternBuilder builder);

  const IndexOwners &owners;
  Dim dims[ZRT_MAX_RANK];
  bool isNumbered; ///< the bounds have less than 2^63 indices
  bool isFlat;     ///< these, in two dimensions without strides
  Numbers numbers; ///< places in the bounds, row-major
  std::vector<Tuple> tuples;
  bool rowsAscend = true;
  uint64_t lastRow = 0; ///< the number of its first column
  uint64_t lastNumber = 0;
  /// Where numbers are less than the one before, as long as these are few.
  std::vector<size_t> runs;
  static constexpr size_t MostRuns = 32;
  size_t limit = size_t(1) << 24; ///< of numbers, before the next look
};

} // namespace zrt

#endif // ZRT_SPARSE_ADDITION_H
