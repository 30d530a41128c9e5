//===- Selection.h - Patterns of boolean arrays -----------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_SPARSE_SELECTION_H
#define ZRT_SPARSE_SELECTION_H

#include "Sparse/Pattern.h"

namespace zrt {

/// The indices of \p value that this processor owns, dense or sparse and then
/// set, where the mask leaves them: its array is dense and declared over all of
/// them, or sparse, or null. Local.
PatternPtr selectedBy(const IndexOwners &owners, const zrt_region &value,
                      const zrt_mask &mask, PatternBuilder builder);

} // namespace zrt

#endif // ZRT_SPARSE_SELECTION_H
