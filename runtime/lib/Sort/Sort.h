//===- Sort.h - Elements of arrays in order ---------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_SORT_SORT_H
#define ZRT_SORT_SORT_H

#include "Collective/OwnPart.h"

#include <vector>

namespace zrt {

/// zrtA_array_sort of Abi.h, of arrays that have the indices of \p region.
/// Ends the run if the procedure is found to contradict itself. Collective.
void sortArrays(const Parallel &parallel, const zrt_region &region,
                const std::vector<zrt_array *> &arrays, bool isDescending,
                zrt_before before, const zrt_loc *loc);

/// The same of arrays of rank 1 of which processor p has counts[p] elements,
/// one after the other from the origin on. Collective.
void sortVectors(const Parallel &parallel, const std::vector<int64_t> &counts,
                 const std::vector<zrt_array *> &arrays, bool isDescending,
                 zrt_before before, const zrt_loc *loc);

} // namespace zrt

#endif // ZRT_SORT_SORT_H
