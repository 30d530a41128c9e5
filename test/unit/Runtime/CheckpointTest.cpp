//===- CheckpointTest.cpp - Files of a program's state --------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Formats/Checkpoint.h"

#include <gtest/gtest.h>
#include <random>

using namespace zrt;

static std::string randomBytes(size_t count) {
  std::mt19937_64 engine(7);
  std::string bytes(count, '\0');
  for (char &byte : bytes)
    byte = static_cast<char>(engine());
  return bytes;
}

static uint64_t sumOf(const std::string &bytes) {
  ImageSum sum;
  sum.add(bytes.data(), bytes.size(), 0);
  return sum.value;
}

// The sum of the parts, cut anywhere and taken in any order, is that of all.
TEST(CheckpointTest, SumsOfPartsAddUp) {
  std::string bytes = randomBytes(20000);
  std::mt19937 engine(3);
  for (int round = 0; round < 50; ++round) {
    std::vector<size_t> cuts = {0, bytes.size()};
    for (int k = 0; k < 6; ++k)
      cuts.push_back(engine() % bytes.size());
    std::sort(cuts.begin(), cuts.end());
    uint64_t sum = 0;
    for (size_t k = cuts.size() - 1; k > 0; --k) {
      ImageSum part;
      part.add(bytes.data() + cuts[k - 1], cuts[k] - cuts[k - 1],
               static_cast<int64_t>(cuts[k - 1]));
      sum += part.value;
    }
    EXPECT_EQ(sum, sumOf(bytes));
  }
}

// No single bit, pair of equal bits, or exchange of two groups goes unnoticed.
TEST(CheckpointTest, ChangesChangeTheSum) {
  const std::string bytes = randomBytes(12000);
  uint64_t sum = sumOf(bytes);
  for (size_t at = 0; at + 4100 < bytes.size(); at += 37)
    for (int bit = 0; bit < 8; ++bit) {
      std::string changed = bytes;
      changed[at] = static_cast<char>(changed[at] ^ 1 << bit);
      EXPECT_NE(sumOf(changed), sum);
      for (size_t other : {at + 1, at + 4, at + 8, at + 4096}) {
        std::string both = changed;
        both[other] = static_cast<char>(both[other] ^ 1 << bit);
        EXPECT_NE(sumOf(both), sum);
      }
    }
  std::string swapped = bytes;
  std::swap_ranges(swapped.begin(), swapped.begin() + 4,
                   swapped.begin() + 4096);
  EXPECT_NE(sumOf(swapped), sum);
}

// A directory is read as it was written; what is not so is said.
TEST(CheckpointTest, DirectoriesGoRound) {
  CheckpointDirectory directory;
  directory.program = "heat";
  directory.randomNumbers = 12;
  directory.items.push_back(
      {"T", "double", "[1..8, *]", 8, 64, 64, 0xfedcba9876543210});
  std::string text = directoryText(directory);
  std::string preamble = preambleText(text, 128);
  auto size = static_cast<int64_t>(128 + text.size());
  DirectoryPlace place;
  ASSERT_EQ(readPreamble(preamble, size, place), "");
  EXPECT_EQ(place.offset, 128);
  CheckpointDirectory found;
  ASSERT_EQ(readDirectory(text, place, found), "");
  EXPECT_EQ(found.randomNumbers, 12u);
  ASSERT_NE(found.find("T"), nullptr);
  EXPECT_EQ(found.find("T")->sum, 0xfedcba9876543210);
  EXPECT_EQ(directoryText(found), text);

  EXPECT_NE(readPreamble(preamble, size - 1, place), "");
  EXPECT_NE(readPreamble(preamble.substr(0, 63), size, place), "");
  EXPECT_EQ(readPreamble("ZPLCKPT", size, place), "is no checkpoint");
  preamble[9] = 1;
  EXPECT_EQ(readPreamble(preamble, size, place),
            "is a checkpoint of version 257; this program reads version 1");
  text[10] = 'H';
  EXPECT_NE(readDirectory(text, place, found), "");
}

// What differs between a file and a program is named.
TEST(CheckpointTest, MisfitsAreNamed) {
  CheckpointItem found = {"T", "double", "[1..8]", 8, 0, 0, 0};
  CheckpointItem wanted = found;
  EXPECT_EQ(itemMisfit(found, wanted), "");
  wanted.shape = "[1..9]";
  EXPECT_EQ(itemMisfit(found, wanted),
            "has 'T' of type double over [1..8], and this program of type "
            "double over [1..9]");
  wanted = found;
  wanted.element = 4;
  EXPECT_NE(itemMisfit(found, wanted), "");
}
