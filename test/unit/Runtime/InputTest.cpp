//===- InputTest.cpp - Values read from text ------------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What values print is read back; a format's conversion chooses the notation.
//
//===----------------------------------------------------------------------===//

#include "HandRegions.h"
#include "HandTypes.h"
#include "IO/Text/ValueReader.h"
#include "IO/Text/ValueText.h"

#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <limits>
#include <unistd.h>

using namespace zrt;

namespace {

/// A file with some text.
class Text {
public:
  explicit Text(const std::string &text)
      : name("'text'"), stream(std::tmpfile()),
        input(fileno(stream), name, [] {}), reader(input, name) {
    std::fputs(text.c_str(), stream);
    std::fseek(stream, 0, SEEK_SET);
  }
  ~Text() { std::fclose(stream); }

  template <typename T>
  T read(const zrt_type &type, const char *format = nullptr) {
    T value = {};
    Format own;
    std::string error;
    if (format) {
      EXPECT_TRUE(parseFormat(format, type, own, error)) << error;
    }
    reader.read(type, &value, format ? &own : nullptr);
    return value;
  }

  std::string name;
  std::FILE *stream;
  InputBuffer input;
  ValueReader reader;
};

const zrt_enumerator Seasons[] = {{"winter", 0}, {"spring", 5}};
const zrt_type Season = hand::enumeration("season", Seasons);
const zrt_range Two[] = {{1, 2}};
const zrt_type Integers = hand::array(hand::Integer, 8, Two);

struct Point {
  double x;
  int32_t season;
  int32_t v[2];
  char c;
};
const zrt_field PointFields[] = {{"x", offsetof(Point, x), &hand::Double},
                                 {"s", offsetof(Point, season), &Season},
                                 {"v", offsetof(Point, v), &Integers},
                                 {"c", offsetof(Point, c), &hand::Char}};
const zrt_type PointType = hand::record("point", sizeof(Point), PointFields);

TEST(ValueReader, ConversionsChooseTheNotation) {
  Text text("12 -7 0x1F ff 17 010 +5 40000 ffff 3");
  EXPECT_EQ(text.read<int32_t>(hand::Integer), 12);
  EXPECT_EQ(text.read<int8_t>(hand::SByte), -7);
  EXPECT_EQ(text.read<int32_t>(hand::Integer, "%i"), 31);
  EXPECT_EQ(text.read<uint8_t>(hand::UByte, "%x"), 255);
  EXPECT_EQ(text.read<int64_t>(hand::LongInt, "%o"), 15);
  EXPECT_EQ(text.read<int32_t>(hand::Integer, "%i"), 8);
  EXPECT_EQ(text.read<uint64_t>(hand::ULongInt), 5u);
  EXPECT_EQ(text.read<uint16_t>(hand::UShortInt), 40000);
  EXPECT_EQ(text.read<int16_t>(hand::ShortInt, "%x"), -1);
  EXPECT_EQ(text.read<int32_t>(hand::Integer, " %d\n"), 3);
}

TEST(ValueReader, TextAroundAConversionIsMatchedBlanksLoosely) {
  Text text("x=1,\n  y= 2; 3x4 123456");
  EXPECT_EQ(text.read<int32_t>(hand::Integer, "x = %d,"), 1);
  EXPECT_EQ(text.read<int32_t>(hand::Integer, "y= %d ;"), 2);
  EXPECT_EQ(text.read<int32_t>(hand::Integer, "%dx"), 3);
  EXPECT_EQ(text.read<int32_t>(hand::Integer), 4);
  EXPECT_EQ(text.read<int32_t>(hand::Integer, "%3d"), 123);
  EXPECT_EQ(text.read<int32_t>(hand::Integer, "%3d"), 456);
}

TEST(ValueReader, FloatingNumbersOfAllKinds) {
  Text text("1 -2.5e-3 .5 7. inf -Infinity nan 1e-400 0.1 1e4000 12345678.9");
  EXPECT_EQ(text.read<double>(hand::Double), 1);
  EXPECT_EQ(text.read<double>(hand::Double), -2.5e-3);
  EXPECT_EQ(text.read<float>(hand::Float), 0.5f);
  EXPECT_EQ(text.read<double>(hand::Double), 7);
  EXPECT_EQ(text.read<double>(hand::Double),
            std::numeric_limits<double>::infinity());
  EXPECT_EQ(text.read<double>(hand::Double),
            -std::numeric_limits<double>::infinity());
  EXPECT_TRUE(std::isnan(text.read<double>(hand::Double)));
  EXPECT_EQ(text.read<double>(hand::Double), 0);
  EXPECT_EQ(text.read<long double>(hand::Quad), 0.1L);
  EXPECT_EQ(text.read<long double>(hand::Quad), 1e4000L);
  EXPECT_EQ(text.read<double>(hand::Double), 12345678.9);
}

TEST(ValueReader, ComplexNumbers) {
  using Complex = std::complex<double>;
  Text text("   1.5000 +   -0.2500i2 - 3i (4,5) inf + -infi");
  EXPECT_EQ(text.read<Complex>(hand::DComplex), Complex(1.5, -0.25));
  EXPECT_EQ(text.read<Complex>(hand::DComplex), Complex(2, -3));
  EXPECT_EQ(text.read<Complex>(hand::DComplex, "(%g,%g)"), Complex(4, 5));
  Complex last = text.read<Complex>(hand::DComplex);
  EXPECT_TRUE(last.real() > 0 && std::isinf(last.real()));
  EXPECT_TRUE(last.imag() < 0 && std::isinf(last.imag()));
}

TEST(ValueReader, WordsCharactersAndStrings) {
  Text text("true  winter 5 0 x yz word,\nand more");
  EXPECT_EQ(text.read<uint8_t>(hand::Boolean), 1);
  EXPECT_EQ(text.read<int32_t>(Season), 0);
  EXPECT_EQ(text.read<int32_t>(Season, "%d"), 5);
  EXPECT_EQ(text.read<uint8_t>(hand::Boolean, "%d"), 0);
  EXPECT_EQ(text.read<char>(hand::Char), ' ');
  EXPECT_EQ(text.read<char>(hand::Char), 'x');
  EXPECT_EQ(text.read<char>(hand::Char, " %c"), 'y');
  EXPECT_EQ(text.read<int32_t>(hand::Integer, "%c"), 'z');
  text.read<const char *>(hand::String);
  text.read<const char *>(hand::String, "%2s");
  text.read<const char *>(hand::String);
  ASSERT_EQ(text.reader.strings.size(), 3u);
  EXPECT_EQ(text.reader.strings[0].text, "word,");
  EXPECT_EQ(text.reader.strings[1].text, "an");
  EXPECT_EQ(text.reader.strings[2].text, "d");
}

TEST(ValueReader, RecordsAreReadAsTheyPrint) {
  Point point = {-1.25, 5, {3, 4}, '}'};
  std::string printed;
  appendValue(printed, PointType, &point, nullptr, false);
  EXPECT_EQ(printed, "{x: -1.25, s: spring, v: 3 4, c: }}");
  Text text(printed + "\n{ x :2,\n s: winter , v: 1\n2, c: k }");
  Point read = text.read<Point>(PointType);
  EXPECT_EQ(read.x, -1.25);
  EXPECT_EQ(read.season, 5);
  EXPECT_EQ(read.v[1], 4);
  EXPECT_EQ(read.c, '}');
  EXPECT_EQ(text.read<Point>(PointType).c, 'k');
}

TEST(ValueReader, ErrorsShowTheWholeWordAndItsPlace) {
  auto fails = [](const char *input, const zrt_type &type, const char *format,
                  const std::string &message) {
    EXPECT_DEATH(Text(input).read<Point>(type, format), message) << input;
  };
  fails("\n  12x", hand::Integer, nullptr,
        "'text', line 2, column 3: expected integer, found \"12x\"");
  fails("1.5", hand::Integer, nullptr, "expected integer, found \"1.5\"");
  fails("300", hand::UByte, nullptr, "300 does not fit ubyte");
  fails("-1", hand::UInteger, nullptr, "-1 does not fit uinteger");
  fails("1e999", hand::Double, nullptr, "1e999 does not fit double");
  fails("yes", hand::Boolean, nullptr, "expected true or false, found \"yes\"");
  fails("summer", Season, nullptr,
        "expected one of .winter, spring.*, found \"summer\"");
  fails("5 x", hand::Integer, "%d,", "column 2: expected \",\", found a blank");
  fails("{x: 1, t: 2}", PointType, nullptr,
        "column 8: expected s, found \"t:\"");
  fails("", hand::Char, nullptr, "expected char, found the end of the file");
}

} // namespace
