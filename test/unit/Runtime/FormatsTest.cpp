//===- FormatsTest.cpp - What files of arrays hold ------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// NumPy's headers have its very bytes and are compared in all that they say;
// numbers convert if they fit; pictures are decoded as they were painted, and
// broken ones refused.
//
//===----------------------------------------------------------------------===//

#include "Formats/Painter.h"
#include "Formats/PngReader.h"
#include "HandRegions.h"
#include "HandTypes.h"
#include "IO/Binary/Numpy.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

using namespace zrt;

namespace {

const zrt_region Matrix = hand::region({hand::range(1, 3), hand::range(0, 4)});
const zrt_region Row = hand::region({hand::range(1, 3)});

TEST(Numpy, HeadersHaveTheBytesOfNumPy) {
  std::string header = numpyHeader(Element::F64, shapeOf(Matrix));
  std::string text =
      "{'descr': '<f8', 'fortran_order': False, 'shape': (3, 5), }";
  EXPECT_EQ(header, std::string("\x93NUMPY\x01\0v\0", 10) + text +
                        std::string(117 - text.size(), ' ') + "\n");
  header = numpyHeader(Element::Bool, shapeOf(Row));
  EXPECT_NE(header.find("'|b1'"), header.npos);
  EXPECT_NE(header.find("(3,)"), header.npos);
  EXPECT_EQ(header.size() % 64, 0u);
  EXPECT_NE(numpyHeader(Element::C64, {}).find("'shape': (), }"), header.npos);
}

TEST(Numpy, ShapesCountIndices) {
  zrt_region region = hand::region({hand::strided(1, 9, 2, 1), hand::Flood});
  EXPECT_EQ(numpyShape(shapeOf(region)), "(5, 1)");
}

TEST(Numpy, DictionariesSayTypeAndOrder) {
  NumpyArray found;
  ASSERT_TRUE(parseNumpy("{'shape': (3, 5), 'descr':'>c16', "
                         "'fortran_order':True}\n",
                         found));
  EXPECT_EQ(found.element, Element::C64);
  EXPECT_TRUE(found.isSwapped && found.isFortran);
  EXPECT_EQ(found.shape, (std::vector<int64_t>{3, 5}));
  ASSERT_TRUE(parseNumpy("{'descr': '|S1', 'fortran_order': False, "
                         "'shape': (), }",
                         found));
  EXPECT_EQ(found.element, Element::U8);
  EXPECT_FALSE(found.isSwapped || found.isFortran);
  EXPECT_TRUE(found.shape.empty());
  ASSERT_TRUE(parseNumpy("{'descr': '<M8', 'fortran_order': False, "
                         "'shape': (2,), }",
                         found));
  EXPECT_FALSE(found.element);
}

TEST(Numpy, WhatDiffersIsSaid) {
  auto reason = [&](const char *text) -> std::string {
    std::string error;
    NumpyArray found;
    if (!parseNumpy(text, found))
      return "no dictionary";
    return matchesNumpy(found, hand::Double, &Matrix, error) ? "fits" : error;
  };
  EXPECT_EQ(reason("{'shape': (3, 5), 'descr':'=f8', 'fortran_order':False}\n"),
            "fits");
  EXPECT_EQ(reason("{'descr': '>i2', 'fortran_order': True, "
                   "'shape': (3, 5), }"),
            "fits");
  EXPECT_EQ(reason("{'descr': '<c8', 'fortran_order': False, "
                   "'shape': (3, 5), }"),
            "has elements '<c8', but those of type double are '<f8'");
  EXPECT_EQ(
      reason("{'descr': '<f8', 'fortran_order': False, 'shape': (15,), }"),
      "has the shape (15,), but the region is [1..3, 0..4], of shape "
      "(3, 5)");
  EXPECT_EQ(reason("{'descr': [('x', '<f8')], 'fortran_order': False, "
                   "'shape': (3, 5), }")
                .substr(0, 12),
            "has elements");
  EXPECT_EQ(reason("{'descr': '<f8'}"), "no dictionary");
}

TEST(Numpy, HeadersThatAreCutOffOrHugeAreRefused) {
  auto reason = [](std::string text) -> std::string {
    NumpyArray found;
    size_t taken = 0;
    const char *error = takeNumpyHeader(
        [&](char *to, size_t count) {
          return taken += count = text.copy(to, count, taken), count;
        },
        found);
    return error ? error : "";
  };
  std::string header = numpyHeader(Element::F64, {3});
  EXPECT_EQ(reason(header), "");
  EXPECT_EQ(reason("\x89PNG\r\n\x1a\n"), "is not in NumPy's format");
  EXPECT_EQ(reason(header.substr(0, 9)), "ends within its header");
  EXPECT_EQ(reason(header.substr(0, 100)), "ends within its header");
  EXPECT_EQ(reason(std::string("\x93NUMPY\x02\0\0\0\0\x7f", 12)),
            "has a header that is too long");
  EXPECT_EQ(reason(std::string("\x93NUMPY\x09\0", 8)),
            "is of a version of NumPy's format that is not known");
}

template <typename From, typename To>
std::string converted(Element from, From value, Element to) {
  To result = {};
  if (!convert(from, reinterpret_cast<const char *>(&value), to,
               reinterpret_cast<char *>(&result)))
    return "does not fit";
  return std::to_string(result);
}

TEST(Elements, NumbersConvertIfTheyFit) {
  using namespace std;
  EXPECT_EQ((converted<int64_t, int8_t>(Element::I64, -128, Element::I8)),
            "-128");
  EXPECT_EQ((converted<int64_t, int8_t>(Element::I64, 128, Element::I8)),
            "does not fit");
  EXPECT_EQ((converted<int8_t, uint64_t>(Element::I8, -1, Element::U64)),
            "does not fit");
  EXPECT_EQ(
      (converted<uint64_t, double>(Element::U64, 1ull << 63, Element::F64)),
      "9223372036854775808.000000");
  EXPECT_EQ((converted<double, float>(Element::F64, 1e300, Element::F32)),
            "does not fit");
  EXPECT_EQ((converted<double, float>(Element::F64, 0.5, Element::F32)),
            "0.500000");
  EXPECT_EQ((converted<uint8_t, int32_t>(Element::Bool, 7, Element::I32)), "1");
  EXPECT_TRUE(converts(Element::F32, Element::C64));
  EXPECT_FALSE(converts(Element::C64, Element::F64));
  EXPECT_FALSE(converts(Element::F32, Element::I64));
  EXPECT_FALSE(converts(Element::U8, Element::Bool));
}

TEST(Elements, BytesAreTurnedAroundInEachPart) {
  char bytes[] = "abcdefgh";
  swapBytes(Element::C32, bytes, 1);
  EXPECT_STREQ(bytes, "dcbahgfe");
  swapBytes(Element::I16, bytes, 4);
  EXPECT_STREQ(bytes, "cdabghef");
}

TEST(ColourMaps, ValuesSpreadFromLowToHigh) {
  double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(colourOf(-2, -2, 2), 0);
  EXPECT_EQ(colourOf(0, -2, 2), 127);
  EXPECT_EQ(colourOf(2, -2, 2), 254);
  EXPECT_EQ(colourOf(infinity, -2, 2), 254);
  EXPECT_EQ(colourOf(-infinity, -2, 2), 0);
  EXPECT_EQ(colourOf(std::nan(""), -2, 2), 255);
  EXPECT_EQ(colourOf(5, 5, 5), 127);
  EXPECT_EQ(colourOf(1e308, -1.7e308, 1.7e308), 202);
  EXPECT_EQ(levelOf(0.25, 0, 1, 65535), 16384u);
}

TEST(ColourMaps, MapsHaveTheirColoursAtTheEnds) {
  auto end = [](const char *name, size_t place) {
    Colour c = (*colourMap(name))[place];
    return std::vector<int>{c.red, c.green, c.blue};
  };
  for (const char *name : {"", "heat", "viridis", "magma", "cubehelix"}) {
    ASSERT_TRUE(colourMap(name)) << name;
    EXPECT_EQ(colourMap(name)->size(), 256u);
  }
  EXPECT_EQ(end("viridis", 0), (std::vector<int>{0x44, 0x01, 0x54}));
  EXPECT_EQ(end("viridis", 254), (std::vector<int>{0xfd, 0xe7, 0x25}));
  EXPECT_EQ(end("cubehelix", 0), (std::vector<int>{0, 0, 0}));
  EXPECT_EQ(end("cubehelix", 254), (std::vector<int>{255, 255, 255}));
  EXPECT_EQ(end("coolwarm", 127), (std::vector<int>{221, 221, 221}));
  EXPECT_EQ(colourMap("virdis"), nullptr);
}

TEST(Pictures, WhatIsPaintedIsDecodedAgain) {
  PictureStyle style;
  style.colours = "rgb16";
  style.scale = 2;
  Painter painter(style, 3, {0, 65535}, 2, 3);
  for (double k = 0; k < 6; ++k) {
    double values[] = {k, 1000 * k, 65535 - k};
    painter.add(values);
  }
  painter.finish();
  ASSERT_EQ(painter.error(), "");
  std::string file = painter.takeBytes();
  PngPixels pixels;
  ASSERT_EQ(readPngStart(file, pixels.shape), nullptr);
  EXPECT_EQ(pixels.shape.width, 6);
  EXPECT_EQ(pixels.shape.height, 4);
  EXPECT_EQ(pixels.shape.bits, 16);
  EXPECT_EQ(pixels.shape.colours, 3);
  ASSERT_EQ(decodePng(file, pixels), "");
  EXPECT_EQ(pixels.sample(0, 0, 2), 65535u);
  EXPECT_EQ(pixels.sample(3, 5, 1), 5000u);
  EXPECT_EQ(pixels.sample(2, 1, 0), 3u);
}

TEST(Pictures, BrokenOnesAreRefused) {
  Painter painter({}, 1, {0, 1}, 8, 8);
  for (double k = 0; k < 64; ++k)
    painter.add(&k);
  painter.finish();
  std::string file = painter.takeBytes();
  PngPixels pixels;
  ASSERT_EQ(readPngStart(file, pixels.shape), nullptr);
  EXPECT_EQ(pixels.shape.colours, 3) << "a palette";
  ASSERT_EQ(decodePng(file, pixels), "");
  EXPECT_EQ(decodePng(file.substr(0, file.size() - 20), pixels),
            "is a broken PNG picture: the file ends too early");
  std::string other = file;
  other[file.size() - 20] ^= 1;
  EXPECT_NE(decodePng(other, pixels), "");
  EXPECT_STREQ(readPngStart(file.substr(0, 20), pixels.shape),
               "ends within its header");
  EXPECT_STREQ(readPngStart("hello", pixels.shape), "is no PNG picture");
  other = file;
  other[24] = 77;
  EXPECT_STREQ(readPngStart(other, pixels.shape),
               "is a broken PNG picture: its header makes no sense");
}

TEST(Pictures, StylesThatMakeNoSenseAreRefused) {
  PictureStyle style;
  EXPECT_EQ(checkStyle(style), "");
  style.scale = 0;
  EXPECT_EQ(checkStyle(style), "an element cannot be 0 pixels wide");
  style = {"virdis", false, 0, 0, 1};
  EXPECT_EQ(checkStyle(style).substr(0, 39),
            "there is no colour map 'virdis'; there ");
  style = {"grey", true, 1, 1, 1};
  EXPECT_NE(checkStyle(style), "");
  style = {"rgb", false, 0, 0, 1};
  EXPECT_NE(checkPicture(style, 1, 2, 2), "");
  EXPECT_EQ(checkPicture(style, 3, 2, 2), "");
  style = {"", false, 0, 0, 1000000};
  EXPECT_EQ(checkPicture(style, 1, 3000, 2), "has too many rows or columns");
}

} // namespace
