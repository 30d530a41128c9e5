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
//     need(p) = ((own(p) in R) moved by d) within the declared region of A
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
// Both sides go through the items in the same order and join boxes of one array
// between the same two processors by the same rule, so their lists agree
// without a message.
//
//===----------------------------------------------------------------------===//

#include "Transfer/TransferPlan.h"

#include <algorithm>
#include <map>

namespace zrt {

static Box need(const Distribution &distribution, const Box &region,
                const ShiftItem &item, int processor) {
  Box computed = intersect(distribution.own(processor), region);
  if (isEmpty(computed))
    return emptyBox(region.rank);
  return intersect(shift(computed, item.direction), item.declared);
}

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
  Box own = distribution.own(self);
  for (const ShiftItem &item : items) {
    Box needed = need(distribution, region, item, self);
    for (int owner : distribution.owners(needed))
      if (owner != self)
        partners[owner].receives.push_back(
            {item.array, intersect(needed, distribution.own(owner))});

    Box mine = intersect(own, item.declared);
    if (isEmpty(mine))
      continue;
    Box readAt = intersect(shift(mine, item.direction, -1), region);
    for (int reader : distribution.owners(readAt))
      if (reader != self)
        partners[reader].sends.push_back(
            {item.array,
             intersect(need(distribution, region, item, reader), own)});
  }
  std::vector<PartnerBoxes> result;
  for (auto &[partner, boxes] : partners)
    result.push_back({partner, joined(boxes.sends), joined(boxes.receives)});
  return result;
}

} // namespace zrt
