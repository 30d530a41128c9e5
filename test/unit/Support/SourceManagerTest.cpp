//===- SourceManagerTest.cpp - Places in source texts ---------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every byte of a text has a line and a column, also the one behind the last;
// files that cannot be read are errors; ranges join within one file only.
//
//===----------------------------------------------------------------------===//

#include "zpl/Support/SourceManager.h"
#include <gtest/gtest.h>

using namespace zpl;

static std::string place(const SourceManager &sources, uint32_t file,
                         uint32_t offset) {
  LineColumn at = sources.lineColumn({file, offset, offset});
  return std::to_string(at.line) + ":" + std::to_string(at.column);
}

TEST(SourceManager, LinesAndColumnsCountFromOne) {
  SourceManager sources;
  uint32_t file = sources.add("a.z", "one\n\r\ntwo\r\n");
  EXPECT_EQ(place(sources, file, 0), "1:1");
  EXPECT_EQ(place(sources, file, 3), "1:4");
  EXPECT_EQ(place(sources, file, 4), "2:1");
  EXPECT_EQ(place(sources, file, 8), "3:3");
  EXPECT_EQ(place(sources, file, 11), "4:1");
  EXPECT_EQ(sources.line(file, 2), "one");
  EXPECT_EQ(sources.line(file, 4), "");
  EXPECT_EQ(sources.line(file, 9), "two");
  EXPECT_EQ(sources.line(file, 11), "");
}

TEST(SourceManager, TextsKeepTheirPlaceWhenMoreAreAdded) {
  SourceManager sources;
  uint32_t first = sources.add("a.z", "alpha");
  llvm::StringRef text = sources.text(first);
  for (int i = 0; i < 1000; ++i)
    sources.add("b.z", "beta");
  EXPECT_EQ(sources.text(first).data(), text.data());
  EXPECT_EQ(sources.text({first, 1, 3}), "lp");
  EXPECT_EQ(sources.text(SourceRange()), "");
  EXPECT_EQ(sources.size(), 1001u);
}

TEST(SourceManager, WhatIsNoFileIsAnError) {
  SourceManager sources;
  EXPECT_EQ(sources.open("/no/such/file.z").getError(),
            std::errc::no_such_file_or_directory);
  EXPECT_EQ(sources.open("/").getError(), std::errc::is_a_directory);
}

TEST(SourceRange, JoinsWithinOneFile) {
  SourceRange a{0, 5, 7}, b{0, 2, 3}, other{1, 0, 9}, none;
  EXPECT_EQ(a.to(b).begin, 2u);
  EXPECT_EQ(a.to(b).end, 7u);
  EXPECT_EQ(a.to(other).end, 7u);
  EXPECT_EQ(none.to(a).begin, 5u);
  EXPECT_FALSE(none.to(none).isValid());
}
