//===- FollowersTest.cpp - Arrays over region variables -------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which arrays follow which variable, the directions of their borders, and what
// an array that is made anew keeps of its elements.
//
//===----------------------------------------------------------------------===//

#include "Memory/Followers.h"
#include "HandRegions.h"
#include "HandTypes.h"
#include "TestTransport.h"

#include <gtest/gtest.h>

#include <vector>

using namespace zrt;

namespace {

using hand::range;

TEST(Followers, StandInTheirOrderUntilTheyAreFreed) {
  Followers followers;
  int variable = 0, other = 0;
  zrt_array arrays[3] = {};
  zrt_region region = hand::region({range(1, 4)});
  for (zrt_array &array : arrays)
    followers.add(array, &variable, {region, hand::Double}, true);
  followers.drop(arrays[1]);
  ASSERT_EQ(followers.of(&variable).size(), 2u);
  EXPECT_EQ(followers.of(&variable)[0].array, &arrays[0]);
  EXPECT_EQ(followers.of(&variable)[1].array, &arrays[2]);
  EXPECT_TRUE(followers.of(&other).empty());
  EXPECT_EQ(followers.find(arrays[1]), nullptr);
  followers.drop(arrays[1]); // which is not there
  EXPECT_NE(followers.find(arrays[2]), nullptr);
}

TEST(Followers, BordersAreMadeOfTheNewRegionByTheirDirections) {
  Followers followers;
  zrt_array array = {};
  // Of a variable without a value all bounds are 0.
  zrt_region unset = hand::region({range(0, 0), range(0, 0)});
  std::vector<zrt_region> borders = {hand::region({range(-2, -1), range(0, 0)}),
                                     hand::region({range(1, 1), range(1, 3)})};
  Follower &follower = followers.add(
      array, &array, {unset, hand::Double, "A", nullptr, borders.data(), 2},
      false);
  zrt_region region = hand::region({range(5, 8), range(1, 9)});
  std::vector<zrt_region> made = follower.bordersOf(region);
  ASSERT_EQ(made.size(), 2u);
  EXPECT_EQ(toString(made[0]), "[3..4, 1..9]");
  EXPECT_EQ(toString(made[1]), "[9..9, 10..12]");
}

TEST(Followers, ARegionWithoutIndicesKeepsItsFloods) {
  zrt_region region = withoutIndices(hand::region({range(0, 0), hand::Flood}));
  EXPECT_TRUE(isEmpty(boxOf(region)));
  EXPECT_EQ(region.floods, 2);
  EXPECT_EQ(region.dim[1].stride, 1);
}

TEST(CopyCommon, KeepsWhatIsOwnedAndStoredInBoth) {
  TestTransport transport;
  uint64_t id = 0;
  const Range ownRanges[] = {{-IndexLimit, 5}};
  Box own = makeBox(1, ownRanges);
  auto make = [&](const zrt_region &region, std::vector<zrt_region> borders) {
    zrt_array array;
    createArray(transport, array,
                {region, hand::Double, "A", nullptr, borders.data(),
                 static_cast<int64_t>(borders.size())},
                own, ++id, nullptr);
    return array;
  };
  auto at = [](const zrt_array &array, int64_t index) -> double & {
    return *reinterpret_cast<double *>(hand::addressOf(array, &index));
  };
  zrt_array old =
      make(hand::region({range(2, 9)}), {hand::region({range(1, 1)})});
  for (int64_t i = 1; i <= 5; ++i)
    at(old, i) = double(i);
  zrt_array grown = make(hand::region({range(0, 4)}), {});
  copyCommon(grown, old, own);
  for (int64_t i = 0; i <= 4; ++i)
    EXPECT_EQ(at(grown, i), i == 0 ? 0.0 : double(i)) << i;
  zrt_array thinned = make(hand::region({hand::strided(1, 9, 2, 1)}), {});
  copyCommon(thinned, old, own);
  for (int64_t i : {1, 3, 5})
    EXPECT_EQ(at(thinned, i), double(i)) << i;
  for (zrt_array *array : {&old, &grown, &thinned})
    destroyArray(transport, *array);
}

} // namespace
