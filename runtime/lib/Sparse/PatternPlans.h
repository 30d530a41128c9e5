//===- PatternPlans.h - Plans that are kept ---------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_SPARSE_PATTERNPLANS_H
#define ZRT_SPARSE_PATTERNPLANS_H

#include "Sparse/PatternPlan.h"

namespace zrt {

/// Keeps plans while both patterns are in use. All its decisions are the same
/// on all processors.
class PatternPlans {
public:
  /// The one for these, made if there is none. Collective.
  PatternPlan &find(Transport &transport, const PlanSide &from,
                    const PlanSide &named, const IndexMove &move);
  /// When owners change, and before the transport ends.
  void clear() { plans.clear(); }
  size_t size() const { return plans.size(); }

private:
  struct Known {
    zrt_region from, named;
    IndexMove move;
    PatternPtr patterns[2];
    uint64_t lastUse;
    std::unique_ptr<PatternPlan> plan;
  };
  bool fits(const Known &known, const PlanSide &from, const PlanSide &named,
            const IndexMove &move) const;
  void dropUnused();

  std::vector<Known> plans;
  uint64_t clock = 0;
};

} // namespace zrt

#endif // ZRT_SPARSE_PATTERNPLANS_H
