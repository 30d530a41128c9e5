//===- Remap.h - Gather and scatter -----------------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_REMAP_REMAP_H
#define ZRT_REMAP_REMAP_H

#include "Remap/Maps.h"

namespace zrt {

/// zrtA_array_gather and zrtA_array_scatter of Abi.h, with maps that have been
/// checked. \p remote: the distribution of the remapped array's rank.
/// Collective.
void gatherArray(const RemapDomain &domain, const Distribution &remote,
                 zrt_array &result, const zrt_array &source);
void scatterArray(const RemapDomain &domain, const Distribution &remote,
                  zrt_array &target, const zrt_array &source,
                  zrt_combine combine);

} // namespace zrt

#endif // ZRT_REMAP_REMAP_H
