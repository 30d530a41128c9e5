//===- SparseRemap.h - Remaps over sparse regions ---------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_ENTRY_SPARSE_SPARSEREMAP_H
#define ZRT_ENTRY_SPARSE_SPARSEREMAP_H

#include "Remap/Remap.h"
#include "Sparse/Pattern.h"

namespace zrt {

/// What a remap over a sparse region, which was set, works on: the numbers of
/// its indices, and vectors over these.
class SparseRemap {
public:
  /// \p given, and the mask, are over \p region. Collective.
  SparseRemap(const zrt_region &region, const zrt_map *given, int mapCount,
              const zrt_mask *mask);
  SparseRemap(const SparseRemap &) = delete;
  SparseRemap &operator=(const SparseRemap &) = delete;

  const RemapDomain &domain() const { return *made; }
  /// An array with the pattern of the region as a vector, which has its
  /// elements.
  zrt_array vectorOf(const zrt_array &array) const;

private:
  zrt_array vectorOfIndices(int dim);
  void findPlaces();

  const zrt_region sparse;
  const Pattern &pattern;
  zrt_region numbers = {}; ///< 0 .. the number of indices - 1
  int64_t first = 0;       ///< this processor's first one
  Distribution distribution;
  std::optional<Parallel> parallel;
  std::optional<NumberedIndices> indices;
  std::vector<zrt_map> maps;
  std::vector<std::unique_ptr<zrt_array>> vectors; ///< of maps and the mask
  std::vector<std::vector<int32_t>> rowIndices;
  std::optional<RemapDomain> made;
};

} // namespace zrt

#endif // ZRT_ENTRY_SPARSE_SPARSEREMAP_H
