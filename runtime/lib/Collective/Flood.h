//===- Flood.h - Replication along grid dimensions --------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_COLLECTIVE_FLOOD_H
#define ZRT_COLLECTIVE_FLOOD_H

#include "Collective/OwnPart.h"

namespace zrt {

/// zrtA_array_flood of Abi.h. \p id is unique. Collective.
void floodArray(const Parallel &parallel, zrt_array &result,
                const zrt_array &source, const zrt_region &from, uint64_t id,
                const zrt_loc *loc);

/// zrtA_array_flood_panel of Abi.h. Collective.
void floodPanel(const Parallel &parallel, zrt_array &result,
                const zrt_array &source, const zrt_region &from, int dim,
                int64_t count, uint64_t id, const zrt_loc *loc);

/// The same in two phases. Until the end the result's elements are not there,
/// and those of the source must not change.
class SplitFlood {
public:
  /// Begins. Collective.
  SplitFlood(const Parallel &parallel, zrt_array &result,
             const zrt_array &source, const zrt_region &from, uint64_t id,
             const zrt_loc *loc);
  void end();

private:
  std::unique_ptr<Exchange> exchange; ///< null: nothing moves
};

} // namespace zrt

#endif // ZRT_COLLECTIVE_FLOOD_H
