//===- Followers.cpp - Arrays over region variables -----------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     var R: region<..>;  A: [R] double;
//     R := [1..8];   [west of R] A := 1;   R := [0..9];
//
// A is registered under the address of R when it is made, without an index as
// R has no value yet, with the direction [-1] of its border. Each assignment of
// R finds A there and makes it anew over the new region and the border `west
// of` that. Who owns an index does not change with a region, so what an index
// keeps it keeps on its processor.
//
// Borders come as regions; their directions are read off the bounds, which are
// those of the formulas of language 6 whatever the region is:
//
//     of the dimension l..h    l+d..l-1 is d < 0    h+1..h+d is d > 0
//
// Cost: registering is constant; an assignment costs what making and copying
// its arrays does.
//
//===----------------------------------------------------------------------===//

#include "Memory/Followers.h"

#include "Layout/RegionOps.h"

namespace zrt {

/// The direction d with border = `d of region`.
static std::array<int64_t, ZRT_MAX_RANK> directionOf(const zrt_region &border,
                                                     const zrt_region &region) {
  std::array<int64_t, ZRT_MAX_RANK> direction = {};
  for (int d = 0; d < region.rank; ++d) {
    const zrt_dim &of = border.dim[d], &base = region.dim[d];
    if (of.lo == base.lo && of.hi == base.hi)
      continue;
    direction[d] = of.hi == base.lo - 1 ? of.lo - base.lo : of.hi - base.hi;
  }
  return direction;
}

std::vector<zrt_region> Follower::bordersOf(const zrt_region &region) const {
  std::vector<zrt_region> regions;
  for (const auto &direction : borders)
    regions.push_back(regionOf(direction.data(), region));
  return regions;
}

Follower &Followers::add(zrt_array &array, const void *variable,
                         const ArraySpec &spec, bool hasRegion) {
  Follower made{&array, std::nullopt, {}, hasRegion};
  if (spec.fluff)
    made.fluff = *spec.fluff;
  for (int64_t k = 0; k < spec.borderCount; ++k)
    made.borders.push_back(directionOf(spec.borders[k], spec.region));
  variables[&array] = variable;
  all[variable].push_back(std::move(made));
  return all[variable].back();
}

void Followers::drop(const zrt_array &array) {
  auto known = variables.find(&array);
  if (known == variables.end())
    return;
  auto list = all.find(known->second);
  std::erase_if(list->second, [&](const Follower &follower) {
    return follower.array == &array;
  });
  if (list->second.empty())
    all.erase(list);
  variables.erase(known);
}

const Follower *Followers::find(const zrt_array &array) const {
  auto known = variables.find(&array);
  if (known == variables.end())
    return nullptr;
  for (const Follower &follower : all.find(known->second)->second)
    if (follower.array == &array)
      return &follower;
  return nullptr;
}

zrt_region withoutIndices(const zrt_region &region) {
  zrt_region result = region;
  for (int d = 0; d < region.rank; ++d)
    if (!(region.floods >> d & 1))
      result.dim[d] = {1, 0, 1, 0};
  return result;
}

void copyCommon(zrt_array &target, const zrt_array &source, const Box &own) {
  for (const Box &there : declaredBoxes(target))
    for (const Box &here : declaredBoxes(source)) {
      Box common = intersect(there, here);
      for (int d = 0; d < own.rank; ++d)
        if (!(target.region.floods >> d & 1))
          common.dim[d] = intersect(common.dim[d], rangeOf(own.dim[d]));
      copyElements(target, source, common, IndexMap());
    }
}

} // namespace zrt
