//===- TransferPlan.cpp - Who sends what to whom --------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The machine-independent half of Ironman (dissertation 4.4; Choi and Snyder):
// At_New. Processor p computes the part of the covering region R that it owns,
// so for an item A@d it needs
//
//     need(p) = ((own(p) in R) moved by d) within what is stored of A
//
// and gets from q the box need(p) within own(q). Since own ranges partition the
// indices, that holds for any direction, block size and number of processors:
// a direction across three blocks has three partners in that dimension, and an
// empty block neither needs nor sends. Example: [1..8] on 4 processors, A@[3]:
//
//     processor 0 owns 1..2, needs 4..5: 4 from processor 1, 5 from processor 2
//
// Who needs something of q's is found the same way backwards: the owners of
// (own(q) within A) moved by -d, within R. So planning costs time in proportion
// to the partners, not to the processors.
//
// An item may be a box of directions: those of a loop that computes indices
// beside its block (StepGhosts.h) read whatever lies so far from it. What is
// needed is a box again, and what is read where is found by the opposite box.
//
// Regions and arrays with strides are sequences in each dimension instead of
// ranges, which changes nothing: [1..8 by 2] at [2] needs 3, 5, 7, 9. In a
// dimension that A floods R counts as flooded too: every processor gets what it
// needs within its slice of the grid, where the elements are stored as well.
//
// Both sides go through the items in the same order and join boxes of one array
// between the same two processors by the same rule, so their lists agree
// without a message.
//
//===----------------------------------------------------------------------===//

#include "Transfer/TransferPlan.h"

#include <algorithm>
#include <map>

namespace zrt {

namespace {

/// An item with what its planning needs besides.
struct PlannedItem {
  const Distribution &distribution;
  const ShiftItem &item;
  Box region;                        ///< flooded as the array is
  int64_t direction[ZRT_MAX_RANK]{}; ///< 0 there
  int64_t last[ZRT_MAX_RANK]{};      ///< the last one; also 0

  PlannedItem(const Distribution &distribution, const ShiftItem &item,
              const Box &region)
      : distribution(distribution), item(item),
        region(flooded(region, item.floods)) {
    for (int d = 0; d < region.rank; ++d)
      if (!(item.floods >> d & 1)) {
        direction[d] = item.direction[d];
        last[d] = item.direction[d] + item.more[d];
      }
  }

  Box own(int processor) const {
    return distribution.own(processor, item.floods);
  }

  Box need(int processor) const {
    Box computed = intersect(region, own(processor));
    if (isEmpty(computed))
      return emptyBox(region.rank);
    return intersect(between(computed, direction, last, 1), item.declared);
  }

  /// Where what is read of \p elements is read at, anywhere.
  Box readAt(const Box &elements) const {
    return intersect(between(elements, last, direction, -1), region);
  }

private:
  /// \p box, which has an index, moved by \p sign times each direction from
  /// \p first, that of its low ends, to \p last.
  Box between(const Box &box, const int64_t *first, const int64_t *last,
              int sign) const {
    Box result = shift(box, first, sign);
    for (int d = 0; d < box.rank; ++d)
      if (int64_t more = sign * (last[d] - first[d]))
        result.dim[d] = seqOf(Range{result.dim[d].lo, result.dim[d].hi + more});
    return result;
  }
};

} // namespace

/// Joins the boxes of each array; arrays stay in order of first appearance.
static std::vector<ArrayBox> joined(const std::vector<ArrayBox> &list) {
  std::vector<ArrayBox> result;
  std::vector<int> done;
  for (const ArrayBox &first : list) {
    if (std::find(done.begin(), done.end(), first.array) != done.end())
      continue;
    done.push_back(first.array);
    std::vector<Box> boxes;
    for (const ArrayBox &entry : list)
      if (entry.array == first.array)
        boxes.push_back(entry.box);
    joinBoxes(boxes);
    for (const Box &box : boxes)
      result.push_back({first.array, box});
  }
  return result;
}

std::vector<PartnerBoxes> planTransfer(const Distribution &distribution,
                                       const Box &region,
                                       const std::vector<ShiftItem> &items,
                                       int self) {
  std::map<int, PartnerBoxes> partners;
  if (isEmpty(region))
    return {};
  for (const ShiftItem &item : items) {
    PlannedItem planned(distribution, item, region);
    Box own = planned.own(self), needed = planned.need(self);
    for (int owner : distribution.owners(needed, item.floods, self))
      if (owner != self)
        partners[owner].receives.push_back(
            {item.array, intersect(needed, planned.own(owner))});

    Box mine = intersect(item.declared, own);
    if (isEmpty(mine))
      continue;
    Box readAt = planned.readAt(mine);
    for (int reader : distribution.owners(readAt, item.floods, self))
      if (reader != self)
        partners[reader].sends.push_back(
            {item.array, intersect(planned.need(reader), own)});
  }
  std::vector<PartnerBoxes> result;
  for (auto &[partner, boxes] : partners)
    result.push_back({partner, joined(boxes.sends), joined(boxes.receives)});
  return result;
}

} // namespace zrt
