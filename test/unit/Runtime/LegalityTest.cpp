//===- LegalityTest.cpp - Legality checks and their messages --------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Regions that leave an array are found, empty ones are legal, and messages
// name what the user wrote, the bounds and the dimension.
//
//===----------------------------------------------------------------------===//

#include "Entry/Legality.h"

#include <gtest/gtest.h>

using namespace zrt;

namespace {

zrt_region region(const char *name, zrt_range rows, zrt_range columns,
                  int32_t singletons = 0) {
  zrt_region made = {name, 2, singletons, {rows, columns}};
  return made;
}

TEST(Legality, RegionsWithinAndEmptyRegionsAreLegal) {
  zrt_region big = region("BigR", {0, 9}, {0, 9});
  int64_t east[] = {0, 1};
  EXPECT_TRUE(isWithin(big, region("R", {1, 8}, {1, 8}), east));
  EXPECT_TRUE(isWithin(big, big, nullptr));
  EXPECT_FALSE(isWithin(big, big, east));
  EXPECT_TRUE(isWithin(big, region("E", {50, 60}, {1, 0}), east));
}

TEST(Legality, MessagesNameTheRegionTheMovementAndTheDimension) {
  zrt_array array = {};
  array.name = "A";
  array.region = region("R", {1, 8}, {1, 8});
  int64_t east[] = {0, 1};
  EXPECT_EQ(outsideMessage(array, array.region, east, "A@east", "reads"),
            "A@east reads outside A: region R [1..8, 1..8] moved by (0, 1) "
            "leaves [1..8, 1..8] in dimension 2");
  EXPECT_EQ(outsideMessage(array, region("[k, 1..n]", {9, 9}, {1, 8}, 1),
                           nullptr, "A", "writes"),
            "A writes outside its region: region [k, 1..n] = [9, 1..8] leaves "
            "[1..8, 1..8] in dimension 1");
  EXPECT_EQ(formalMessage(array, region("F", {1, 8}, {0, 8}), "A"),
            "A is declared over [1..8, 1..8], but is passed to a parameter "
            "over region F [1..8, 0..8]");
}

TEST(Legality, BoundsMustBeIntegers) {
  EXPECT_EQ(boundMessage(region("R", {1, 8}, {-2147483648LL, 2147483647LL})),
            "");
  EXPECT_EQ(boundMessage(region("R", {1, 8}, {0, 2147483648LL})),
            "region R [1..8, 0..2147483648]: 2147483648 in dimension 2 does "
            "not fit an integer");
}

} // namespace
