//===- Fold.h - Reductions over parts of the grid ---------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_COLLECTIVE_FOLD_H
#define ZRT_COLLECTIVE_FOLD_H

#include "Collective/OwnPart.h"

#include <vector>

namespace zrt {

/// zrtA_array_combine of Abi.h. Collective.
void combineArray(const Parallel &parallel, zrt_array &array, int dims,
                  int reduction);

/// zrtA_array_combine_states of Abi.h. Collective.
void combineStates(const Parallel &parallel, zrt_array &array, int dims,
                   zrt_state_combine combine);

/// One of several arrays that are combined.
struct CombinedArray {
  zrt_array *array;
  int reduction;
  zrt_state_combine combine; ///< null: `reduction` counts
};

/// Whether two regions have the same indices, kinds of dimensions and domain.
bool areEqual(const zrt_region &a, const zrt_region &b);

/// zrtA_array_combine_several of Abi.h: at once only if \p isJoint, the same on
/// all processors, says that all are over equal regions. Collective.
void combineArrays(const Parallel &parallel,
                   const std::vector<CombinedArray> &arrays, int dims,
                   bool isJoint);

/// zrtA_array_fold: `result` gets the folds along its flooded dimensions.
void foldArray(const Parallel &parallel, zrt_array &result,
               const zrt_array &source, const zrt_region &from, int reduction,
               const zrt_mask &mask);

/// zrtA_fold: the fold of all elements, on all processors, to \p result.
void foldAll(const Parallel &parallel, void *result, const zrt_array &source,
             const zrt_region &from, int reduction, const zrt_mask &mask);

} // namespace zrt

#endif // ZRT_COLLECTIVE_FOLD_H
