//===- Bands.h - Rows of a pattern that look alike --------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_SPARSE_BANDS_H
#define ZRT_SPARSE_BANDS_H

#include "Support/LargeList.h"
#include "zrt/AbiTypes.h"

namespace zrt {

/// The first row of each band of a \p pattern of two dimensions, and the number
/// of rows at the end. Empty if bands have few rows on the average.
LargeList<int32_t> bandsOf(const zrt_pattern &pattern);

} // namespace zrt

#endif // ZRT_SPARSE_BANDS_H
