//===- MachineCache.h - How large the caches are ----------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_LIB_MACHINE_MACHINECACHE_H
#define ZRT_LIB_MACHINE_MACHINECACHE_H

#include <cstdint>

namespace zrt {

/// zrtA_stream_bytes of Abi.h, of a run on \p processors: those on this machine
/// share its caches.
int64_t streamBytes(int processors);

/// zrtA_time_steps of Abi.h, of a run on one processor.
int64_t timeSteps(int64_t rows, int64_t rowBytes, int64_t inFlight,
                  int64_t lag);

} // namespace zrt

#endif // ZRT_LIB_MACHINE_MACHINECACHE_H
