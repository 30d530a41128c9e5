//===- SparseBoundary.h - wrap and reflect of sparse arrays -----*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_ENTRY_SPARSE_SPARSEBOUNDARY_H
#define ZRT_ENTRY_SPARSE_SPARSEBOUNDARY_H

#include "Sparse/Pattern.h"
#include "Transfer/BoundaryCopies.h"

namespace zrt {

/// What the arrays with one pattern store of a border.
struct SparseBorder {
  std::weak_ptr<const Pattern> of;
  Box box;                        ///< the border
  PatternPtr pattern;             ///< its indices
  std::vector<int32_t> positions; ///< these in the arrays
};

/// Fills what the sparse \p array, that of the statement, stores of the border,
/// which lies within its bounds. Collective.
void fillSparseBoundary(zrt_array &array, const BoundaryStatement &statement,
                        const zrt_loc *loc);

} // namespace zrt

#endif // ZRT_ENTRY_SPARSE_SPARSEBOUNDARY_H
