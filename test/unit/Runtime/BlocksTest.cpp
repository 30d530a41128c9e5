//===- BlocksTest.cpp - Copying memory blocks -----------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Packing, unpacking and copying, of any shape and size of elements, held
// against a loop over the elements that does nothing clever. Bytes beside the
// block stay as they are.
//
//===----------------------------------------------------------------------===//

#include "Transport/Blocks.h"

#include "Random.h"

#include <algorithm>
#include <cstring>
#include <gtest/gtest.h>
#include <vector>

using namespace zrt;

namespace {

/// Offsets of the block's elements from its base, in row-major order.
std::vector<int64_t> offsetsOf(const MemoryBlock &block) {
  std::vector<int64_t> offsets = {0};
  for (int d = 0; d < block.rank; ++d) {
    std::vector<int64_t> longer;
    for (int64_t offset : offsets)
      for (int64_t i = 0; i < block.count[d]; ++i)
        longer.push_back(offset + i * block.stride[d]);
    offsets = longer;
  }
  return offsets;
}

/// Memory in which a block of elements lies, with room on all sides.
struct Place {
  /// A block of \p counts elements, with \p gaps more of them in each dimension
  /// of the memory, some of which run \p backwards.
  Place(int64_t elementSize, const std::vector<int64_t> &counts,
        const std::vector<int64_t> &gaps, const std::vector<bool> &backwards) {
    block.elementSize = elementSize;
    block.rank = static_cast<int>(counts.size());
    int64_t pitch = elementSize, first = 0;
    for (int d = block.rank - 1; d >= 0; --d) {
      block.count[d] = counts[d];
      block.stride[d] = backwards[d] ? -pitch : pitch;
      if (backwards[d])
        first += pitch * (counts[d] - 1);
      pitch *= counts[d] + gaps[d];
    }
    bytes.resize(pitch + 128);
    block.base = bytes.data() + 64 + first;
  }

  void fill(int seed) {
    for (size_t i = 0; i < bytes.size(); ++i)
      bytes[i] = static_cast<char>(i * 7 + seed + (i >> 8));
  }

  std::vector<char> bytes;
  MemoryBlock block;
};

/// Checks all ways to copy from \p from onto the same counts at \p to.
void check(Place &from, Place &to) {
  from.fill(1);
  to.fill(2);
  int64_t size = from.block.elementSize;
  std::vector<int64_t> sources = offsetsOf(from.block),
                       targets = offsetsOf(to.block);
  std::vector<char> packed(from.block.bytes() + 16, 'x'), expected = packed;
  for (size_t i = 0; i < sources.size(); ++i)
    memcpy(&expected[i * size], from.block.base + sources[i], size);
  packBlock(from.block, packed.data());
  EXPECT_EQ(packed, expected);

  std::vector<char> before = to.bytes;
  char *base = before.data() + (to.block.base - to.bytes.data());
  for (size_t i = 0; i < targets.size(); ++i)
    memcpy(base + targets[i], from.block.base + sources[i], size);
  copyBlock(from.block, to.block);
  EXPECT_EQ(to.bytes, before);
  to.fill(2);
  unpackBlock(packed.data(), to.block);
  EXPECT_EQ(to.bytes, before);
}

} // namespace

TEST(Blocks, AnyShapeIsCopiedAsElementByElement) {
  Random random(20);
  for (int round = 0; round < 1000; ++round) {
    constexpr int64_t Sizes[] = {1, 2, 3, 4, 8, 12, 16, 24, 32, 40, 48, 64, 72};
    constexpr int64_t Counts[] = {1, 1, 2, 3, 7, 8, 9, 17};
    int rank = static_cast<int>(random(0, 4));
    std::vector<int64_t> counts, gaps[2];
    std::vector<bool> backwards[2];
    for (int d = 0; d < rank; ++d) {
      counts.push_back(Counts[random(0, 7)]);
      for (int side : {0, 1}) {
        gaps[side].push_back(std::max<int64_t>(0, random(-2, 3)));
        backwards[side].push_back(random(0, 4) == 0);
      }
    }
    int64_t size = Sizes[random(0, 12)];
    Place from(size, counts, gaps[0], backwards[0]),
        to(size, counts, gaps[1], backwards[1]);
    check(from, to);
    if (HasFailure())
      return;
  }
}

TEST(Blocks, ASourceMayRepeatItsElements) {
  Place from(8, {5, 3}, {0, 0}, {false, false});
  from.fill(3);
  from.block.stride[0] = 0;
  std::vector<char> packed(15 * 8);
  packBlock(from.block, packed.data());
  for (int i = 0; i < 5; ++i)
    EXPECT_EQ(memcmp(&packed[i * 24], from.block.base, 24), 0);
}

TEST(Blocks, LongColumnsAndFewOfThem) {
  for (int64_t columns : {1, 2, 3}) {
    Place from(8, {1000, columns}, {0, 30 - columns}, {false, false}),
        to(8, {1000, columns}, {0, 7}, {false, false});
    check(from, to);
    Place apart(8, {1000, columns}, {0, 3}, {false, false});
    apart.block.stride[1] = 16; // Two that are not neighbours.
    if (columns <= 2)
      check(apart, to);
  }
}

TEST(Blocks, PermutedDimensionsGoInTiles) {
  Random random(21);
  for (int round = 0; round < 300; ++round) {
    constexpr int64_t Sizes[] = {1, 2, 4, 8, 16, 24, 32, 64};
    int64_t size = Sizes[random(0, 7)], rank = random(2, 4);
    std::vector<int64_t> counts, gaps;
    std::vector<int> order;
    std::vector<bool> backwards;
    for (int d = 0; d < rank; ++d) {
      counts.push_back(random(1, rank == 2 ? 70 : 20));
      gaps.push_back(random(0, 2));
      backwards.push_back(random(0, 5) == 0);
      order.insert(order.begin() + random(0, d), d);
    }
    Place to(size, counts, gaps, backwards);
    // The source has its dimensions in another order in memory.
    std::vector<int64_t> there, more;
    std::vector<bool> turned;
    for (int d : order) {
      there.push_back(counts[d]);
      more.push_back(random(0, 2));
      turned.push_back(random(0, 5) == 0);
    }
    Place from(size, there, more, turned);
    MemoryBlock block = from.block;
    for (int n = 0; n < rank; ++n) {
      from.block.count[order[n]] = block.count[n];
      from.block.stride[order[n]] = block.stride[n];
    }
    check(from, to);
    if (HasFailure())
      return;
  }
}

TEST(Blocks, LargePlanesGoInBoxesOfTiles) {
  for (int64_t size : {1, 4, 16}) {
    const int64_t rows = 2 * 256 + 13, columns = 1024 / size + 11;
    Place to(size, {rows, columns}, {0, 3}, {false, false});
    Place from(size, {columns, rows}, {0, 1}, {false, true});
    std::swap(from.block.count[0], from.block.count[1]);
    std::swap(from.block.stride[0], from.block.stride[1]);
    check(from, to);
    check(to, from);
  }
}

TEST(Blocks, NothingIsNothing) {
  Place from(8, {3, 0}, {0, 0}, {false, false}),
      to(8, {3, 0}, {1, 1}, {false, false});
  check(from, to);
}
