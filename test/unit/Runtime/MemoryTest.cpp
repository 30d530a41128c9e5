//===- MemoryTest.cpp - How arrays lie in memory --------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Stored boxes cover what a processor may read, rows are padded and aligned
// only where that is cheap, and sizes that do not fit are found. Arrays with
// strides store their own positions, flooded dimensions one; borrowed storage
// has the right elements. Large results go past the caches on some machines.
//
//===----------------------------------------------------------------------===//

#include "HandRegions.h"
#include "HandTypes.h"
#include "Machine/MachineCache.h"
#include "Memory/Array.h"
#include "Memory/StorageShape.h"
#include "TestTransport.h"
#include "Transport/Blocks.h"

#include <gtest/gtest.h>

#include <unistd.h>
#include <vector>

using namespace zrt;

namespace {

Box box(std::vector<Range> dims) {
  return makeBox(static_cast<int>(dims.size()), dims.data());
}

StorageShape shapeOf(const Box &stored, int64_t elementSize,
                     int64_t aligned = 0) {
  StorageShape shape;
  EXPECT_TRUE(planStorage(stored, elementSize, aligned, 0, shape));
  return shape;
}

TEST(StoredBox, FluffIsClippedToTheDeclaredRegion) {
  zrt_fluff fluff = {{1, 2}, {1, 2}, 0, 0};
  Box declared = box({{0, 9}, {0, 9}});
  Box own = box({{-IndexLimit, 4}, {5, 6}});
  EXPECT_EQ(toString(storedBox(declared, own, &fluff)), "[0..5, 3..8]");
  EXPECT_EQ(toString(storedBox(declared, own, nullptr)), "[0..4, 5..6]");
}

TEST(StoredBox, FluffIsHeldWithoutOwnElementsButNotWithoutAnOwnBlock) {
  zrt_fluff fluff = {{1}, {1}, 0, 0};
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
  EXPECT_TRUE(planStorage(box({{1, 1 << 20}, {1, 1 << 20}}), 8, 0, 0, shape));
  EXPECT_FALSE(planStorage(box({all, all}), 8, 0, 0, shape));
  EXPECT_FALSE(
      planStorage(box({all, all, all, all, all, all}), 8, 0, 0, shape));
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
  EXPECT_TRUE(planStorage(box({{1, 2}, {1, 2}}), huge, 1, 0, shape));
  EXPECT_FALSE(planStorage(box({{1, 4}, {1, 4}}), huge, 1, 0, shape));
}

TEST(StorageShape, FloodedDimensionsHaveNoPitch) {
  StorageShape shape;
  Box rows = box({{1, 1000}, {0, 0}, {1, 999}});
  EXPECT_TRUE(planStorage(rows, 8, 1, 2, shape));
  EXPECT_EQ(shape.pitch[1], 0);
  EXPECT_EQ(shape.pitch[0], shapeOf(box({{1, 1000}, {1, 999}}), 8).pitch[0]);
  Box column = box({{1, 1000}, {0, 0}});
  EXPECT_TRUE(planStorage(column, 4096, 0, 2, shape));
  EXPECT_EQ(shape.pitch[0], 4096) << "elements of a column follow each other";
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
    array.region.dim[d] = hand::range(stored.dim[d].lo, stored.dim[d].hi);
    array.stored[d] = rangeOf(stored.dim[d]);
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

class Arrays : public testing::Test {
protected:
  /// An array of doubles on a processor that owns \p own.
  zrt_array make(const zrt_region &region, const Box &own,
                 const zrt_fluff *fluff = nullptr,
                 std::vector<zrt_region> borders = {}) {
    zrt_array array;
    createArray(transport, array,
                {region, hand::Double, "A", fluff, borders.data(),
                 static_cast<int64_t>(borders.size())},
                own, ++lastId, nullptr);
    return array;
  }
  static double &at(const zrt_array &array, std::vector<int64_t> index) {
    return *reinterpret_cast<double *>(hand::addressOf(array, index.data()));
  }

  TestTransport transport;
  uint64_t lastId = 0;
  const Box everything =
      box({{-IndexLimit, IndexLimit}, {-IndexLimit, IndexLimit}});
};

TEST_F(Arrays, StridedOnesStoreTheirOwnIndicesAndFluffOnly) {
  zrt_fluff fluff = {{2, 0}, {4, 0}, 0, 0};
  zrt_array array = make(
      hand::region({hand::strided(-10, 20, 2, 1), hand::strided(1, 9, 3, 2)}),
      box({{0, 5}, {-IndexLimit, IndexLimit}}), &fluff);
  EXPECT_EQ(array.stored[0].lo, -1); // index -1
  EXPECT_EQ(array.stored[0].hi, 4);  // index 9
  EXPECT_EQ(array.stored[1].lo, 0);  // index 2
  EXPECT_EQ(array.stored[1].hi, 2);  // index 8
  EXPECT_EQ(array.pitch[1], 8);
  EXPECT_EQ(array.pitch[0], 24);
  EXPECT_EQ(toString(storedBox(array)), "[-1..9 by 2, 2..8 by 3]");
  destroyArray(transport, array);
}

TEST_F(Arrays, WhereElementsWrapStorageGoesOnBeyondTheRegion) {
  // [1..9 by 2] with steps both ways, [1..6] with one element above
  zrt_fluff fluff = {{}, {0, 1}, /*steps=*/1, /*wraps=*/3};
  zrt_array array =
      make(hand::region({hand::strided(1, 9, 2, 1), hand::range(1, 6)}),
           everything, &fluff);
  EXPECT_EQ(toString(storedBox(array)), "[-1..11 by 2, 1..7]");
  destroyArray(transport, array);
  fluff.wraps = 2;
  array = make(hand::region({hand::strided(1, 9, 2, 1), hand::range(1, 6)}),
               box({{-9, 4}, {-9, 9}}), &fluff);
  EXPECT_EQ(toString(storedBox(array)), "[1..5 by 2, 1..7]");
  destroyArray(transport, array);
}

TEST_F(Arrays, WideningKeepsElementsAndCountsViews) {
  zrt_fluff fluff = {{0, 1}, {}, 0, 2};
  zrt_array array = make(hand::region({hand::range(1, 3), hand::range(1, 4)}),
                         everything, &fluff);
  at(array, {2, 0}) = 5; // a ghost
  at(array, {3, 4}) = 7;
  zrt_array view;
  int64_t direction[] = {0, 1};
  borrowArray(view, array, array.region, direction, ++lastId);
  EXPECT_EQ(array.keeper->views, 1);
  destroyArray(transport, view);
  EXPECT_EQ(array.keeper->views, 0);
  uint64_t id = array.id;
  widenArray(transport, array, {{2, 1}, {2, 4}, 0, 3}, everything, nullptr);
  EXPECT_EQ(toString(storedBox(array)), "[-1..5, 0..8]");
  EXPECT_EQ(array.id, id);
  EXPECT_EQ(at(array, {2, 0}), 5);
  EXPECT_EQ(at(array, {3, 4}), 7);
  destroyArray(transport, array);
}

TEST_F(Arrays, BordersAreStoredWhateverTheFluff) {
  std::vector<zrt_region> borders = {
      hand::region({hand::range(0, 0), hand::range(1, 8)}),
      hand::region({hand::range(1, 8), hand::range(9, 10)})};
  zrt_array array = make(hand::region({hand::range(1, 8), hand::range(1, 8)}),
                         everything, nullptr, borders);
  EXPECT_NE(array.borders, borders.data()) << "they are copied";
  borders.clear();
  EXPECT_EQ(toString(storedBox(array)), "[0..8, 1..10]");
  std::vector<Box> declared = declaredBoxes(array);
  ASSERT_EQ(declared.size(), 3u);
  EXPECT_EQ(toString(declared[2]), "[1..8, 9..10]");
  EXPECT_EQ(toString(declaredHull(array)), "[0..8, 1..10]");
  destroyArray(transport, array);
}

TEST_F(Arrays, SingleIndicesFarApartAreStoredWithTheirGap) {
  // the hull of the two has the stride of the region, not their distance
  zrt_array array =
      make(hand::region({hand::strided(1, 2, 2, 1)}), box({{-9, 90}}), nullptr,
           {hand::region({hand::strided(7, 8, 2, 1)})});
  EXPECT_EQ(toString(storedBox(array)), "[1..7 by 2]");
  EXPECT_GE(array.bytes, 32);
  destroyArray(transport, array);
}

TEST_F(Arrays, FloodedDimensionsHaveOnePositionAndEveryIndexFindsIt) {
  zrt_array array =
      make(hand::region({hand::range(3, 5), hand::Flood}), everything);
  EXPECT_EQ(array.stored[1].lo, 0);
  EXPECT_EQ(array.stored[1].hi, 0);
  EXPECT_EQ(array.pitch[0], 8);
  at(array, {4, 0}) = 7;
  EXPECT_EQ(at(array, {4, 1000}), 7);
  MemoryBlock block = blockOf(array, box({{3, 5}, {1, 4}}));
  std::vector<double> packed(12);
  packBlock(block, reinterpret_cast<char *>(packed.data()));
  EXPECT_EQ(packed, (std::vector<double>{0, 0, 0, 0, 7, 7, 7, 7, 0, 0, 0, 0}));
  destroyArray(transport, array);
}

TEST_F(Arrays, BorrowedElementsAreThoseOfTheMovedIndex) {
  zrt_array array =
      make(hand::region({hand::strided(0, 30, 2, 0), hand::range(-5, 20)}),
           everything);
  for (int64_t i = 0; i <= 30; i += 2)
    for (int64_t j = -5; j <= 20; ++j)
      at(array, {i, j}) = static_cast<double>(100 * i + j);
  const zrt_region regions[] = {
      hand::region({hand::strided(1, 19, 4, 3), hand::strided(-3, 12, 3, 1)}),
      hand::region({hand::strided(1, 9, 6, 5), hand::range(3, 3)}),
      hand::region({hand::strided(1, 9, 2, 1), hand::strided(7, 9, 100, 8)})};
  const int64_t direction[] = {3, -2};
  for (const zrt_region &region : regions) {
    zrt_array result;
    borrowArray(result, array, region, direction, ++lastId);
    int count = 0;
    hand::forAll(region, [&](const int64_t *i) {
      ++count;
      EXPECT_EQ(at(result, {i[0], i[1]}),
                static_cast<double>(100 * (i[0] + 3) + i[1] - 2));
    });
    EXPECT_GT(count, 0);
    EXPECT_EQ(storedBox(result), boxOf(region));
    destroyArray(transport, result);
  }
  destroyArray(transport, array);
}

TEST_F(Arrays, BorrowedFloodsStayFloods) {
  zrt_array array =
      make(hand::region({hand::Flood, hand::range(1, 8)}), everything);
  at(array, {0, 5}) = 3;
  zrt_array result;
  const int64_t direction[] = {9, 4};
  zrt_region region = hand::region({hand::range(1, 4), hand::range(-3, 4)});
  region.singletons = 1;
  borrowArray(result, array, region, direction, ++lastId);
  EXPECT_EQ(result.region.floods, 1);
  EXPECT_EQ(result.region.singletons, 0);
  EXPECT_EQ(at(result, {3, 1}), 3);
  destroyArray(transport, result);
  destroyArray(transport, array);
}

TEST_F(Arrays, MirroredBlocksRunBackwards) {
  zrt_array array = make(hand::region({hand::strided(1, 9, 2, 1)}),
                         box({{-IndexLimit, IndexLimit}}));
  for (int64_t i = 1; i <= 9; i += 2)
    at(array, {i}) = static_cast<double>(i);
  IndexMap map;
  map.sign[0] = -1;
  map.offset[0] = 20; // 11..15 from 9..5
  Box target = emptyBox(1);
  target.dim[0] = {11, 15, 2};
  std::vector<double> packed(3);
  packBlock(blockOf(array, target, map),
            reinterpret_cast<char *>(packed.data()));
  EXPECT_EQ(packed, (std::vector<double>{9, 7, 5}));
  EXPECT_EQ(toString(reversed(map, applied(map, target))), "[11..15 by 2]");
  destroyArray(transport, array);
}

// From half of the size on if two share the caches; never on AMD's processors,
// where it does not pay.
TEST(MemoryTest, LargeResultsGoPastTheCaches) {
  int64_t alone = streamBytes(1), shared = streamBytes(2);
#if defined(__x86_64__)
  if (__builtin_cpu_is("amd")) {
    EXPECT_EQ(INT64_MAX, alone);
    EXPECT_EQ(INT64_MAX, shared);
    return;
  }
#endif
  EXPECT_LE(1 << 20, alone);
  EXPECT_EQ(sysconf(_SC_NPROCESSORS_ONLN) > 1 ? alone / 2 : alone, shared);
}

} // namespace
