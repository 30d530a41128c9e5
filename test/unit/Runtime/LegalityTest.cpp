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
#include "HandRegions.h"

#include <gtest/gtest.h>

using namespace zrt;
using hand::range;
using hand::strided;

namespace {

zrt_region region(const char *name, zrt_dim rows, zrt_dim columns,
                  int32_t singletons = 0) {
  zrt_region made = hand::region({rows, columns}, name);
  made.singletons = singletons;
  return made;
}

zrt_array over(const zrt_region &region) {
  zrt_array array = {};
  array.name = "A";
  array.region = region;
  return array;
}

const int64_t East[] = {0, 1};

TEST(Legality, RegionsWithinAndEmptyRegionsAreLegal) {
  zrt_array big = over(region("BigR", range(0, 9), range(0, 9)));
  EXPECT_TRUE(isWithin(big, region("R", range(1, 8), range(1, 8)), East));
  EXPECT_TRUE(isWithin(big, big.region, nullptr));
  EXPECT_FALSE(isWithin(big, big.region, East));
  EXPECT_TRUE(isWithin(big, region("E", range(50, 60), range(1, 0)), East));
}

TEST(Legality, StridedRegionsAreComparedAsSetsOfIndices) {
  zrt_array odd = over(region("O", strided(1, 9, 2, 1), range(1, 8)));
  EXPECT_TRUE(isWithin(odd, odd.region, nullptr));
  EXPECT_TRUE(
      isWithin(odd, region("R", strided(0, 10, 4, 1), range(1, 8)), nullptr));
  EXPECT_FALSE(isWithin(odd, region("R", range(1, 9), range(1, 8)), nullptr));
  EXPECT_FALSE(
      isWithin(odd, region("R", strided(1, 9, 2, 0), range(1, 8)), nullptr));
  EXPECT_TRUE(isWithin(odd, region("R", range(3, 3), range(1, 8)), nullptr));
  int64_t south[] = {1, 0};
  EXPECT_TRUE(
      isWithin(odd, region("R", strided(1, 9, 2, 0), range(1, 8)), south));
  // bounds that are no indices may lie outside
  zrt_array all = over(region("A", range(1, 8), range(1, 8)));
  EXPECT_TRUE(
      isWithin(all, region("R", strided(0, 8, 2, 1), range(1, 8)), nullptr));
}

TEST(Legality, EveryIndexIsLegalWhereTheArrayIsFlooded) {
  zrt_array row = over(region("F", hand::Flood, range(1, 8)));
  EXPECT_TRUE(isWithin(row, region("R", range(-99, 99), range(1, 8)), nullptr));
  EXPECT_TRUE(isWithin(row, row.region, nullptr));
  EXPECT_FALSE(isWithin(row, region("R", range(1, 2), range(1, 8)), East));
  EXPECT_TRUE(isWithin(row, region("R", range(1, 0), range(1, 9)), East));
}

TEST(Legality, BordersCountAndCornersBetweenThemDoNot) {
  zrt_array array = over(region("R", range(1, 8), range(1, 8)));
  zrt_region borders[] = {region("", range(0, 0), range(1, 8)),
                          region("", range(1, 8), range(9, 9))};
  array.borders = borders;
  array.border_count = 2;
  int64_t north[] = {-1, 0}, corner[] = {-1, 1}, west[] = {0, -1};
  EXPECT_TRUE(isWithin(array, array.region, north));
  EXPECT_TRUE(isWithin(array, array.region, East));
  EXPECT_FALSE(isWithin(array, array.region, corner));
  EXPECT_EQ(outsideMessage(array, array.region, corner, "A@ne", "reads"),
            "A@ne reads outside A: region R [1..8, 1..8] moved by (-1, 1) "
            "leaves [1..8, 1..8] and its borders [0..0, 1..8] and [1..8, "
            "9..9]");
  EXPECT_EQ(outsideMessage(array, array.region, west, "A@w", "reads"),
            "A@w reads outside A: region R [1..8, 1..8] moved by (0, -1) "
            "leaves [1..8, 1..8] and its borders [0..0, 1..8] and [1..8, "
            "9..9] in dimension 2");
}

TEST(Legality, MessagesNameTheRegionTheMovementAndTheDimension) {
  zrt_array array = over(region("R", range(1, 8), range(1, 8)));
  EXPECT_EQ(outsideMessage(array, array.region, East, "A@east", "reads"),
            "A@east reads outside A: region R [1..8, 1..8] moved by (0, 1) "
            "leaves [1..8, 1..8] in dimension 2");
  EXPECT_EQ(outsideMessage(array,
                           region("[k, 1..n]", range(9, 9), range(1, 8), 1),
                           nullptr, "A", "writes"),
            "A writes outside its region: region [k, 1..n] = [9, 1..8] leaves "
            "[1..8, 1..8] in dimension 1");
  EXPECT_EQ(formalMessage(array, region("F", range(1, 8), range(0, 8)), "A"),
            "A is declared over [1..8, 1..8], but is passed to a parameter "
            "over region F [1..8, 0..8]");
  EXPECT_EQ(formalMessage(array, region("F", range(1, 8), range(1, 8)), "A"),
            "");
  zrt_array nothing = over(region("R", range(1, 8), range(1, 0)));
  EXPECT_EQ(outsideMessage(nothing, array.region, nullptr, "A", "reads"),
            "A reads outside its region: region R [1..8, 1..8] leaves [1..8, "
            "1..0] in dimension 2");
}

TEST(Legality, MessagesSpeakOfStridesAndFloods) {
  zrt_array odd = over(region("O", strided(1, 9, 2, 1), hand::Flood));
  EXPECT_EQ(outsideMessage(odd, region("R", range(1, 8), range(1, 8)), nullptr,
                           "A", "reads"),
            "A reads outside its region: region R [1..8, 1..8] has other "
            "indices than [1..9 by 2, *] in dimension 1");
  EXPECT_EQ(
      formalMessage(odd, region("F", range(1, 9), hand::Flood), "A"),
      "A is declared over [1..9 by 2, *], but is passed to a parameter over "
      "region F [1..9, *]");
  EXPECT_EQ(
      formalMessage(odd, region("F", strided(0, 10, 2, 1), hand::Flood), "A"),
      "");
  EXPECT_NE(
      formalMessage(odd, region("F", strided(1, 9, 2, 1), range(0, 0)), "A"),
      "");
}

TEST(Legality, MasksNameWhatTheyDoNotCover) {
  zrt_array mask = over(region("R", range(1, 8), range(1, 7)));
  EXPECT_EQ(maskMessage(mask, region("R", range(1, 8), range(1, 8)), "M"),
            "mask M does not cover region R [1..8, 1..8]: it is declared over "
            "[1..8, 1..7]");
}

TEST(Legality, WrappingNeedsIndicesAndTheirStride) {
  zrt_array odd = over(region("O", strided(1, 9, 2, 1), range(1, 8)));
  zrt_region far = region("R", strided(11, 31, 2, 1), range(5, 50));
  int64_t two[] = {2, -7}, one[] = {1, 0};
  EXPECT_EQ(wrapMessage(odd, far, two, "A@^e"), "");
  EXPECT_EQ(
      wrapMessage(odd, region("R", range(4, 4), range(1, 8)), one, "A@^e"), "");
  EXPECT_EQ(wrapMessage(odd, far, one, "A@^e"),
            "A@^e wraps to indices between those of A: region R [11..31 by 2, "
            "5..50] moved by (1, 0) does not have the stride of [1..9 by 2, "
            "1..8] in dimension 1");
  zrt_array nothing = over(region("E", range(1, 8), range(1, 0)));
  EXPECT_EQ(wrapMessage(nothing, far, one, "A@^e"),
            "A@^e has no index to wrap to: A is declared over [1..8, 1..0]");
  EXPECT_EQ(
      wrapMessage(nothing, region("R", range(2, 1), range(1, 8)), one, "A@^e"),
      "");
}

TEST(Legality, RangesOfFloodsAndReductionsConform) {
  zrt_region over = region("R", range(1, 8), range(1, 8));
  zrt_region row = region("S", range(3, 3), range(1, 8), 1);
  EXPECT_EQ(conformMessage(row, over, ">>[S] A"), "");
  row.dim[1] = strided(1, 8, 2, 1);
  EXPECT_EQ(conformMessage(row, over, ">>[S] A"),
            ">>[S] A: its region S [3, 1..7 by 2] and the covering region R "
            "[1..8, 1..8] have different indices in dimension 2");
  over.dim[1] = strided(0, 7, 2, 1);
  EXPECT_EQ(conformMessage(row, over, ">>[S] A"), "");
  over.dim[1] = range(2, 1);
  EXPECT_EQ(conformMessage(row, over, ">>[S] A"), "") << "nothing to do";
  EXPECT_EQ(conformMessage(row, region("F", range(1, 8), hand::Flood), "A"),
            "");
}

TEST(Legality, BordersAndTheirSourcesMustBeStored) {
  zrt_array array = over(region("R", range(1, 8), range(1, 8)));
  int64_t north[] = {-2, 0};
  EXPECT_EQ(borderMessage(array, array.region, north, {}, "wrap"),
            "wrap of A: the border [-1..0, 1..8] of region R [1..8, 1..8] "
            "leaves [1..8, 1..8] in dimension 1");
  zrt_region border = region("", range(-1, 0), range(1, 8));
  array.borders = &border;
  array.border_count = 1;
  Range rows[] = {{7, 8}, {1, 8}}, beyond[] = {{1, 9}, {1, 8}};
  EXPECT_EQ(
      borderMessage(array, array.region, north, {makeBox(2, rows)}, "wrap"),
      "");
  EXPECT_EQ(borderMessage(array, array.region, north, {makeBox(2, beyond)},
                          "reflect"),
            "reflect of A: what the border [-1..0, 1..8] of region R [1..8, "
            "1..8] is filled from, [1..9, 1..8], leaves [1..8, 1..8] and its "
            "border [-1..0, 1..8] in dimension 1");
}

TEST(Legality, BoundsAndStridesMustBeIntegers) {
  EXPECT_EQ(boundMessage(
                region("R", range(1, 8), range(-2147483648LL, 2147483647LL))),
            "");
  EXPECT_EQ(boundMessage(region("R", range(1, 8), range(0, 2147483648LL))),
            "region R [1..8, 0..2147483648]: 2147483648 in dimension 2 does "
            "not fit an integer");
  EXPECT_EQ(
      boundMessage(region("R", strided(1, 8, 4294967296LL, 1), range(0, 1))),
      "region R [1..1, 0..1]: the stride 4294967296 in dimension 1 does "
      "not fit an integer");
}

} // namespace
