//===- TransferPlanTest.cpp - The plans of transfers fit each other -------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For random grids, boxes with strides, floods and directions, or boxes of
// directions: what each processor sends to another is what that one receives
// from it, in the same order; every element that a processor reads and does not
// own arrives; and nothing arrives that its owner does not have or that the
// array does not store.
//
//===----------------------------------------------------------------------===//

#include "Transfer/TransferPlan.h"
#include "Memory/StorageShape.h"
#include "Random.h"

#include <gtest/gtest.h>

using namespace zrt;

namespace {

struct Case {
  Distribution distribution;
  int processors = 1;
  Box region;
  std::vector<ShiftItem> items;
};

/// The indices that an item reads; 0 in flooded dimensions.
Box movedRegion(const Box &region, const ShiftItem &item) {
  Box moved =
      isEmpty(region) ? emptyBox(region.rank) : shift(region, item.direction);
  for (int d = 0; d < region.rank && !isEmpty(region); ++d)
    if (item.more[d])
      moved.dim[d] =
          seqOf(Range{moved.dim[d].lo, moved.dim[d].hi + item.more[d]});
  return isEmpty(moved) ? moved : flooded(moved, item.floods);
}

Case randomCase(unsigned seed) {
  Random random(seed);
  Case made;
  int rank = static_cast<int>(random(1, 3));
  ProcessGrid grid;
  grid.rank = rank;
  for (int d = 0; d < rank; ++d)
    grid.extent[d] = static_cast<int>(random(1, 4));
  made.processors = grid.size();
  Box bounds = emptyBox(rank);
  made.region = emptyBox(rank);
  int64_t most = rank == 3 ? 5 : 10;
  for (int d = 0; d < rank; ++d) {
    bounds.dim[d] = {random(-2, 2), random(-1, most)};
    made.region.dim[d] =
        seqOf({random(-1, 3), random(0, most)},
              std::max<int64_t>(random(-3, 4), 1), random(0, 3));
  }
  if (isEmpty(bounds))
    bounds = emptyBox(rank);
  made.distribution = Distribution(grid, bounds);
  int floods[] = {0, 0};
  for (int &mask : floods)
    if (random(0, 1))
      mask = static_cast<int>(random(0, (1 << rank) - 1));
  for (int64_t k = random(1, 4); k > 0; --k) {
    ShiftItem item;
    item.array = static_cast<int>(random(0, 1));
    item.floods = floods[item.array];
    bool isBox = random(0, 1);
    for (int d = 0; d < rank; ++d) {
      item.direction[d] = random(-4, 4);
      if (isBox && made.region.dim[d].stride == 1)
        item.more[d] = random(0, 3);
    }
    item.declared = flooded(movedRegion(made.region, item), item.floods);
    made.items.push_back(item);
  }
  // items of one array have one declared region
  for (ShiftItem &item : made.items)
    for (const ShiftItem &other : made.items)
      if (item.array == other.array)
        item.declared = hull(item.declared, other.declared);
  return made;
}

std::string textOf(const std::vector<ArrayBox> &boxes) {
  std::string text;
  for (const ArrayBox &entry : boxes)
    text += std::to_string(entry.array) + toString(entry.box) + " ";
  return text;
}

/// The partner's part of a plan, or an empty one.
PartnerBoxes with(const std::vector<PartnerBoxes> &plan, int partner) {
  for (const PartnerBoxes &boxes : plan)
    if (boxes.partner == partner)
      return boxes;
  return {partner, {}, {}};
}

bool within(const std::vector<ArrayBox> &boxes, int array,
            const int64_t *index) {
  for (const ArrayBox &entry : boxes) {
    bool inside = entry.array == array;
    for (int d = 0; d < entry.box.rank; ++d)
      inside &= contains(entry.box.dim[d], index[d]);
    if (inside)
      return true;
  }
  return false;
}

template <typename Body> void forIndices(const Box &box, Body body) {
  if (isEmpty(box))
    return;
  int64_t index[ZRT_MAX_RANK];
  for (int d = 0; d < box.rank; ++d)
    index[d] = box.dim[d].lo;
  while (true) {
    body(index);
    int d = box.rank - 1;
    while (d >= 0 && index[d] == box.dim[d].hi) {
      index[d] = box.dim[d].lo;
      --d;
    }
    if (d < 0)
      return;
    index[d] += box.dim[d].stride;
  }
}

int floodsOf(const Case &made, int array) {
  for (const ShiftItem &item : made.items)
    if (item.array == array)
      return item.floods;
  return 0;
}

using Plans = std::vector<std::vector<PartnerBoxes>>;

Plans plansOf(const Case &made) {
  Plans plans;
  for (int p = 0; p < made.processors; ++p)
    plans.push_back(
        planTransfer(made.distribution, made.region, made.items, p));
  return plans;
}

constexpr unsigned Cases = 1500;

TEST(TransferPlan, SendsAndReceivesOfAllPairsAreTheSameLists) {
  for (unsigned seed = 0; seed < Cases; ++seed) {
    Case made = randomCase(seed);
    Plans plans = plansOf(made);
    for (int p = 0; p < made.processors; ++p)
      for (int q = 0; q < made.processors; ++q)
        ASSERT_EQ(textOf(with(plans[p], q).sends),
                  textOf(with(plans[q], p).receives))
            << "seed " << seed;
  }
}

TEST(TransferPlan, EveryElementReadArrivesFromItsOwner) {
  for (unsigned seed = 0; seed < Cases; ++seed) {
    Case made = randomCase(seed);
    Plans plans = plansOf(made);
    for (int p = 0; p < made.processors; ++p)
      for (const ShiftItem &item : made.items) {
        Box computed = intersect(made.region, made.distribution.own(p));
        forIndices(movedRegion(computed, item), [&](const int64_t *i) {
          Range dims[ZRT_MAX_RANK];
          for (int d = 0; d < computed.rank; ++d)
            dims[d] = {i[d], i[d]};
          int owner = made.distribution
                          .owners(makeBox(computed.rank, dims), item.floods, p)
                          .front();
          if (owner != p) {
            ASSERT_TRUE(within(with(plans[p], owner).receives, item.array, i))
                << "seed " << seed;
          }
        });
      }
  }
}

TEST(TransferPlan, BoxesAreOwnedBySendersAndStoredByReceivers) {
  for (unsigned seed = 0; seed < Cases; ++seed) {
    Case made = randomCase(seed);
    Plans plans = plansOf(made);
    for (int p = 0; p < made.processors; ++p)
      for (const PartnerBoxes &boxes : plans[p]) {
        EXPECT_NE(boxes.partner, p);
        for (const ArrayBox &entry : boxes.sends)
          ASSERT_TRUE(
              contains(made.distribution.own(p, floodsOf(made, entry.array)),
                       entry.box));
        for (const ArrayBox &entry : boxes.receives) {
          zrt_fluff fluff = {};
          Box declared;
          for (const ShiftItem &item : made.items) {
            if (item.array != entry.array)
              continue;
            declared = item.declared;
            for (int d = 0; d < declared.rank; ++d) {
              fluff.below[d] = std::max(fluff.below[d], -item.direction[d]);
              fluff.above[d] =
                  std::max(fluff.above[d], item.direction[d] + item.more[d]);
            }
          }
          Box own = made.distribution.own(p, floodsOf(made, entry.array));
          ASSERT_TRUE(contains(storedBox(declared, own, &fluff), entry.box))
              << "seed " << seed;
        }
      }
  }
}

TEST(TransferPlan, ANinePointStencilNeedsOneBoxFromAnEdgeNeighbour) {
  ProcessGrid grid;
  grid.rank = 2;
  grid.extent[0] = 2;
  Range bounds[] = {{0, 9}, {0, 9}}, inner[] = {{1, 8}, {1, 8}};
  Case made;
  made.distribution = Distribution(grid, makeBox(2, bounds));
  made.region = makeBox(2, inner);
  for (int i = -1; i <= 1; ++i)
    for (int j = -1; j <= 1; ++j) {
      ShiftItem item;
      item.declared = makeBox(2, bounds);
      item.direction[0] = i;
      item.direction[1] = j;
      made.items.push_back(item);
    }
  std::vector<PartnerBoxes> plan =
      planTransfer(made.distribution, made.region, made.items, 0);
  ASSERT_EQ(plan.size(), 1u);
  EXPECT_EQ(textOf(plan[0].receives), "0[5..5, 0..9] ");
  EXPECT_EQ(textOf(plan[0].sends), "0[4..4, 0..9] ");
}

} // namespace
