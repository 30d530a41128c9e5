//===- TransferSite.cpp - A declared transfer and its plans ---------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// From boxes to memory, and the cache in front of it. A loop that calls the
// four points again and again with the same region and arrays,
//
//     [R] repeat ... A@north + A@south + A@east + A@west ... until ...
//
// plans once; later DRs compare the bounds, the arrays' ids and the directions
// with those of the current plan (some thirty integers) and go on to the
// transport. A procedure that is called for a few regions in turn finds
// each again: four plans are kept, the one used longest ago goes first. Ids are
// never used twice, so a plan cannot outlive its arrays' storage unnoticed.
//
// Blocks are merged over dimensions that are not distributed only: there all
// processors store the same extents and thus have the same pitches, so both
// sides come to the same counts.
//
//===----------------------------------------------------------------------===//

#include "Transfer/TransferSite.h"

#include "Memory/Array.h"

#include <algorithm>
#include <cstring>

namespace zrt {

/// The first of the trailing dimensions that are not distributed.
static int undistributedFrom(const Distribution &distribution) {
  int d = distribution.grid.rank;
  while (d > 0 && !distribution.distributed(d - 1))
    --d;
  return d;
}

bool TransferSite::Plan::matches(const zrt_region &other,
                                 const zrt_shift *shifts, int64_t count) const {
  if (region.rank != other.rank || region.floods != other.floods ||
      static_cast<int64_t>(ids.size()) != count)
    return false;
  int rank = region.rank;
  if (std::memcmp(region.dim, other.dim, sizeof(zrt_dim) * rank) != 0)
    return false;
  const int64_t *direction = directions.data();
  for (int64_t k = 0; k < count; ++k, direction += rank)
    if (ids[k] != shifts[k].array->id ||
        !std::equal(direction, direction + rank, shifts[k].direction))
      return false;
  return true;
}

TransferSite::Plan *TransferSite::find(const zrt_region &region,
                                       const zrt_shift *shifts, int64_t count) {
  if (current && current->matches(region, shifts, count))
    return current;
  for (const std::unique_ptr<Plan> &plan : plans)
    if (plan->matches(region, shifts, count))
      return plan.get();
  return nullptr;
}

/// The distinct arrays of \p shifts, and the shifts as items over them. Items
/// that never leave their owner, or whose elements have no bytes, are left out.
static std::vector<ShiftItem> itemsOf(const Distribution &distribution,
                                      const zrt_shift *shifts, int64_t count,
                                      std::vector<zrt_array *> &arrays) {
  std::vector<ShiftItem> items;
  for (int64_t k = 0; k < count; ++k) {
    zrt_array *array = shifts[k].array;
    int floods = array->region.floods;
    if (array->type->size == 0 ||
        !distribution.crosses(shifts[k].direction, floods))
      continue;
    auto at = std::find(arrays.begin(), arrays.end(), array);
    if (at == arrays.end())
      at = arrays.insert(at, array);
    ShiftItem item;
    item.array = static_cast<int>(at - arrays.begin());
    item.declared = declaredHull(*array);
    item.floods = floods;
    std::copy(shifts[k].direction, shifts[k].direction + array->region.rank,
              item.direction);
    items.push_back(item);
  }
  return items;
}

std::vector<Pair> pairsOf(const std::vector<PartnerBoxes> &partners,
                          const std::vector<zrt_array *> &arrays,
                          const Distribution &distribution) {
  int mergeFrom = undistributedFrom(distribution);
  auto blocksOf = [&](const std::vector<ArrayBox> &boxes) {
    std::vector<MemoryBlock> blocks;
    for (const ArrayBox &entry : boxes)
      blocks.push_back(blockOf(*arrays[entry.array], entry.box, mergeFrom));
    return blocks;
  };
  std::vector<Pair> pairs;
  for (const PartnerBoxes &boxes : partners)
    pairs.push_back(
        {boxes.partner, blocksOf(boxes.sends), blocksOf(boxes.receives)});
  return pairs;
}

TransferSite::Plan *TransferSite::make(Transport &transport,
                                       const Distribution &distribution,
                                       const zrt_region &region,
                                       const zrt_shift *shifts, int64_t count) {
  if (plans.size() == MaxPlans)
    plans.erase(std::min_element(
        plans.begin(), plans.end(),
        [](const auto &a, const auto &b) { return a->lastUse < b->lastUse; }));
  auto plan = std::make_unique<Plan>();
  plan->region = region;
  for (int64_t k = 0; k < count; ++k) {
    shifts[k].array->planned = 1;
    plan->ids.push_back(shifts[k].array->id);
    plan->directions.insert(plan->directions.end(), shifts[k].direction,
                            shifts[k].direction + region.rank);
  }
  std::vector<zrt_array *> arrays;
  std::vector<ShiftItem> items = itemsOf(distribution, shifts, count, arrays);
  if (!items.empty()) { // on all processors or on none
    std::vector<Pair> pairs = pairsOf(
        planTransfer(distribution, boxOf(region), items, transport.rank()),
        arrays, distribution);
    bool takesPart = !pairs.empty();
    plan->travels = travel(transport, pairs);
    for (const ShiftItem &item : items)
      plan->reach.add(distribution, region, item.floods | region.floods,
                      item.direction);
    plan->exchange = transport.makeExchange(std::move(pairs));
    if (!takesPart)
      plan->exchange.reset();
  }
  plans.push_back(std::move(plan));
  return plans.back().get();
}

void TransferSite::destinationReady(Transport &transport,
                                    const Distribution &distribution,
                                    const zrt_region &region,
                                    const zrt_shift *shifts, int64_t count) {
  current = find(region, shifts, count);
  if (!current)
    current = make(transport, distribution, region, shifts, count);
  current->lastUse = ++uses;
  if (current->exchange)
    current->exchange->destinationReady();
}

void TransferSite::dropPlansOf(uint64_t id) {
  auto uses = [id](const std::unique_ptr<Plan> &plan) {
    return std::find(plan->ids.begin(), plan->ids.end(), id) != plan->ids.end();
  };
  if (std::erase_if(plans, uses) > 0)
    current = nullptr;
}

} // namespace zrt
