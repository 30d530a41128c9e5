//===- WorkStackTest.cpp - Memory of procedures ---------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Pieces of the work stack are apart, aligned, reused by the next call, and
// freed in any order; arrays of two sizes share what both have.
//
//===----------------------------------------------------------------------===//

#include "Memory/WorkStack.h"
#include "Memory/CommonElements.h"
#include "Transport/PrivateHeap.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <random>
#include <vector>

using namespace zrt;

namespace {

class WorkStackTest : public testing::Test {
protected:
  PrivateHeap heap;
  WorkStack stack{heap};

  struct Held {
    char *memory;
    size_t bytes;
    char mark;
  };
  Held take(size_t bytes, char mark) {
    auto *memory = static_cast<char *>(stack.push(bytes));
    EXPECT_NE(memory, nullptr);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(memory) % 64, 0u);
    std::memset(memory - WorkStack::NoteBytes, mark, WorkStack::NoteBytes);
    std::memset(memory, mark, bytes);
    return {memory, bytes, mark};
  }
  void give(const Held &held) {
    for (const char *at = held.memory - WorkStack::NoteBytes;
         at != held.memory + held.bytes; ++at)
      ASSERT_EQ(*at, held.mark);
    stack.pop(held.memory);
  }
};

TEST_F(WorkStackTest, NextCallGetsTheSamePlace) {
  Held outer = take(100, 1);
  Held first = take(1000, 2);
  give(first);
  Held second = take(70, 3);
  EXPECT_EQ(first.memory, second.memory);
  give(second);
  give(outer);
  EXPECT_EQ(take(0, 4).memory, outer.memory);
}

TEST_F(WorkStackTest, CrossingChunksInALoopKeepsThem) {
  std::vector<Held> below;
  for (int i = 0; i < 3; ++i)
    below.push_back(take(80 << 10, char(i)));
  Held above = take(200 << 10, 9);
  char *place = above.memory;
  for (int i = 0; i < 100; ++i) {
    give(above);
    above = take(200 << 10, 9);
    EXPECT_EQ(above.memory, place);
  }
}

TEST_F(WorkStackTest, AnyOrderOfFrees) {
  std::mt19937 random(7);
  std::vector<Held> held;
  for (int i = 0; i < 20000; ++i) {
    if (held.empty() || random() % 2) {
      size_t most = random() % 50 ? 3000 : WorkStack::LargestPiece;
      held.push_back(take(random() % most, char(random())));
      continue;
    }
    size_t which =
        held.size() - 1 - random() % std::min<size_t>(held.size(), 5);
    give(held[which]);
    held.erase(held.begin() + static_cast<std::ptrdiff_t>(which));
  }
  for (const Held &one : held)
    give(one);
}

TEST(CommonElementsTest, BytesSaturate) {
  int64_t none[] = {INT64_MAX, 0, INT64_MAX}, much[] = {1 << 30, 1 << 30};
  EXPECT_EQ(bytesOf({3, none}, 8), 0);
  EXPECT_EQ(bytesOf({2, much}, 7), int64_t(7) << 60);
  EXPECT_EQ(bytesOf({2, much}, 8), INT64_MAX);
}

TEST(CommonElementsTest, RowsThatStayInPlace) {
  int64_t a[] = {2, 3, 4}, b[] = {9, 3, 4}, c[] = {2, 3, 5};
  EXPECT_EQ(rowBytes({3, a}, {3, b}, 2), 24);
  EXPECT_EQ(rowBytes({3, a}, {3, c}, 2), -1);
  EXPECT_EQ(rowBytes({1, a}, {1, b}, 2), 2);
}

TEST(CommonElementsTest, EveryPairOfSmallSizes) {
  auto forEach = [](auto visit) {
    for (int64_t i = 0; i < 4; ++i)
      for (int64_t j = 0; j < 4; ++j)
        for (int64_t k = 0; k < 4; ++k)
          visit(std::vector<int64_t>{i, j, k});
  };
  auto at = [](const std::vector<int64_t> &size, int64_t i, int64_t j,
               int64_t k) { return (i * size[1] + j) * size[2] + k; };
  forEach([&](std::vector<int64_t> from) {
    forEach([&](std::vector<int64_t> to) {
      std::vector<int16_t> source(64), target(64);
      for (int16_t i = 0; i < 64; ++i)
        source[static_cast<size_t>(i)] = i + 1;
      copyCommonElements(reinterpret_cast<char *>(target.data()),
                         {3, to.data()},
                         reinterpret_cast<const char *>(source.data()),
                         {3, from.data()}, sizeof(int16_t));
      for (int64_t i = 0; i < to[0]; ++i)
        for (int64_t j = 0; j < to[1]; ++j)
          for (int64_t k = 0; k < to[2]; ++k) {
            bool isCommon = i < from[0] && j < from[1] && k < from[2];
            int64_t wanted = isCommon ? at(from, i, j, k) + 1 : 0;
            ASSERT_EQ(target[static_cast<size_t>(at(to, i, j, k))], wanted);
          }
    });
  });
}

} // namespace
