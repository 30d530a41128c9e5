//===- StringArenaTest.cpp - Strings at equal addresses -------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Equal texts in equal order get equal addresses in every process, each text
// takes memory once, and a taken address is an error that says so.
//
//===----------------------------------------------------------------------===//

#include "Memory/StringArena.h"

#include <gtest/gtest.h>

#include <string>
#include <sys/mman.h>

using namespace zrt;

namespace {

TEST(StringArena, EqualTextsAreOneString) {
  StringArena arena;
  const char *north = arena.intern("north");
  const char *empty = arena.intern("");
  EXPECT_STREQ(north, "north");
  EXPECT_STREQ(empty, "");
  EXPECT_EQ(arena.intern(std::string("nor") + "th"), north);
  EXPECT_EQ(arena.intern(std::string_view("north\0pole", 10)), north)
      << "a string ends at its first 0";
  EXPECT_EQ(arena.intern(""), empty);
}

TEST(StringArena, AddressesDependOnTheOrderOnly) {
  const char *first[100], *second[100];
  for (const char **round : {first, second}) {
    StringArena arena;
    for (int k = 0; k < 100; ++k)
      round[k] = arena.intern(std::string(static_cast<size_t>(k), 'x'));
  }
  EXPECT_EQ(first[0], reinterpret_cast<char *>(StringArena::Start));
  EXPECT_TRUE(std::equal(first, first + 100, second));
}

TEST(StringArena, TheSameWordsInALoopTakeMemoryOnce) {
  StringArena arena;
  for (int round = 0; round < 1000; ++round)
    for (int k = 0; k < 100; ++k)
      arena.intern("word " + std::to_string(k));
  EXPECT_LT(arena.intern("after"),
            reinterpret_cast<char *>(StringArena::Start) + 800);
}

TEST(StringArena, LongStringsGrowIt) {
  StringArena arena;
  std::string text(5 << 20, 'y');
  const char *copy = arena.intern(text);
  EXPECT_EQ(text, copy);
  EXPECT_STREQ(arena.intern("next"), "next");
  EXPECT_EQ(text, copy);
}

TEST(StringArenaDeathTest, ATakenAddressIsAnError) {
  void *taken = mmap(reinterpret_cast<void *>(StringArena::Start), 4096,
                     PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
  ASSERT_NE(taken, MAP_FAILED);
  {
    StringArena arena; // programs without new strings do not care
    EXPECT_EXIT(arena.intern("x"), testing::ExitedWithCode(1),
                "cannot keep strings at address 0x120000000000: something else "
                "is there");
  }
  munmap(taken, 4096);
}

} // namespace
