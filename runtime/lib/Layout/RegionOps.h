//===- RegionOps.h - Operators on regions -----------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_LAYOUT_REGIONOPS_H
#define ZRT_LAYOUT_REGIONOPS_H

#include "zrt/Abi.h"

namespace zrt {

/// `region by direction`, by the formulas of language 6. Singletons and flooded
/// dimensions are kept.
zrt_region regionBy(const zrt_region &region, const int64_t *direction);

/// `direction of region`.
zrt_region regionOf(const int64_t *direction, const zrt_region &region);

} // namespace zrt

#endif // ZRT_LAYOUT_REGIONOPS_H
