//===- MemoryTest.cpp - How arrays lie in memory --------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Stored boxes cover what a processor may read, rows are padded and aligned
// only where that is cheap, and sizes that do not fit are found.
//
//===----------------------------------------------------------------------===//

#include "HandTypes.h"
#include "Memory/Array.h"
#include "Memory/StorageShape.h"

#include <gtest/gtest.h>

#include <vector>

using namespace zrt;

namespace {

Box box(std::vector<Range> dims) {
  return makeBox(static_cast<int>(dims.size()), dims.data());
}

StorageShape shapeOf(const Box &stored, int64_t elementSize,
                     int64_t aligned = 0) {
  StorageShape shape;
  EXPECT_TRUE(planStorage(stored, elementSize, aligned, shape));
  return shape;
}

TEST(StoredBox, FluffIsClippedToTheDeclaredRegion) {
  zrt_fluff fluff = {{1, 2}, {1, 2}};
  Box declared = box({{0, 9}, {0, 9}});
  Box own = box({{-IndexLimit, 4}, {5, 6}});
  EXPECT_EQ(toString(storedBox(declared, own, &fluff)), "[0..5, 3..8]");
  EXPECT_EQ(toString(storedBox(declared, own, nullptr)), "[0..4, 5..6]");
}

TEST(StoredBox, FluffIsHeldWithoutOwnElementsButNotWithoutAnOwnBlock) {
  zrt_fluff fluff = {{1}, {1}};
  Box declared = box({{5, 9}});
  EXPECT_EQ(toString(storedBox(declared, box({{1, 4}}), &fluff)), "[5..5]");
  EXPECT_TRUE(isEmpty(storedBox(declared, box({{1, 3}}), &fluff)));
  EXPECT_TRUE(isEmpty(storedBox(declared, emptyBox(1), &fluff)));
}

TEST(StorageShape, LongRowsArePaddedToCacheLines) {
  StorageShape shape = shapeOf(box({{0, 1001}, {0, 1001}}), 8, 1);
  EXPECT_EQ(shape.pitch[1], 8);
  EXPECT_EQ(shape.pitch[0], 8064);
  EXPECT_EQ(shape.start, 56) << "column 1 starts a cache line";
  EXPECT_EQ(shape.bytes % 64, 0);
}

TEST(StorageShape, PitchesKeepOffMultiplesOf4096) {
  EXPECT_EQ(shapeOf(box({{1, 100}, {1, 512}}), 8).pitch[0], 4096 + 64);
  EXPECT_EQ(shapeOf(box({{1, 100}, {1, 1024}}), 8).pitch[0], 8192 + 64);
  StorageShape cube = shapeOf(box({{1, 9}, {1, 64}, {1, 192}}), 8);
  EXPECT_NE(cube.pitch[0] % 4096, 0);
}

TEST(StorageShape, ShortRowsAreNotPadded) {
  StorageShape shape = shapeOf(box({{1, 1000}, {1, 3}}), 8);
  EXPECT_EQ(shape.pitch[0], 24);
  EXPECT_LE(shape.bytes, 24000 + 64);
}

TEST(StorageShape, PaddingCostsAFewPercentAtMost) {
  for (int64_t n = 1; n < 3000; ++n) {
    StorageShape shape = shapeOf(box({{1, 64}, {1, n}}), 4);
    EXPECT_LE(shape.bytes, 64 * n * 4 * 17 / 16 + 192) << n;
    EXPECT_GE(shape.bytes, 64 * n * 4);
  }
}

TEST(StorageShape, SizesBeyond63BitsAreFound) {
  StorageShape shape;
  Range all = {-2147483648LL, 2147483647LL};
  EXPECT_TRUE(planStorage(box({{1, 1 << 20}, {1, 1 << 20}}), 8, 0, shape));
  EXPECT_FALSE(planStorage(box({all, all}), 8, 0, shape));
  EXPECT_FALSE(planStorage(box({all, all, all, all, all, all}), 8, 0, shape));
}

TEST(StorageShape, PitchesAreMultiplesOfTheElementSize) {
  for (int64_t bytes : {1, 2, 12, 16, 24, 32, 40, 100, 300, 4096, 100000})
    for (int64_t n : {1, 2, 3, 64, 333, 1000, 4096}) {
      StorageShape shape = shapeOf(box({{1, 9}, {1, 7}, {1, n}}), bytes, 3);
      EXPECT_EQ(shape.pitch[2], bytes);
      EXPECT_EQ(shape.pitch[1] % bytes, 0) << bytes << " x " << n;
      EXPECT_EQ(shape.pitch[0] % bytes, 0) << bytes << " x " << n;
      EXPECT_GE(shape.pitch[1], n * bytes);
      EXPECT_LE(shape.bytes, 9 * 7 * n * bytes * 17 * 17 / 256 + 192);
    }
  StorageShape records = shapeOf(box({{1, 100}, {1, 999}}), 24, 1);
  EXPECT_EQ(records.pitch[0] % 192, 0) << "rows start cache lines";
}

TEST(StorageShape, ElementsWithoutBytesTakeNoMemory) {
  StorageShape shape = shapeOf(box({{1, 100}, {1, 512}}), 0, 1);
  EXPECT_EQ(shape.bytes, 0);
  EXPECT_EQ(shape.pitch[0], 0);
}

TEST(StorageShape, HugeElementsDoNotOverflow) {
  StorageShape shape;
  int64_t huge = int64_t(1) << 60;
  EXPECT_TRUE(planStorage(box({{1, 2}, {1, 2}}), huge, 1, shape));
  EXPECT_FALSE(planStorage(box({{1, 4}, {1, 4}}), huge, 1, shape));
}

/// An array over memory of the test, for addressing.
zrt_array arrayIn(std::vector<char> &memory, const Box &stored) {
  StorageShape shape = shapeOf(stored, 8);
  memory.resize(static_cast<size_t>(shape.bytes));
  zrt_array array = {};
  array.type = &hand::Double;
  array.region.rank = stored.rank;
  array.origin = memory.data() + shape.start;
  for (int d = 0; d < stored.rank; ++d) {
    array.stored[d] = stored.dim[d];
    array.pitch[d] = shape.pitch[d];
    array.origin -= stored.dim[d].lo * shape.pitch[d];
  }
  return array;
}

TEST(BlockOf, ContiguousDimensionsAreMergedWhereAsked) {
  std::vector<char> memory;
  Box whole = box({{0, 9}, {1, 5}, {1, 3}});
  zrt_array array = arrayIn(memory, whole);
  Box planes = box({{2, 3}, {1, 5}, {1, 3}});
  MemoryBlock merged = blockOf(array, planes, 1);
  EXPECT_EQ(merged.rank, 1);
  EXPECT_EQ(merged.count[0], 30);
  EXPECT_EQ(merged.stride[0], 8);
  EXPECT_EQ(merged.base, array.origin + 2 * array.pitch[0] + array.pitch[1] +
                             array.pitch[2]);
  EXPECT_EQ(blockOf(array, planes, 3).rank, 3);
}

TEST(BlockOf, DimensionsOfOneIndexAreLeftOut) {
  std::vector<char> memory;
  zrt_array array = arrayIn(memory, box({{0, 9}, {1, 5}, {1, 3}}));
  MemoryBlock column = blockOf(array, box({{1, 4}, {2, 2}, {3, 3}}), 3);
  EXPECT_EQ(column.rank, 1);
  EXPECT_EQ(column.count[0], 4);
  EXPECT_EQ(column.stride[0], array.pitch[0]);
  MemoryBlock one = blockOf(array, box({{1, 1}, {2, 2}, {3, 3}}), 3);
  EXPECT_EQ(one.rank, 1);
  EXPECT_EQ(one.bytes(), 8);
}

} // namespace
