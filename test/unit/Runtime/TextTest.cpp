//===- TextTest.cpp - Values as text and the order of output --------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Values print what language sections 14 and 15 say, numbers the very bytes of
// C's printf, formats that do not fit are refused with a reason, and slabs
// follow each other in row-major order.
//
//===----------------------------------------------------------------------===//

#include "HandTypes.h"
#include "IO/Slabs.h"
#include "IO/Text/NumberText.h"
#include "IO/Text/ValueText.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <complex>
#include <limits>
#include <random>

using namespace zrt;

namespace {

/// \p value written with \p format, or why that is refused; null: the default.
template <typename T>
std::string with(const char *format, const zrt_type &type, const T &value,
                 bool element = false) {
  Format own;
  std::string error, out;
  if (!hasText(type, error) ||
      (format && !parseFormat(format, type, own, error)))
    return error;
  appendValue(out, type, &value, format ? &own : nullptr, element);
  return out;
}

std::string integer(const char *format, int32_t value) {
  return with(format, hand::Integer, value);
}
std::string longint(const char *format, int64_t value) {
  return with(format, hand::LongInt, value);
}
std::string floating(const char *format, double value) {
  return with(format, hand::Double, value);
}
std::string boolean(const char *format, bool value) {
  return with(format, hand::Boolean, static_cast<uint8_t>(value));
}
std::string string(const char *format, const char *value) {
  return with(format, hand::String, value);
}

const zrt_enumerator Seasons[] = {{"winter", 0}, {"spring", 5}};
const zrt_type Season = hand::enumeration("season", Seasons);
const zrt_range Three[] = {{1, 3}};
const zrt_type Integers = hand::array(hand::Integer, 12, Three);
const zrt_type Flags = hand::array(hand::Boolean, 3, Three);

struct Point {
  double x;
  int32_t k;
  int32_t v[3];
  const char *s;
};
const zrt_field PointFields[] = {{"x", offsetof(Point, x), &hand::Double},
                                 {"k", offsetof(Point, k), &hand::Integer},
                                 {"v", offsetof(Point, v), &Integers},
                                 {"s", offsetof(Point, s), &hand::String}};
const zrt_type PointType = hand::record("point", sizeof(Point), PointFields);

TEST(Format, DefaultsAreThoseOfTheLanguage) {
  EXPECT_EQ(integer(nullptr, 42), "       42 ");
  EXPECT_EQ(longint(nullptr, -5000000000), "-5000000000 ");
  EXPECT_EQ(with(nullptr, hand::UInteger, 4000000000u), "4000000000 ");
  EXPECT_EQ(with(nullptr, hand::ShortInt, int16_t(-300)), "     -300 ");
  EXPECT_EQ(with(nullptr, hand::SByte, int8_t(-3)), "-3 ");
  EXPECT_EQ(with(nullptr, hand::UByte, uint8_t(200)), "200 ");
  EXPECT_EQ(with(nullptr, hand::Char, 'k'), "k");
  EXPECT_EQ(floating(nullptr, 3.14159265), "   3.1416 ");
  EXPECT_EQ(with(nullptr, hand::Float, std::numeric_limits<float>::infinity()),
            "      inf ");
  EXPECT_EQ(with(nullptr, hand::Quad, 1.0L / 3), "   0.3333 ");
  EXPECT_EQ(with(nullptr, hand::DComplex, std::complex<double>(1.5, -0.25)),
            "   1.5000 +   -0.2500i");
  EXPECT_EQ(boolean(nullptr, true), "true");
  EXPECT_EQ(with(nullptr, hand::Boolean, uint8_t(1), true), " true ");
  EXPECT_EQ(string(nullptr, "x"), "x ");
  EXPECT_EQ(string(nullptr, nullptr), " "); // as memory starts
  EXPECT_EQ(with(nullptr, Season, int32_t(5)), "spring ");
  EXPECT_EQ(with(nullptr, Season, int32_t(7)), "7 ");
}

TEST(Format, RecordsAndArraysPrintTheirParts) {
  int32_t v[] = {1, -2, 30};
  EXPECT_EQ(with(nullptr, Integers, v), "        1        -2        30 ");
  EXPECT_EQ(with("%d,", Integers, v), "1,-2,30,");
  uint8_t flags[] = {1, 0, 1};
  EXPECT_EQ(with(nullptr, Flags, flags), "truefalsetrue");
  Point point = {1.5, 3, {1, 2, 3}, "a b"};
  EXPECT_EQ(with(nullptr, PointType, point),
            "{x: 1.5, k: 3, v: 1 2 3, s: a b}");
  point.x = -200;
  EXPECT_EQ(with(nullptr, PointType, point, true),
            "{x: -200, k: 3, v: 1 2 3, s: a b} ");
  EXPECT_EQ(with("%d", PointType, point),
            "format \"%d\" does not fit a value of type point");
  EXPECT_EQ(with(nullptr, hand::File, int64_t(3)),
            "values of type file have no text");
}

TEST(Format, FlagsWidthPrecisionAndTextAroundAreKept) {
  EXPECT_EQ(integer("x = %5d|\n", 42), "x =    42|\n");
  EXPECT_EQ(integer("%-5d|", 42), "42   |");
  EXPECT_EQ(integer("%+05i", 42), "+0042");
  EXPECT_EQ(integer("%8.4d|", 42), "    0042|");
  EXPECT_EQ(integer("%.0d|", 0), "|");
  EXPECT_EQ(integer("%#x", 42), "0x2a");
  EXPECT_EQ(integer("100%% %d %%", 1), "100% 1 %");
  EXPECT_EQ(integer("%c", 'A'), "A");
  EXPECT_EQ(with("%3c|", hand::Char, 'Z'), "  Z|");
  EXPECT_EQ(with("%d", hand::Char, '\xff'), "255");
  EXPECT_EQ(floating("%.2e", 12345.678), "1.23e+04");
  EXPECT_EQ(floating("%8.3f|", -0.0), "  -0.000|");
  EXPECT_EQ(floating("%08.2f|", -3.14159), "-0003.14|");
  EXPECT_EQ(floating("%G", 1e-10), "1E-10");
  EXPECT_EQ(string("%8.2s|", "abc"), "      ab|");
  EXPECT_EQ(floating("%.300f", 1.0).size(), 302u);
  EXPECT_EQ(with("(%g, %g)", hand::DComplex, std::complex<double>(1, 2)),
            "(1, 2)");
}

TEST(Format, LengthModifiersDoNotMatter) {
  EXPECT_EQ(integer("%ld", -3), "-3");
  EXPECT_EQ(integer("%hhd", 300), "300");
  EXPECT_EQ(floating("%lf", 0.5), "0.500000");
  EXPECT_EQ(floating("%Lg", 0.5), "0.5");
}

TEST(Format, NegativeValuesWrapAtTheirWidthInUnsignedConversions) {
  EXPECT_EQ(integer("%x", -1), "ffffffff");
  EXPECT_EQ(longint("%x", -1), "ffffffffffffffff");
  EXPECT_EQ(with("%x", hand::ShortInt, int16_t(-1)), "ffff");
  EXPECT_EQ(integer("%u", -1), "4294967295");
  EXPECT_EQ(integer("%#o", 8), "010");
  EXPECT_EQ(longint("%d", std::numeric_limits<int64_t>::min()),
            "-9223372036854775808");
  EXPECT_EQ(with("%d", hand::ULongInt, ~uint64_t(0)), "18446744073709551615");
}

TEST(Format, BooleansAndEnumerationsPrintAsWordsOrNumbers) {
  EXPECT_EQ(boolean("%6s|", true), "  true|");
  EXPECT_EQ(boolean("%d", true), "1");
  EXPECT_EQ(boolean("%d", false), "0");
  EXPECT_EQ(with("%8s|", Season, int32_t(0)), "  winter|");
  EXPECT_EQ(with("%d", Season, int32_t(5)), "5");
}

TEST(Format, TheSignOfANaNIsNotShown) {
  EXPECT_EQ(floating("%f", std::nan("")), "nan");
  EXPECT_EQ(floating("%F", -std::nan("")), "NAN");
  EXPECT_EQ(floating("%06.1f|", -std::numeric_limits<double>::infinity()),
            "  -inf|");
}

TEST(Format, FormatsThatDoNotFitAreRefused) {
  EXPECT_EQ(integer("%f", 1),
            "format \"%f\" does not fit a value of type integer");
  EXPECT_EQ(longint("%s", 1),
            "format \"%s\" does not fit a value of type longint");
  EXPECT_EQ(floating("%d\n", 1),
            "format \"%d\\n\" does not fit a value of type double");
  EXPECT_EQ(floating("%n", 1),
            "format \"%n\" does not fit a value of type double");
  EXPECT_EQ(string("%d", ""),
            "format \"%d\" does not fit a value of type string");
  EXPECT_EQ(with("%g", hand::DComplex, std::complex<double>()),
            "format \"%g\" has one conversion for a complex value, which "
            "needs two");
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

/// What C prints.
template <typename T> std::string printed(const std::string &spec, T value) {
  char text[512];
  int length = std::snprintf(text, sizeof text, spec.c_str(), value);
  return std::string(text, static_cast<size_t>(length));
}

/// A random double: any bits, or a decimal number of few digits, of which many
/// lie between two decimals of fewer digits.
double randomDouble(std::mt19937_64 &random) {
  switch (random() % 4) {
  case 0: {
    double value = std::bit_cast<double>(random());
    return std::isnan(value) ? 1 : value;
  }
  case 1:
    return static_cast<double>(static_cast<int64_t>(random() % 2000001) -
                               1000000) /
           1024;
  case 2:
    return static_cast<double>(random() % 1000000) * 1e-5;
  default:
    return std::ldexp(static_cast<double>(random() >> 11),
                      static_cast<int>(random() % 120) - 100);
  }
}

TEST(NumberText, FloatingNumbersHaveTheBytesOfPrintf) {
  const char *const Specs[] = {"%9.4f", "%f",  "%.0f",     "%.1f",  "%.15f",
                               "%.3e",  "%g",  "%-12.5g|", "%+.2f", "% 010.3f",
                               "%#.0f", "%#g", "%G",       "%.16f", "%E"};
  std::mt19937_64 random(1);
  for (const char *spec : Specs) {
    Format format;
    std::string error;
    ASSERT_TRUE(parseFormat(spec, hand::Double, format, error)) << error;
    for (int k = 0; k < 50000; ++k) {
      double value = randomDouble(random);
      std::string out;
      appendValue(out, hand::Double, &value, &format, false);
      ASSERT_EQ(out, printed(spec, value)) << spec;
    }
  }
}

TEST(NumberText, IntegersHaveTheBytesOfPrintf) {
  const char *const Specs[] = {
      "%9lld", "%lld",    "%+lld",   "% .5lld", "%-8lld|", "%llx",    "%#llX",
      "%llo",  "%#.4llo", "%020llu", "%.0lld",  "%#.3llx", "%08.4lld"};
  std::mt19937_64 random(2);
  for (const char *spec : Specs)
    for (int k = 0; k < 5000; ++k) {
      int64_t value = static_cast<int64_t>(random() >> random() % 64);
      value = random() % 2 ? -value : value;
      ASSERT_EQ(longint(spec, value),
                printed(spec, static_cast<long long>(value)))
          << spec;
    }
}

TEST(SlabSequence, SlabsCoverRegionsInRowMajorOrderWithinTheirLimit) {
  for (int64_t a = 0; a <= 4; ++a)
    for (int64_t b = 0; b <= 4; ++b)
      for (int64_t c = 0; c <= 5; ++c)
        for (int64_t most = 1; most <= 30; ++most) {
          // b and c are counts of indices that are 3 and 2 apart
          Box region = emptyBox(3);
          region.dim[0] = seqOf(Range{1, a});
          region.dim[1] = seqOf({0, 3 * b - 1}, 3, 0);
          region.dim[2] = seqOf({-2, 2 * c - 3}, 2, 0);
          SlabSequence slabs(region, most);
          Box slab;
          int64_t next = 0; // position of the slab's first element
          while (slabs.next(slab)) {
            ASSERT_GT(size(slab), 0);
            ASSERT_LE(size(slab), most);
            ASSERT_TRUE(contains(region, slab));
            ASSERT_EQ(((slab.dim[0].lo - 1) * b + slab.dim[1].lo / 3) * c +
                          slab.dim[2].lo / 2 + 1,
                      next);
            next += size(slab);
          }
          ASSERT_EQ(next, a * b * c);
        }
}

} // namespace
