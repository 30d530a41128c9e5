//===- Scan.h - Prefixes of arrays ------------------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_COLLECTIVE_SCAN_H
#define ZRT_COLLECTIVE_SCAN_H

#include "Collective/OwnPart.h"

namespace zrt {

/// zrtA_array_scan of Abi.h. Collective.
void scanArray(const Parallel &parallel, zrt_array &result,
               const zrt_array &source, const zrt_region &region,
               const zrt_scan &scan, const zrt_array *segment,
               const zrt_mask &mask);

/// zrtA_array_carries of Abi.h. Collective.
void carriesOf(const Parallel &parallel, zrt_array &carries,
               const zrt_array *restarts, const zrt_region &region,
               const zrt_scan &scan);

/// One between its begin and its end. Until then the result is not there, and
/// source, segments and mask must not change.
class SplitScan {
public:
  virtual ~SplitScan() = default;
  virtual void end() = 0;
};

/// Begins a scan. Collective.
std::unique_ptr<SplitScan>
beginScan(const Parallel &parallel, zrt_array &result, const zrt_array &source,
          const zrt_region &region, const zrt_scan &scan,
          const zrt_array *segment, const zrt_mask &mask);

} // namespace zrt

#endif // ZRT_COLLECTIVE_SCAN_H
