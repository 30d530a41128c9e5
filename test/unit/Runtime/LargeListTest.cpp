//===- LargeListTest.cpp - Lists that may be large ------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A list keeps what it has while it grows and shrinks, from malloc to pages of
// its own, to huge ones, and back.
//
//===----------------------------------------------------------------------===//

#include "Support/LargeList.h"

#include <gtest/gtest.h>

#include <numeric>
#include <vector>

using namespace zrt;

namespace {

/// A list of 0, 1, 2, ...
void expectCounts(const LargeList<int32_t> &list, size_t count) {
  ASSERT_EQ(list.size(), count);
  for (size_t k = 0; k < count; ++k)
    if (list[k] != static_cast<int32_t>(k))
      FAIL() << "at " << k;
}

TEST(LargeList, KeepsWhatItHasAsItGrows) {
  LargeList<int32_t> list;
  EXPECT_TRUE(list.empty());
  for (int32_t k = 0; k < 3000000; ++k)
    list.push_back(k);
  expectCounts(list, 3000000);
}

TEST(LargeList, KeepsWhatIsLeftAsItIsFitted) {
  // 4 MB are a million numbers.
  for (size_t from : {size_t(4000000), size_t(1100000), size_t(70000)})
    for (size_t to : {size_t(2000000), size_t(1048577), size_t(80000),
                      size_t(60000), size_t(10), size_t(0)}) {
      if (to > from)
        continue;
      LargeList<int32_t> list(from);
      std::iota(list.begin(), list.end(), 0);
      list.resize(to);
      list.fit();
      expectCounts(list, to);
      for (size_t k = to; k < from; ++k) // and grows again
        list.push_back(static_cast<int32_t>(k));
      expectCounts(list, from);
    }
}

TEST(LargeList, CopiesAndMoves) {
  LargeList<int32_t> list(1500000);
  std::iota(list.begin(), list.end(), 0);
  LargeList<int32_t> copy = list, moved = std::move(list);
  expectCounts(copy, 1500000);
  expectCounts(moved, 1500000);
  moved = LargeList<int32_t>();
  EXPECT_TRUE(moved.empty());
  copy[0] = 5;
  moved = copy;
  copy[0] = 6;
  EXPECT_EQ(moved[0], 5);
}

TEST(LargeList, TakesSpansAndWhatIsWrittenBehindItsEnd) {
  LargeList<int32_t> list;
  std::vector<int32_t> part = {0, 1, 2};
  list.append(part);
  list.append({part.data(), 0});
  int32_t *behind = list.extend(1000);
  std::iota(behind, behind + 1000, 3);
  list.resize(503);
  expectCounts(list, 503);
  EXPECT_EQ(list.back(), 502);
}

} // namespace
