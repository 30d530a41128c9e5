//===- TextTest.cpp - Formats and the order of output ---------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Formats print what language sections 14 and 15 say, those that do not fit are
// refused with a reason, and slabs follow each other in row-major order.
//
//===----------------------------------------------------------------------===//

#include "IO/ArrayWriter.h"
#include "IO/Format.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

using namespace zrt;

namespace {

template <typename Append>
std::string with(const char *text, int32_t type, Append append) {
  Format format;
  std::string error, out;
  if (!parseFormat(text, type, format, error))
    return error;
  append(out, format);
  return out;
}

std::string integer(const char *format, int64_t value, int bits = 32) {
  return with(format, bits == 32 ? ZRT_I32 : ZRT_I64,
              [=](auto &out, auto &chosen) {
                appendInteger(out, chosen, value, bits);
              });
}

std::string floating(const char *format, double value) {
  return with(format, ZRT_F64, [=](auto &out, auto &chosen) {
    appendFloat(out, chosen, value);
  });
}

std::string boolean(const char *format, bool value) {
  return with(format, ZRT_BOOL, [=](auto &out, auto &chosen) {
    appendBoolean(out, chosen, value);
  });
}

std::string string(const char *format, const char *value) {
  return with(format, ZRT_STR, [=](auto &out, auto &chosen) {
    appendString(out, chosen, value);
  });
}

TEST(Format, DefaultsAreThoseOfTheLanguage) {
  std::string out;
  appendInteger(out, defaultFormat(ZRT_I32, false), 42, 32);
  appendFloat(out, defaultFormat(ZRT_F64, false), 3.14159265);
  appendFloat(out, defaultFormat(ZRT_F32, true),
              std::numeric_limits<double>::infinity());
  EXPECT_EQ(out, "       42    3.1416       inf ");
  out.clear();
  appendBoolean(out, defaultFormat(ZRT_BOOL, false), true);
  appendBoolean(out, defaultFormat(ZRT_BOOL, true), true);
  appendBoolean(out, defaultFormat(ZRT_BOOL, true), false);
  appendString(out, defaultFormat(ZRT_STR, false), "x");
  EXPECT_EQ(out, "true true false x ");
}

TEST(Format, FlagsWidthPrecisionAndTextAroundAreKept) {
  EXPECT_EQ(integer("x = %5d|\n", 42), "x =    42|\n");
  EXPECT_EQ(integer("%-5d|", 42), "42   |");
  EXPECT_EQ(integer("%+05i", 42), "+0042");
  EXPECT_EQ(integer("100%% %d %%", 1), "100% 1 %");
  EXPECT_EQ(integer("%c", 'A'), "A");
  EXPECT_EQ(floating("%.2e", 12345.678), "1.23e+04");
  EXPECT_EQ(floating("%8.3f|", -0.0), "  -0.000|");
  EXPECT_EQ(string("%8.2s|", "abc"), "      ab|");
  EXPECT_EQ(floating("%.300f", 1.0).size(), 302u);
}

TEST(Format, LengthModifiersDoNotMatter) {
  EXPECT_EQ(integer("%ld", -3), "-3");
  EXPECT_EQ(integer("%hhd", 300), "300");
  EXPECT_EQ(floating("%lf", 0.5), "0.500000");
  EXPECT_EQ(floating("%Lg", 0.5), "0.5");
}

TEST(Format, NegativeValuesWrapAtTheirWidthInUnsignedConversions) {
  EXPECT_EQ(integer("%x", -1), "ffffffff");
  EXPECT_EQ(integer("%x", -1, 64), "ffffffffffffffff");
  EXPECT_EQ(integer("%u", -1), "4294967295");
  EXPECT_EQ(integer("%#o", 8), "010");
  EXPECT_EQ(integer("%d", std::numeric_limits<int64_t>::min(), 64),
            "-9223372036854775808");
}

TEST(Format, BooleansPrintAsWordsOrNumbers) {
  EXPECT_EQ(boolean("%6s|", true), "  true|");
  EXPECT_EQ(boolean("%d", true), "1");
  EXPECT_EQ(boolean("%d", false), "0");
}

TEST(Format, TheSignOfANaNIsNotShown) {
  EXPECT_EQ(floating("%f", std::nan("")), "nan");
  EXPECT_EQ(floating("%f", -std::nan("")), "nan");
}

TEST(Format, FormatsThatDoNotFitAreRefused) {
  EXPECT_EQ(integer("%f", 1),
            "format \"%f\" does not fit a value of type integer");
  EXPECT_EQ(integer("%s", 1, 64),
            "format \"%s\" does not fit a value of type longint");
  EXPECT_EQ(floating("%d\n", 1),
            "format \"%d\\n\" does not fit a value of type double");
  EXPECT_EQ(floating("%n", 1),
            "format \"%n\" does not fit a value of type double");
  EXPECT_EQ(string("%d", ""),
            "format \"%d\" does not fit a value of type string");
}

TEST(Format, FormatsWithoutExactlyOneWholeConversionAreRefused) {
  EXPECT_EQ(integer("", 1), "format \"\" has no conversion for the value");
  EXPECT_EQ(integer("100%%", 1),
            "format \"100%%\" has no conversion for the value");
  EXPECT_EQ(integer("%d %d", 1),
            "format \"%d %d\" has more than one conversion for one value");
  EXPECT_EQ(integer("%", 1), "format \"%\" ends within a conversion");
  EXPECT_EQ(integer("%5.", 1), "format \"%5.\" ends within a conversion");
  EXPECT_EQ(integer("%ll", 1), "format \"%ll\" ends within a conversion");
  EXPECT_NE(integer("%*d", 1).find("from an argument"), std::string::npos);
  EXPECT_NE(integer("%.*d", 1).find("from an argument"), std::string::npos);
  EXPECT_NE(integer("%99999d", 1).find("more than four digits"),
            std::string::npos);
}

TEST(SlabSequence, SlabsCoverRegionsInRowMajorOrderWithinTheirLimit) {
  for (int64_t a = 0; a <= 4; ++a)
    for (int64_t b = 0; b <= 4; ++b)
      for (int64_t c = 0; c <= 5; ++c)
        for (int64_t most = 1; most <= 30; ++most) {
          Range dims[] = {{1, a}, {0, b - 1}, {-2, c - 3}};
          Box region = makeBox(3, dims);
          SlabSequence slabs(region, most);
          Box slab;
          int64_t next = 0; // position of the slab's first element
          while (slabs.next(slab)) {
            ASSERT_GT(size(slab), 0);
            ASSERT_LE(size(slab), most);
            ASSERT_EQ(((slab.dim[0].lo - 1) * b + slab.dim[1].lo) * c +
                          slab.dim[2].lo + 2,
                      next);
            next += size(slab);
          }
          ASSERT_EQ(next, a * b * c);
        }
}

} // namespace
