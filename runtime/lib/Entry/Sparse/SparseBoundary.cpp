//===- SparseBoundary.cpp - wrap and reflect of sparse arrays -------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     [east of R] wrap A;      A: [S], S sparse
//
// An array stores some indices of the border; where each of them gets its value
// from need not be stored. So those that are stored make a pattern of their own,
// over which the array is fetched as in any other statement (PatternPlan),
// wrapped into R or mirrored at its edge. What arrives belongs to elements that
// this processor has.
//
// Such patterns are kept as long as the array's, for the next time; the plans
// are among all others.
//
//===----------------------------------------------------------------------===//

#include "Entry/Sparse/SparseBoundary.h"

#include "Entry/Process.h"
#include "Layout/RegionOps.h"
#include "Sparse/Routing.h"
#include "Sparse/SparseArray.h"

namespace zrt {

/// The border that an array with this region stores. Local.
static const SparseBorder &borderOf(const zrt_region &region, const Box &box,
                                    const zrt_loc *loc) {
  std::vector<SparseBorder> &borders = process().sparse.borders;
  for (const SparseBorder &known : borders)
    if (known.box == box && known.of.lock().get() == region.pattern)
      return known;
  std::erase_if(borders, [](const auto &old) { return old.of.expired(); });
  const Pattern &all = *patternOf(region.pattern);
  IndexOwners owners = ownersOf(region);
  SparseBorder border{
      all.weak_from_this(),
      box,
      movedHere(all, nullptr, box, patternBuilder(owners, region, loc)),
      {}};
  forEachCommon(*border.pattern, all, [&](int64_t, int64_t position) {
    border.positions.push_back(static_cast<int32_t>(position));
  });
  return borders.emplace_back(std::move(border));
}

/// From where an index of the border gets its value.
static IndexMove sourcesOf(const BoundaryStatement &statement) {
  const auto &[kind, array, base, direction] = statement;
  IndexMove move;
  move.bounds = boxOf(base);
  move.wraps = kind == BoundaryStatement::Wrap;
  for (int d = 0; d < base.rank && !move.wraps; ++d) {
    const Seq &inside = move.bounds.dim[d];
    if (direction[d] == 0)
      continue;
    move.mirrored |= 1 << d;
    move.direction[d] = direction[d] > 0 ? 2 * inside.hi + inside.stride
                                         : 2 * inside.lo - inside.stride;
  }
  return move;
}

void fillSparseBoundary(zrt_array &array, const BoundaryStatement &statement,
                        const zrt_loc *loc) {
  if (!array.region.pattern || array.type->size == 0)
    return;
  Process &p = process();
  Box box = boxOf(regionOf(statement.direction, statement.base));
  const SparseBorder &border = borderOf(array.region, box, loc);
  auto size = static_cast<size_t>(array.type->size);
  std::vector<char> values(border.positions.size() * size);
  zrt_array part = array;
  part.region.pattern = border.pattern.get();
  part.origin = values.data();
  part.pitch[array.region.rank - 1] = array.type->size;
  const Placement &placement = p.placement(array.region);
  p.sparse.plans
      .find(*p.transport, {placement, part.region}, {placement, array.region},
            sourcesOf(statement))
      .fetch(*p.transport, part, array);
  ElementCopier copy(array.type->size);
  for (size_t k = 0; k < border.positions.size(); ++k)
    copy(array.origin + border.positions[k] * stepOf(array), &values[k * size]);
}

} // namespace zrt
