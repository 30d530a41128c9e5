//===- ConfigTest.cpp - Values and parts of config variables --------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// NAME=VALUE stores what it says in variables of every type and their parts, or
// is refused with a message that names the mistake and what there is.
//
//===----------------------------------------------------------------------===//

#include "Entry/Config/Config.h"
#include "Entry/Config/ConfigWords.h"
#include "HandTypes.h"

#include <gtest/gtest.h>

#include <complex>
#include <cstddef>
#include <limits>

using namespace zrt;

namespace {

constexpr zrt_enumerator Classes[] = {{"S", 0}, {"W", 5}, {"A", 6}};
constexpr zrt_type Class = hand::enumeration("class", Classes);
struct PointValue {
  double x, y;
  std::complex<float> c;
};
constexpr zrt_field PointFields[] = {{"x", 0, &hand::Double},
                                     {"y", 8, &hand::Double},
                                     {"c", 16, &hand::Complex}};
constexpr zrt_type Point = hand::record("point", 24, PointFields);
constexpr zrt_range ClassRange[] = {{0, 6}};
constexpr const zrt_type *ByClass[] = {&Class};
constexpr zrt_type Sizes = hand::array(hand::Integer, 28, ClassRange, ByClass);
constexpr zrt_range TwoRanges[] = {{1, 2}, {-1, 1}};
constexpr zrt_type Table = hand::array(Point, 6 * 24, TwoRanges);
constexpr zrt_range Three[] = {{1, 3}};
constexpr zrt_type Nested = hand::array(Table, 3 * 6 * 24, Three);

/// One program with one variable of a type of the test's choice.
struct Variable {
  StringArena *strings;
  zrt_config config;
  zrt_program program = {};
  std::vector<ConfigAssignment> list;
  std::string error;

  Variable(StringArena *strings, const zrt_type &type)
      : strings(strings), config{"v", &type, "", ""} {
    program.configs = &config;
    program.config_count = 1;
  }
  /// The error, or "".
  std::string take(const std::string &text) {
    error.clear();
    ConfigAssignment assignment;
    if (readAssignment(program, text, assignment, error))
      list.push_back(assignment);
    return error;
  }
  std::string store(void *address) {
    error.clear();
    bool good = storeConfig(program, list, 0, address, *strings, error);
    EXPECT_EQ(good, error.empty());
    return error;
  }
};

class ConfigTest : public testing::Test {
protected:
  /// The value of `v=text` where v has \p type, or \p otherwise and an error.
  template <typename T>
  T value(const zrt_type &type, const std::string &text, T otherwise = T()) {
    Variable v(&strings, type);
    error = v.take("v=" + text);
    EXPECT_EQ(v.store(&otherwise), "");
    return otherwise;
  }
  /// The error of `assignment`.
  std::string refused(const zrt_type &type, const std::string &assignment) {
    return Variable(&strings, type).take(assignment);
  }
  template <typename T> void expectRange(const zrt_type &type) {
    T least = std::numeric_limits<T>::min(),
      most = std::numeric_limits<T>::max();
    EXPECT_EQ(value<T>(type, std::to_string(least)), least);
    EXPECT_EQ(value<T>(type, std::to_string(most), 0), most);
    for (const std::string &text :
         {std::to_string(most) + "0", "-1" + std::to_string(most)}) {
      value<T>(type, text);
      EXPECT_NE(error.find("does not fit"), std::string::npos) << error;
    }
  }

  StringArena strings;
  std::string error;
};

TEST_F(ConfigTest, IntegersOfAllWidthsHoldTheirRange) {
  expectRange<int8_t>(hand::SByte);
  expectRange<uint8_t>(hand::UByte);
  expectRange<int16_t>(hand::ShortInt);
  expectRange<uint16_t>(hand::UShortInt);
  expectRange<int32_t>(hand::Integer);
  expectRange<uint32_t>(hand::UInteger);
  expectRange<int64_t>(hand::LongInt);
  expectRange<uint64_t>(hand::ULongInt);
  EXPECT_EQ(value<uint64_t>(hand::ULongInt, "0xffffffffffffffff"), UINT64_MAX);
  EXPECT_EQ(value<uint8_t>(hand::UByte, "-0"), 0);
  EXPECT_EQ(refused(hand::UByte, "v=256"),
            "config variable 'v' has type ubyte: '256' does not fit");
  EXPECT_NE(refused(hand::UByte, "v=-1"), "");
}

TEST_F(ConfigTest, FloatingValuesOfAllWidthsAreRoundedOnce) {
  EXPECT_EQ(value<float>(hand::Float, "0.1"), 0.1f);
  EXPECT_EQ(value<double>(hand::Double, "-1.e-3"), -1e-3);
  EXPECT_EQ(value<long double>(hand::Quad, "0.1"), 0.1L);
  EXPECT_EQ(value<long double>(hand::Quad, "1e4000"), 1e4000L);
  EXPECT_NE(refused(hand::Double, "v=1e400"), "");
  EXPECT_NE(refused(hand::Quad, "v=1e5000"), "");
}

TEST_F(ConfigTest, ComplexValuesHaveTwoNotations) {
  using C = std::complex<double>;
  const zrt_type &type = hand::DComplex;
  EXPECT_EQ(value<C>(type, "1.5+2i"), C(1.5, 2));
  EXPECT_EQ(value<C>(type, "-1e-5-2.5e+3i"), C(-1e-5, -2500));
  EXPECT_EQ(value<C>(type, "1.0 - 2.0i"), C(1, -2));
  EXPECT_EQ(value<C>(type, "3"), C(3, 0));
  EXPECT_EQ(value<C>(type, "-3i"), C(0, -3));
  EXPECT_EQ(value<C>(type, "(1,2)"), C(1, 2));
  EXPECT_EQ(value<C>(type, "( 1 , -2e1 )"), C(1, -20));
  EXPECT_EQ(value<std::complex<float>>(hand::Complex, "1-0.5i"),
            std::complex<float>(1, -0.5f));
  EXPECT_EQ(value<std::complex<long double>>(hand::QComplex, "1-0.5i"),
            std::complex<long double>(1, -0.5L));
  for (const char *text : {"", "i", "1+i", "1+2", "(1)", "(1,2", "1,2", "()",
                           "(,)", "1+2i3", "1++2i", "(1,2)i", "+"})
    EXPECT_EQ(refused(type, std::string("v=") + text),
              std::string("config variable 'v' has type dcomplex: '") + text +
                  "' is not a dcomplex literal (such as 1.5+2i)");
  EXPECT_NE(refused(type, "v=(1e999,0)").find("does not fit"),
            std::string::npos);
}

TEST_F(ConfigTest, CharactersStandForThemselvesOrAreEscapes) {
  for (const auto &[text, expected] :
       std::vector<std::pair<std::string, char>>{{"a", 'a'},
                                                 {"'a'", 'a'},
                                                 {" ", ' '},
                                                 {"' '", ' '},
                                                 {"'", '\''},
                                                 {"\\", '\\'},
                                                 {"=", '='},
                                                 {"\\n", '\n'},
                                                 {"'\\''", '\''},
                                                 {"\\101", 'A'},
                                                 {"\\x42", 'B'},
                                                 {"7", '7'}})
    EXPECT_EQ(value<char>(hand::Char, text), expected) << text;
  for (const char *text :
       {"", "ab", "''", "'ab'", "\\q", "\\400", "\\x", "\\x100"})
    EXPECT_NE(refused(hand::Char, std::string("v=") + text), "") << text;
}

TEST_F(ConfigTest, EnumeratorsAreGivenByName) {
  EXPECT_EQ(value<int32_t>(Class, "W"), 5);
  EXPECT_EQ(refused(Class, "v=Q"), "config variable 'v' has type class: 'Q' is "
                                   "not one of (S, W, A)");
  EXPECT_NE(refused(Class, "v=5"), "");
}

TEST_F(ConfigTest, StringsAreTakenAsTheyAreAndLieInTheArena) {
  EXPECT_EQ(value<const char *>(hand::String, "a \\n \"b\"=c"),
            strings.intern("a \\n \"b\"=c"));
  EXPECT_STREQ(value<const char *>(hand::String, "", "x"), "");
}

TEST_F(ConfigTest, PartsAreStoredInOrderAndOthersLeftAlone) {
  PointValue points[3][2][3] = {};
  points[0][0][0].x = 7;
  Variable v(&strings, Nested);
  EXPECT_EQ(v.take("v[3][2,-1].y=1.5"), "");
  EXPECT_EQ(v.take("v[ 1, 2, 0 ].c=1+2i"), "");
  EXPECT_EQ(v.take("v[1][2][0].c.im=3"), "");
  EXPECT_EQ(v.take("v[3,2,-1].y=2.5"), "");
  EXPECT_FALSE(givesWhole(v.list, 0));
  EXPECT_EQ(v.store(points), "");
  EXPECT_EQ(points[2][1][0].y, 2.5);
  EXPECT_EQ(points[0][1][1].c, std::complex<float>(1, 3));
  EXPECT_EQ(points[0][0][0].x, 7);
}

TEST_F(ConfigTest, IndicesOfEnumerationsAreNames) {
  int32_t sizes[7] = {};
  Variable v(&strings, Sizes);
  EXPECT_EQ(v.take("v[W]=64"), "");
  EXPECT_EQ(v.store(sizes), "");
  EXPECT_EQ(sizes[5], 64);
  EXPECT_EQ(refused(Sizes, "v[Q]=1"),
            "config variable 'v' has type array [S..A] of integer, which has "
            "no element 'Q'; indices are (S, W, A)");
}

TEST_F(ConfigTest, PathsThatLeadNowhereAreRefused) {
  EXPECT_EQ(refused(Point, "v.z=1"),
            "config variable 'v' has type point, which has no field 'z'; it "
            "has: x, y, c");
  EXPECT_EQ(refused(Point, "v=1"),
            "config variable 'v' has type point: give its fields, v.x=...");
  EXPECT_EQ(refused(Point, "v[1]=1"),
            "config variable 'v' has type point, which has no elements");
  EXPECT_EQ(refused(Point, "v.x.y=1"),
            "config variable 'v.x' has type double, which has no fields");
  EXPECT_EQ(refused(Point, "v.c.x=1"),
            "config variable 'v.c' has type complex, which has no field 'x'; "
            "it has: re, im");
  EXPECT_EQ(refused(Table, "v[1]=1"),
            "config variable 'v' has type array [1..2, -1..1] of point, so 'v' "
            "needs 2 indices");
  EXPECT_EQ(refused(Table, "v=1"),
            "config variable 'v' has type array [1..2, -1..1] of point: give "
            "its elements, v[1, -1]=...");
  EXPECT_EQ(refused(Nested, "v[2][1,1].x=a"),
            "config variable 'v[2][1,1].x' has type double: 'a' is not a "
            "double literal");
  EXPECT_EQ(refused(Table, "v[x,1].x=1"),
            "config variable 'v' has type array [1..2, -1..1] of point: 'x' is "
            "not an integer index");
  EXPECT_EQ(refused(Table, "v[1,2].x=1"),
            "config variable 'v' has type array [1..2, -1..1] of point: index "
            "2 is outside -1..1");
  EXPECT_EQ(refused(hand::File, "v=zin"),
            "config variable 'v' has type file, which has no literals");
  for (const char *text : {"v[=1", "v[]=1", "v[1,]=1", "v.=1", "v..x=1",
                           "v[1]x=1", ".x=1", "[1]=1", "=1"})
    EXPECT_NE(refused(Table, text).find("' is not a config variable, a field"),
              std::string::npos)
        << text;
}

TEST_F(ConfigTest, BoundsThatBecomeKnownLaterAreCheckedThen) {
  zrt_range bounds[] = {{0, 0}};
  zrt_type late = hand::array(hand::UByte, 0, bounds);
  Variable v(&strings, late);
  EXPECT_EQ(v.take("v[3]=7"), "");
  EXPECT_EQ(v.take("v[x]=7"),
            "config variable 'v' has type array [..] of ubyte: 'x' is not an "
            "integer index");
  uint8_t bytes[4] = {};
  bounds[0] = {1, 3};
  late.size = 3;
  EXPECT_EQ(v.store(bytes), "");
  EXPECT_EQ(bytes[2], 7);
  bounds[0] = {1, 2};
  late.size = 2;
  EXPECT_EQ(v.store(bytes), "config variable 'v' has type array [1..2] of "
                            "ubyte: index 3 is outside 1..2");
  bounds[0] = {1, 0};
  late.size = 0;
  EXPECT_NE(v.store(bytes), "");
}

std::string words(const char *contents) {
  std::vector<ConfigWord> list;
  std::string error, text;
  int line = 0;
  if (!splitWords(contents, list, error, line))
    return std::to_string(line) + ": " + error;
  for (const ConfigWord &word : list)
    text += std::to_string(word.line) + "<" + word.text + ">";
  return text;
}

TEST(ConfigWords, BlanksSeparateAndCommentsReachToTheEndOfTheLine) {
  EXPECT_EQ(words(""), "");
  EXPECT_EQ(words("n=1 m=2\r\n\tk=3"), "1<n=1>1<m=2>2<k=3>");
  EXPECT_EQ(words("# all\nn=1 -- m=2\n-- x\nk=a#b--c"), "2<n=1>4<k=a#b--c>");
}

TEST(ConfigWords, QuotedPartsKeepBlanksAndHaveEscapes) {
  EXPECT_EQ(words("s=\"a b # -- \\\" \\t\\101\" t=x\"y z\"w"),
            "1<s=a b # -- \" \tA>1<t=xy zw>");
  EXPECT_EQ(words("s=\"\" t=\\n"), "1<s=>1<t=\\n>");
  EXPECT_EQ(words("\ns=\"a\nb\""), "2: a '\"' has no partner on its line");
  EXPECT_EQ(words("s=\"\\q\""), "1: '\\q' is not an escape");
}

} // namespace
