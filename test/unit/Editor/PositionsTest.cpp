//===- PositionsTest.cpp - Bytes and UTF-16 units -------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Places go from bytes to UTF-16 units and back, for characters of every
// length, for bytes that are no UTF-8 and for places that do not exist; changes
// of ranges and URIs do what the protocol says.
//
//===----------------------------------------------------------------------===//

#include "zpl/Editor/Positions.h"
#include <gtest/gtest.h>

using namespace zpl::editor;

TEST(Positions, CountsUnitsNotBytes) {
  LineTable lines("x := \"é𝄞\"; y\nb");
  // é has two bytes and one unit, 𝄞 four bytes and two units.
  EXPECT_EQ(lines.position(6), (Position{0, 6}));
  EXPECT_EQ(lines.position(8), (Position{0, 7}));
  EXPECT_EQ(lines.position(12), (Position{0, 9}));
  EXPECT_EQ(lines.position(15), (Position{0, 12}));
  EXPECT_EQ(lines.offset({0, 12}), 15u);
  EXPECT_EQ(lines.offset({0, 9}), 12u);
  EXPECT_EQ(lines.position(17), (Position{1, 0}));
}

TEST(Positions, TakesTheBeginningWithinASurrogatePair) {
  LineTable lines("𝄞x");
  EXPECT_EQ(lines.offset({0, 1}), 0u);
  EXPECT_EQ(lines.offset({0, 2}), 4u);
}

TEST(Positions, TakesTheEndBeyondALineOrTheText) {
  LineTable lines("ab\r\ncd\n");
  EXPECT_EQ(lines.lines(), 3u);
  EXPECT_EQ(lines.offset({0, 99}), 2u);
  EXPECT_EQ(lines.offset({2, 0}), 7u);
  EXPECT_EQ(lines.offset({99, 0}), 7u);
  EXPECT_EQ(lines.position(99), (Position{2, 0}));
  EXPECT_EQ(lines.line(0), "ab");
}

TEST(Positions, CountsBytesThatAreNoUtf8) {
  LineTable lines("\xFF\xC3(x\xF0\x9F");
  for (unsigned at = 0; at < 6; ++at) {
    EXPECT_EQ(lines.position(at), (Position{0, at}));
    EXPECT_EQ(lines.offset({0, at}), at);
  }
}

TEST(Positions, GoesThereAndBackAtEveryCharacter) {
  std::string text = "aé𝄞€\n\n-- ß\n𝄞𝄞";
  LineTable lines(text);
  for (uint32_t at = 0; at <= text.size(); ++at) {
    bool isWithin = (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80;
    EXPECT_EQ(lines.offset(lines.position(at)) == at, !isWithin);
  }
}

TEST(Positions, ReplacesRanges) {
  std::string text = "one\ntwo\nthree";
  replaceRange(text, {{0, 2}, {2, 1}}, "X");
  EXPECT_EQ(text, "onXhree");
  replaceRange(text, {{0, 3}, {0, 3}}, "\n");
  EXPECT_EQ(text, "onX\nhree");
  replaceRange(text, {{1, 4}, {0, 3}}, "");
  EXPECT_EQ(text, "onX");
}

TEST(Positions, ReadsAndWritesUris) {
  EXPECT_EQ(pathOfUri("file:///a%20b/%C3%A9.z"), "/a b/é.z");
  EXPECT_EQ(pathOfUri("file://localhost/a"), "/a");
  EXPECT_EQ(pathOfUri("file:///100%"), "/100%");
  EXPECT_EQ(pathOfUri("untitled:1"), "untitled:1");
  EXPECT_EQ(uriOfPath("/a b/é.z"), "file:///a%20b/%C3%A9.z");
  EXPECT_EQ(uriOfPath("/a/./c/../b"), "file:///a/b");
}
