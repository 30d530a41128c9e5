//===- AbiDomains.cpp - Entries for grids, distributions and domains ------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The C functions of Abi.h over Domains. An assignment
//
//     D <=# Cyc;
//
// opens all domains over D again, and makes each of their arrays anew: with
// what all processors had in mind as sources, and the new owners as targets.
//
//===----------------------------------------------------------------------===//

#include "Entry/Domains/Balance.h"
#include "Entry/Process.h"
#include "Support/Operation.h"

using namespace zrt;

/// The domains \p assign opens get their arrays anew.
template <typename F>
static void redistributeAfter(F assign, bool keeps, const zrt_loc *loc) {
  Process &p = process();
  // Who has what before, of all of them: which are opened is not known yet.
  std::vector<Placement> before;
  for (int32_t number = 1; number <= p.program.domain_count; ++number) {
    zrt_region any = p.domains.regionIn(number);
    before.push_back(p.domains.stateOf(any).fixed ? p.domains.placementOf(any)
                                                  : Placement());
  }
  std::vector<int32_t> opened = assign();
  std::vector<Placement> old;
  for (int32_t number : opened)
    old.push_back(std::move(before[static_cast<size_t>(number - 1)]));
  p.redistribute(opened, old, keeps, loc);
}

extern "C" {

void zrtA_grid_set(int32_t number, const int64_t *extents, const zrt_loc *loc) {
  Process &p = process();
  p.domains.setGrid(number, extents, p.transport->size(), loc);
}

void zrtA_distribution_set(int32_t number, const zrt_rule *rules,
                           const zrt_loc *loc) {
  process().domains.setDistribution(number, rules, loc);
}

void zrtA_grid_assign(int32_t number, int32_t value, int32_t keeps,
                      const zrt_loc *loc) {
  OperationScope scope(OperationKind::Redistribution, loc,
                       process().program.grids[number - 1].name);
  redistributeAfter([&] { return process().domains.assignGrid(number, value); },
                    keeps != 0, loc);
}

void zrtA_distribution_assign(int32_t number, int32_t value, int32_t keeps,
                              const zrt_loc *loc) {
  OperationScope scope(OperationKind::Redistribution, loc,
                       process().program.distributions[number - 1].name);
  redistributeAfter(
      [&] { return process().domains.assignDistribution(number, value); },
      keeps != 0, loc);
}

void zrtA_distribution_balance(int32_t number, const zrt_array *weights,
                               const zrt_region *region, const zrt_mask *mask,
                               const zrt_loc *loc) {
  OperationScope scope(OperationKind::Redistribution, loc,
                       process().program.distributions[number - 1].name);
  std::vector<std::vector<int64_t>> points =
      balancedPoints(number, *weights, *region, mask, loc);
  redistributeAfter(
      [&] { return process().domains.assignCuts(number, points, loc); },
      /*keeps=*/true, loc);
}

int32_t zrtA_grid_extent(int32_t number, int32_t dim) {
  const ProcessGrid &grid = process().domains.grid(number);
  return 1 <= dim && dim <= grid.rank ? grid.extent[dim - 1] : 1;
}

int32_t zrtA_grid_place(int32_t number, int32_t dim) {
  Process &p = process();
  const ProcessGrid &grid = p.domains.grid(number);
  int place[ZRT_MAX_RANK];
  grid.coordinates(p.transport->rank(), place);
  return 1 <= dim && dim <= grid.rank ? place[dim - 1] : 0;
}

const zrt_domain *zrtA_domain_of(int32_t number) {
  return &process().domainAt(-number).domain;
}

void zrtA_places(const zrt_region *region, zrt_domain *places) {
  Process &p = process();
  p.domain(*region);
  Box box = p.domains.placesOf(*region, p.transport->rank());
  for (int d = 0; d < box.rank; ++d)
    places->own[d] = rangeOf(box.dim[d]);
}

const int64_t *zrtA_place_indices(int32_t number, int32_t dim,
                                  const zrt_domain *places) {
  Process &p = process();
  return isEmpty(places->own[dim])
             ? nullptr
             : p.domains.indicesAt(p.domainAt(-number), dim, places->own[dim],
                                   p.transport->rank());
}

void zrtA_array_move(zrt_array *target, const zrt_array *source,
                     const zrt_region *region, const zrt_loc *loc) {
  OperationScope scope(OperationKind::Move, loc,
                       process().domainName(target->region.domain != 0
                                                ? target->region
                                                : source->region));
  if (source->region.is_sparse)
    return zrtA_fetch(target, source, region, nullptr, 0, loc);
  Box box = flooded(boxOf(*region), target->region.floods);
  if (!isEmpty(box))
    process().copyPieces(*target, *source, {{box, {}}});
}

} // extern "C"
