//===- SharingTest.cpp - Two names for one memory -------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Entry/Library/Sharing.h"
#include "gtest/gtest.h"
#include <random>
#include <set>

using namespace zrt;

namespace {

char memory[4096];

zpl_view makeView(int64_t offset, int64_t size,
                  std::initializer_list<std::pair<int64_t, int64_t>> dims) {
  zpl_view view = {};
  view.data = memory + 2048 + offset;
  view.size = size;
  for (auto [extent, stride] : dims) {
    view.extent[view.rank] = extent;
    view.stride[view.rank++] = stride;
  }
  return view;
}

std::set<char *> bytesOf(const zpl_view &view) {
  std::set<char *> bytes;
  int64_t place[ZPL_MAX_RANK] = {};
  for (;;) {
    char *at = static_cast<char *>(view.data);
    for (int d = 0; d < view.rank; ++d) {
      if (view.extent[d] == 0)
        return {};
      at += place[d] * view.stride[d];
    }
    for (int64_t k = 0; k < view.size; ++k)
      bytes.insert(at + k);
    int d = view.rank;
    while (d > 0 && ++place[d - 1] == view.extent[d - 1])
      place[--d] = 0;
    if (d == 0)
      return bytes;
  }
}

bool haveCommonBytes(const zpl_view &a, const zpl_view &b) {
  std::set<char *> bytes = bytesOf(a);
  for (char *byte : bytesOf(b))
    if (bytes.count(byte))
      return true;
  return false;
}

} // namespace

TEST(SharingTest, SlicesShareMemoryOnlyWhereElementsMeet) {
  // x of 4 x 6 doubles: x[:, 0:3], x[:, 3:6]; x[0:3], x[1:4]; x[::2], x[1::2]
  EXPECT_FALSE(shareMemory(makeView(0, 8, {{4, 48}, {3, 8}}),
                           makeView(24, 8, {{4, 48}, {3, 8}})));
  EXPECT_TRUE(shareMemory(makeView(0, 8, {{3, 48}, {6, 8}}),
                          makeView(48, 8, {{3, 48}, {6, 8}})));
  EXPECT_FALSE(shareMemory(makeView(0, 8, {{2, 96}, {6, 8}}),
                           makeView(48, 8, {{2, 96}, {6, 8}})));
  EXPECT_TRUE(
      shareMemory(makeView(0, 8, {{10, 8}}), makeView(72, 8, {{1, 8}})));
  EXPECT_FALSE(
      shareMemory(makeView(0, 8, {{9, 8}}), makeView(72, 8, {{1, 8}})));
  EXPECT_FALSE(shareMemory(makeView(0, 8, {{0, 8}}), makeView(0, 8, {{4, 8}})));
}

TEST(SharingTest, RandomViewsAgreeWithTheirBytes) {
  std::mt19937 random(1);
  auto pick = [&](int lo, int hi) {
    return std::uniform_int_distribution<int64_t>(lo, hi)(random);
  };
  int shared = 0;
  for (int round = 0; round < 3000; ++round) {
    auto make = [&] {
      return makeView(
          pick(-40, 40), int64_t(1) << pick(0, 3),
          {{pick(0, 4), 4 * pick(-9, 9)}, {pick(1, 5), 8 * pick(-2, 2)}});
    };
    zpl_view a = make(), b = make();
    EXPECT_EQ(shareMemory(a, b), haveCommonBytes(a, b)) << "round " << round;
    shared += haveCommonBytes(a, b);
  }
  EXPECT_GT(shared, 300);
  EXPECT_LT(shared, 2700);
}
