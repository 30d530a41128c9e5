//===- RowRemap.h - Remaps that permute rows --------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_REMAP_BOXES_ROWREMAP_H
#define ZRT_REMAP_BOXES_ROWREMAP_H

#include "Remap/Boxes/ClosedMaps.h"
#include "Remap/Maps.h"

namespace zrt {

/// The maps of `A#[P, Index2]`: one is an array that varies along one dimension
/// of the region only, the others are in closed form along other dimensions.
struct RowMaps {
  int map; ///< the one that is an array
  int dim; ///< along which it varies
  /// All maps, as if the array had the indices of that dimension.
  ClosedMaps closed;
};

/// The maps of a gather from \p source as whole rows, if they are and the rows
/// are long enough to be moved one by one. The same on all processors.
std::optional<RowMaps> rowMaps(const RemapDomain &domain,
                               const zrt_array &source);

/// zrtA_array_gather by rows: who wants rows names each once. Collective.
void gatherRows(const RemapDomain &domain, const RowMaps &maps,
                const Distribution &remote, zrt_array &result,
                const zrt_array &source);

} // namespace zrt

#endif // ZRT_REMAP_BOXES_ROWREMAP_H
