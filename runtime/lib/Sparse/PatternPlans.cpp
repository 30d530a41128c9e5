//===- PatternPlans.cpp - Plans that are kept -----------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A loop fetches the same elements again and again, mostly between the patterns
// of a few regions. Plans are found by both patterns, or the bounds of a dense
// region, and the direction. Before one more is made those go that nobody can
// ask for any more, since no region and no array has one of their patterns, and
// of more than Most the one that was not used for longest.
//
//===----------------------------------------------------------------------===//

#include "Sparse/PatternPlans.h"

#include <algorithm>

namespace zrt {

static constexpr size_t Most = 64;

/// Whether plans cannot tell the two regions from each other.
static bool isAlike(const zrt_region &a, const zrt_region &b) {
  return a.rank == b.rank && a.domain == b.domain &&
         a.is_sparse == b.is_sparse && a.pattern == b.pattern &&
         boxOf(a) == boxOf(b);
}

bool PatternPlans::fits(const Known &known, const PlanSide &from,
                        const PlanSide &named, const IndexMove &move) const {
  return isAlike(known.from, from.region) &&
         isAlike(known.named, named.region) && known.move == move;
}

void PatternPlans::dropUnused() {
  std::map<const Pattern *, long> own; // references from here
  for (const Known &known : plans) {
    for (const PatternPtr &pattern : known.patterns)
      ++own[pattern.get()];
    known.plan->countReferences(own);
  }
  std::erase_if(plans, [&](const Known &known) {
    return std::any_of(std::begin(known.patterns), std::end(known.patterns),
                       [&](const PatternPtr &pattern) {
                         return pattern &&
                                pattern.use_count() <= own[pattern.get()];
                       });
  });
  if (plans.size() < Most)
    return;
  auto oldest = std::min_element(
      plans.begin(), plans.end(),
      [](const Known &a, const Known &b) { return a.lastUse < b.lastUse; });
  plans.erase(oldest);
}

PatternPlan &PatternPlans::find(Transport &transport, const PlanSide &from,
                                const PlanSide &named, const IndexMove &move) {
  ++clock;
  for (Known &known : plans)
    if (fits(known, from, named, move)) {
      known.lastUse = clock;
      return *known.plan;
    }
  dropUnused();
  plans.push_back(
      {from.region,
       named.region,
       move,
       {sharedPattern(from.region.pattern),
        sharedPattern(named.region.pattern)},
       clock,
       std::make_unique<PatternPlan>(transport, from, named, move)});
  return *plans.back().plan;
}

} // namespace zrt
