//===- PlacedShifts.h - Shifted arrays of scattered domains -----*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_ENTRY_DOMAINS_PLACEDSHIFTS_H
#define ZRT_ENTRY_DOMAINS_PLACEDSHIFTS_H

#include "Transfer/Copy.h"
#include "Transfer/Views.h"

#include <memory>
#include <vector>

namespace zrt {

/// The copies that shifts over scattered domains make, with the plans that fill
/// them: both stay for the next time. All decisions follow from replicated
/// values, so all processors make and drop the same plans at the same points.
class PlacedShifts {
public:
  /// Makes the results of \p statement, whose elements hold no strings, and
  /// fills them. Collective.
  void run(const ShiftStatement &statement, const zrt_loc *loc);

  /// Forgets the plans that read array \p id, whose storage goes.
  void dropArray(uint64_t id);
  /// Forgets what lies over domain \p number, which is distributed anew.
  void dropDomain(int32_t number);
  /// Everything; nothing is in use.
  void clear();

private:
  /// Storage for copies over one region.
  struct Room {
    zrt_array array;
    int64_t bytes = 0; ///< on all processors
    uint64_t lastUse = 0;
    bool isStale = false; ///< its places are no longer those of the domain
  };
  struct Plan {
    uint64_t source; ///< its id
    zrt_view shift;  ///< without result; the direction is the plan's
    int64_t direction[ZRT_MAX_RANK];
    Room *room;
    Copy copy;
    uint64_t lastUse = 0;
  };

  Plan &planFor(const ShiftStatement &statement, const zrt_view &view,
                const zrt_loc *loc);
  Room &roomFor(const zrt_region &region, const zrt_array &source,
                const zrt_loc *loc);
  void dropPlan(size_t place);
  void dropRoom(size_t place);
  void keepWithinLimits();

  static constexpr size_t MostPlans = 256;
  std::vector<std::unique_ptr<Room>> rooms;
  std::vector<std::unique_ptr<Plan>> plans;
  uint64_t uses = 0;
  int64_t mostInUse = 0; ///< bytes of copies that were in use at one time
};

} // namespace zrt

#endif // ZRT_ENTRY_DOMAINS_PLACEDSHIFTS_H
