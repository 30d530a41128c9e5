//===- StringHeapTest.cpp - Memory of strings -----------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is marked is kept where it is, the lines of all else are filled again,
// and memory does not grow with the number of strings made.
//
//===----------------------------------------------------------------------===//

#include "Memory/StringHeap.h"

#include <gtest/gtest.h>

#include <cstring>
#include <string>

using namespace zrt;

namespace {

constexpr size_t Start = 0x130000000000, Most = size_t(1) << 30;

char *makeText(StringHeap &heap, const std::string &text) {
  char *made = heap.make(text.size() + 1);
  std::memcpy(made, text.c_str(), text.size() + 1);
  return made;
}

uintptr_t addressOf(const char *text) {
  return reinterpret_cast<uintptr_t>(text);
}

TEST(StringHeap, StringsLieOneBehindTheOther) {
  StringHeap heap(Start, Most);
  char *first = makeText(heap, "one"), *second = makeText(heap, "two");
  EXPECT_EQ(addressOf(first), Start);
  EXPECT_EQ(second, first + 4);
  EXPECT_STREQ(first, "one");
  EXPECT_TRUE(heap.owns(addressOf(second)));
  EXPECT_FALSE(heap.owns(Start - 1));
}

TEST(StringHeap, WhatIsMarkedStaysAndTheRestIsFilledAgain) {
  StringHeap heap(Start, Most);
  std::string longText(1000, 'l');
  char *kept = nullptr, *keptLong = nullptr;
  for (int k = 0; k < 1000; ++k) {
    char *made = makeText(heap, "text " + std::to_string(k));
    if (k == 500) {
      kept = made;
      keptLong = makeText(heap, longText);
    }
  }
  heap.startMarks();
  heap.mark(addressOf(kept));
  heap.mark(addressOf(keptLong));
  heap.mark(12345); // no string
  heap.sweep(0);
  EXPECT_TRUE(heap.isKept(addressOf(kept)));
  EXPECT_FALSE(heap.isKept(Start));
  EXPECT_EQ(addressOf(makeText(heap, "again")), Start);
  for (int k = 0; k < 1000; ++k)
    makeText(heap, "other " + std::to_string(k));
  EXPECT_STREQ(kept, "text 500");
  EXPECT_EQ(keptLong, longText);
}

TEST(StringHeap, StringsOfManyLinesHaveAPlaceOfTheirOwn) {
  StringHeap heap(Start, Most);
  std::string large(3 << 20, 'x');
  char *small = makeText(heap, "small");
  char *made = makeText(heap, large);
  EXPECT_EQ(makeText(heap, "beside"), small + 6);
  EXPECT_EQ(made, large);
  heap.startMarks();
  heap.mark(addressOf(made));
  heap.sweep(0);
  makeText(heap, std::string(2 << 20, 'y'));
  EXPECT_EQ(made, large);
}

TEST(StringHeap, ALoopTakesNoMoreMemory) {
  StringHeap heap(Start, Most);
  uintptr_t last = 0;
  for (int k = 0; k < 3000000; ++k) {
    std::string text = "name " + std::to_string(k);
    if (heap.isDue(text.size() + 1)) {
      heap.startMarks();
      heap.sweep(0);
    }
    last = std::max(last, addressOf(makeText(heap, text)));
  }
  EXPECT_LT(last, Start + (2 << 20));
}

TEST(StringHeap, TheSameMarksGiveTheSameAddresses) {
  uintptr_t ends[2];
  for (uintptr_t &end : ends) {
    StringHeap heap(Start, Most);
    for (int round = 0; round < 20; ++round) {
      for (int k = 0; k < 1000; ++k) {
        char *made = makeText(heap, std::string(size_t(k % 300), 'z'));
        end = addressOf(made);
      }
      heap.startMarks();
      heap.mark(end);
      heap.sweep(0);
    }
  }
  EXPECT_EQ(ends[0], ends[1]);
}

} // namespace
