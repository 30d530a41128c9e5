//===- SparseSort.h - Elements of sparse arrays in order --------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_ENTRY_SPARSE_SPARSESORT_H
#define ZRT_ENTRY_SPARSE_SPARSESORT_H

#include "zrt/Abi.h"

#include <vector>

namespace zrt {

/// zrtA_array_sort of arrays with the pattern of the sparse \p region.
/// Collective.
void sortSparse(const zrt_region &region,
                const std::vector<zrt_array *> &arrays, bool isDescending,
                zrt_before before, const zrt_loc *loc);

} // namespace zrt

#endif // ZRT_ENTRY_SPARSE_SPARSESORT_H
