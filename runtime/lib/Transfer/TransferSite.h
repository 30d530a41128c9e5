//===- TransferSite.h - A declared transfer and its plans -------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_TRANSFER_TRANSFERSITE_H
#define ZRT_TRANSFER_TRANSFERSITE_H

#include "Grid/Distribution.h"
#include "Transfer/Pieces.h"
#include "Transfer/TransferPlan.h"
#include "Transfer/Views.h"
#include "Transport/Transport.h"

#include <memory>
#include <vector>

namespace zrt {

/// The memory of what partners exchange, of the arrays with their numbers.
std::vector<Pair> pairsOf(const std::vector<PartnerBoxes> &partners,
                          const std::vector<zrt_array *> &arrays,
                          const Distribution &distribution);

/// What a zrt_transfer points to: the plans made for one place in the program,
/// and the one in use. All decisions follow from replicated values, so all
/// processors make and drop the same plans at the same points, as
/// Transport::makeExchange demands.
class TransferSite {
public:
  /// The place of the last DR, for what is said of its other points.
  const zrt_loc *loc = nullptr;

  /// DR: finds the plan for these arguments, or makes it.
  void destinationReady(Transport &transport, const Distribution &distribution,
                        const zrt_region &region, const zrt_shift *shifts,
                        int64_t count);
  void sourceReady() {
    if (current && current->exchange)
      current->exchange->sourceReady();
  }
  /// DR and SR of a transfer of views: \p plan, null if they are there, has
  /// begun. It stays until SV.
  void beginViews(ViewPlan *plan) { views = plan; }
  void destinationNeeded() {
    if (views)
      views->await();
    else if (current && current->exchange)
      current->exchange->destinationNeeded();
  }
  void sourceVolatile() {
    if (views)
      views->finish();
    else if (current && current->exchange)
      current->exchange->sourceVolatile();
    views = nullptr;
  }

  /// How far it reads beyond this processor's block, if it pays to compute
  /// while that travels; else null.
  const Reach *reach() const {
    if (views)
      return views->reach();
    return current && current->travels ? &current->reach : nullptr;
  }

  /// Forgets the plans that use the array \p id, which is about to be freed.
  void dropPlansOf(uint64_t id);

private:
  struct Plan {
    zrt_region region;
    std::vector<uint64_t> ids;
    std::vector<int64_t> directions;    ///< rank numbers for each shift
    std::unique_ptr<Exchange> exchange; ///< null: nothing to do here
    Reach reach;
    bool travels = false; ///< something is received, and computing helps
    uint64_t lastUse = 0;

    bool matches(const zrt_region &region, const zrt_shift *shifts,
                 int64_t count) const;
  };

  Plan *find(const zrt_region &region, const zrt_shift *shifts, int64_t count);
  Plan *make(Transport &transport, const Distribution &distribution,
             const zrt_region &region, const zrt_shift *shifts, int64_t count);

  static constexpr size_t MaxPlans = 4;
  std::vector<std::unique_ptr<Plan>> plans;
  Plan *current = nullptr;
  ViewPlan *views = nullptr;
  uint64_t uses = 0;
};

} // namespace zrt

#endif // ZRT_TRANSFER_TRANSFERSITE_H
