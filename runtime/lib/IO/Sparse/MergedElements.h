//===- MergedElements.h - Sparse arrays in row-major order ------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_IO_SPARSE_MERGEDELEMENTS_H
#define ZRT_IO_SPARSE_MERGEDELEMENTS_H

#include "Memory/Array.h"
#include "Sparse/Pattern.h"

namespace zrt {

/// Some elements that follow each other in row-major order. Of the lists, one
/// entry per element, processor 0 has all.
struct MergedSlab {
  int64_t count = 0; ///< on all processors
  std::vector<int32_t> owners;
  std::vector<char> lineEnds;   ///< 1: the last one of its line
  std::vector<char> values;     ///< if they were asked for
  std::vector<int32_t> indices; ///< `rank` numbers each
};

/// Brings the elements of a sparse array to processor 0, slab by slab, in
/// row-major order of the whole.
class MergedElements {
public:
  /// Collective. The array has the pattern of its region, which was set. \p
  /// values: the elements come with their indices.
  MergedElements(Transport &transport, const zrt_array &array, bool values);

  /// The next slab, of at most \p most elements; false at the end, on all
  /// processors. Collective.
  bool next(int64_t most, MergedSlab &slab);

  /// The number of elements on all processors.
  int64_t total() const { return all; }

private:
  /// What has come of one processor and is not taken.
  struct Source {
    int64_t waiting = 0; ///< elements that have not been asked for
    std::vector<int32_t> indices;
    std::vector<char> values;
    size_t at = 0, count = 0;
  };
  bool isBefore(const Source &a, const Source &b) const;
  bool isLineEnd(const int32_t *index, const Source *next) const;
  void refill(int processor);
  Source *least();
  void take(Source &source, MergedSlab &slab);
  void merge(int64_t count, MergedSlab &slab);
  void serve();
  void makePiece(int64_t count, std::vector<int32_t> &indices,
                 std::vector<char> &values);

  Transport &transport;
  const zrt_array &array;
  const Pattern &pattern;
  bool withValues;
  int rank, line; ///< lines end where an index before this dimension changes
  int64_t all = 0, done = 0;
  int64_t ownSent = 0, row = 0; ///< own elements in pieces so far
  std::vector<Source> sources;  ///< on processor 0
  Source *upcoming = nullptr;   ///< whose element comes next
};

} // namespace zrt

#endif // ZRT_IO_SPARSE_MERGEDELEMENTS_H
