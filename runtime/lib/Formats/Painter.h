//===- Painter.h - Numbers become a picture ---------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_FORMATS_PAINTER_H
#define ZRT_FORMATS_PAINTER_H

#include "Formats/PngWriter.h"

#include <cmath>
#include <limits>
#include <optional>

namespace zrt {

/// How a program wants its pictures.
struct PictureStyle {
  std::string colours; ///< a colour map, grey, grey16, rgb, rgb16; "": default
  bool isFixed = false;
  double low = 0, high = 0; ///< if fixed: what the first and last colour mean
  int64_t scale = 1;        ///< pixels of an element in both directions

  /// Whether it is for pictures of three numbers an element.
  bool isColoured() const { return colours == "rgb" || colours == "rgb16"; }
};

/// What is wrong with \p style, a sentence; "": nothing.
std::string checkStyle(const PictureStyle &style);

/// The least and the greatest finite number of those that were shown to it.
struct PictureRange {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();

  void include(double value) {
    if (!std::isfinite(value))
      return;
    low = value < low ? value : low;
    high = value > high ? value : high;
  }
};

/// What the colours of \p style go from and to: as fixed; for three numbers an
/// element, which are not set in relation to each other, from 0 to the greatest
/// sample for integers and to 1 for others. Nothing: from the least to the
/// greatest finite number.
std::optional<PictureRange> rangeOf(const PictureStyle &style, bool isColoured,
                                    bool isIntegral);

/// Why elements cannot become a picture in that style, the rest of a sentence
/// that begins with "it"; "": they can. \p numbers of an element: 1 or 3.
std::string checkPicture(const PictureStyle &style, int numbers, int64_t rows,
                         int64_t columns);

/// Makes the picture of rows of elements.
class Painter {
public:
  /// \p numbers of an element, 1 or 3, which checkPicture agrees with.
  Painter(const PictureStyle &style, int numbers, PictureRange range,
          int64_t rows, int64_t columns);

  /// The next element, in row-major order. \p values: its numbers.
  void add(const double *values);
  void finish() { png.finish(); }

  std::string takeBytes() { return png.takeBytes(); }
  const std::string &error() const { return png.error(); }

private:
  static PngShape shapeOf(const PictureStyle &style, int numbers, int64_t rows,
                          int64_t columns);
  const std::vector<Colour> *palette; ///< null: none
  PictureRange range;
  int64_t scale;
  PngShape shape;
  PngWriter png;
  std::vector<uint8_t> row; ///< of pixels
  size_t next = 0;          ///< the first byte of it that is to come
};

} // namespace zrt

#endif // ZRT_FORMATS_PAINTER_H
