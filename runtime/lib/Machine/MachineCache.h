//===- MachineCache.h - How large the caches are ----------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_LIB_MACHINE_MACHINECACHE_H
#define ZRT_LIB_MACHINE_MACHINECACHE_H

#include "zrt/Abi.h"

#include <cstdint>

namespace zrt {

/// zrtA_stream_bytes of Abi.h, of a run on \p processors: those on this machine
/// share its caches.
int64_t streamBytes(int processors);

/// What a processor has of the caches, in bytes.
struct Caches {
  int64_t last; ///< its share of the last one
  int64_t own;  ///< that of a core, the last one but one
};

/// Those of this machine, of a run on \p processors.
Caches machineCaches(int processors);

/// How many iterations of \p loop one sweep over \p rows had better execute,
/// which take \p rowBytes each in all arrays together. \p isShared: between
/// processors, where a sweep of several saves exchanges also in the caches.
int64_t timeSteps(int64_t rows, int64_t rowBytes, const zrt_time_loop &loop,
                  const Caches &caches, bool isShared);

/// How many iterations strips of several loops had better execute
/// (zrtA_strip_steps).
int64_t stripSteps(int64_t rowBytes, int64_t rows, const zrt_time_loop &loop,
                   int32_t sweeps, const Caches &caches);

/// How many rows strips of several loops had better have (zrtA_strip_rows): as
/// many as stay in a core's own cache with what is between them, or in the last
/// one; 0: the loops had better run one after the other.
int64_t stripRows(int64_t rowBytes, int64_t rows, int64_t behind,
                  const Caches &caches);

} // namespace zrt

#endif // ZRT_LIB_MACHINE_MACHINECACHE_H
