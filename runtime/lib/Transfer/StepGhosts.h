//===- StepGhosts.h - Time steps between processors -------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_TRANSFER_STEPGHOSTS_H
#define ZRT_TRANSFER_STEPGHOSTS_H

#include "Grid/Distribution.h"
#include "Machine/MachineCache.h"
#include "Transfer/Copy.h"
#include "Transport/Transport.h"

#include <vector>

namespace zrt {

/// An execution of a loop with time steps, as zrtA_time_steps gets it.
struct StepLoop {
  const zrt_region &region;
  const zrt_time_loop &loop;
  const zrt_shift *touched;
  int64_t count;

  bool wraps(int d) const { return loop.wraps >> d & 1; }
};

/// An array of the loop, once.
struct StepArray {
  zrt_array *array;
  bool isRead = false;
  zrt_fluff room = {}; ///< beside the own block, in indices
};

/// The arrays, in the order in which the loop touches them, and how far it does
/// beside its block with so many \p steps, in the dimensions that are distributed
/// or wrap.
std::vector<StepArray> stepArrays(const StepLoop &what,
                                  const Distribution &distribution,
                                  int64_t steps);

/// How many iterations a sweep had better take of \p rowBytes per row of the
/// region; the same on all processors if \p caches are.
int64_t stepsBetween(const StepLoop &what, const Distribution &distribution,
                     const Transport &transport, int64_t rowBytes,
                     const Caches &caches);

/// How many iterations a loop takes, and what processors exchange before. All
/// decisions follow from replicated values (TransferSite).
class StepPlan {
public:
  /// For \p steps, for which the arrays have room. Collective.
  StepPlan(Transport &transport, const Distribution &distribution,
           const StepLoop &what, int64_t steps);

  int64_t steps() const { return most; }
  /// Fills what lies beside the own blocks. Collective.
  void exchange();

  /// Whether it is for these arrays and bounds.
  bool matches(const StepLoop &what) const;
  /// Whether it uses the array \p id.
  bool uses(uint64_t id) const;

private:
  int64_t most;
  zrt_region region;
  std::vector<uint64_t> ids;
  Copy ghosts;
};

/// What the zrt_transfer of a loop with time steps points to: the plans of the
/// executions that were the last ones.
class StepGhosts {
public:
  /// Null if there is none.
  StepPlan *find(const StepLoop &what);
  StepPlan &add(StepPlan plan);
  /// Forgets the plans that use the array \p id, whose storage goes.
  void dropPlansOf(uint64_t id);

private:
  static constexpr size_t MaxPlans = 4;
  std::vector<StepPlan> plans; ///< the one added last at the end
};

} // namespace zrt

#endif // ZRT_TRANSFER_STEPGHOSTS_H
