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

/// Makes the panel of zrtA_array_flood_slot, zeroed. Collective.
void makeSlots(const Parallel &parallel, zrt_array &result,
               const zrt_array &source, const zrt_region &from, int dim,
               int64_t count, uint64_t id, const zrt_loc *loc);

/// Brings element \p slot of it. Collective.
void floodSlot(const Parallel &parallel, zrt_array &result,
               const zrt_array &source, const zrt_region &from, int dim,
               int64_t slot);

/// What is left to do when the result is there.
struct FloodMove {
  bool isDistributed = false; ///< the same on all processors: there are moves
  bool isNothing = true;      ///< none in this slice
  Box part;                   ///< of the source, at its owner
  MemoryBlock to;             ///< of the result, on each member
  const Slice *slice = nullptr;
  int root = 0;         ///< the owner's place in it
  size_t mostBytes = 0; ///< of any slice
};

/// The same in two phases. Until the end the result's elements are not there,
/// and those of the source must not change.
class SplitFlood {
public:
  /// Begins. Collective.
  SplitFlood(const Parallel &parallel, zrt_array &result,
             const zrt_array &source, const zrt_region &from, uint64_t id,
             const zrt_loc *loc);
  ~SplitFlood();
  SplitFlood(const SplitFlood &) = delete;
  SplitFlood &operator=(const SplitFlood &) = delete;
  void end();

private:
  const Parallel parallel;
  const zrt_array &source;
  FloodMove move;
  PartExchange *part = nullptr; ///< taken; null: moves whole at the end
};

} // namespace zrt

#endif // ZRT_COLLECTIVE_FLOOD_H
