//===- Remap.h - Gather and scatter -----------------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_REMAP_REMAP_H
#define ZRT_REMAP_REMAP_H

#include "Remap/MapMemory.h"

namespace zrt {

/// zrtA_check_maps of Abi.h: empty, or the message, the same on all processors.
/// Collective.
std::string checkRemap(MapMemory &memory, const RemapDomain &domain,
                       const Remote &remote, const zrt_array &array,
                       const char *what, int64_t sets, const zrt_loc *loc);

/// zrtA_array_gather and zrtA_array_scatter of Abi.h, with maps that have been
/// checked: by schedule, if the maps are known, else in one shot. Collective.
/// A scatter is false, and has done nothing, if the maps name an index that the
/// sparse target does not store; \p missing is the first one.
void gatherArray(MapMemory &memory, const RemapDomain &domain,
                 const Remote &remote, zrt_array &result,
                 const zrt_array &source, const zrt_loc *loc);
bool scatterArray(MapMemory &memory, const RemapDomain &domain,
                  const Remote &remote, zrt_array &target,
                  const zrt_array &source, const Store &store, int64_t *missing,
                  const zrt_loc *loc);

/// The same by maps that are looked at once. Collective.
void gatherOnce(const RemapDomain &domain, const RemappedArray &source,
                zrt_array &result);
void scatterOnce(const RemapDomain &domain, const RemappedArray &target,
                 const zrt_array &source, const Store &store);

} // namespace zrt

#endif // ZRT_REMAP_REMAP_H
