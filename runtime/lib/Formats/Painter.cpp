//===- Painter.cpp - Numbers become a picture -----------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each element becomes a byte, its place in a colour map, or samples of 8 or 16
// bits, grey or of three colours:
//
//     style "viridis"    12.5 between 0 and 50    ->  64, a colour of the map
//     style "grey16"     12.5 between 0 and 50    ->  16384
//     style "rgb"        0.5 0.25 1               ->  128 64 255
//
// With a scale of s it is repeated s times in its row, and the row s times.
//
//===----------------------------------------------------------------------===//

#include "Formats/Painter.h"

#include "Formats/PngLibrary.h"

#include <cstring>

namespace zrt {

static bool isGrey(const PictureStyle &style) {
  return style.colours == "grey" || style.colours == "grey16";
}

static int bitsOf(const PictureStyle &style) {
  return style.colours == "grey16" || style.colours == "rgb16" ? 16 : 8;
}

std::string checkStyle(const PictureStyle &style) {
  if (!isGrey(style) && !style.isColoured() && !colourMap(style.colours))
    return "there is no colour map '" + style.colours + "'; there are " +
           colourMapNames() + ", grey, grey16, rgb and rgb16";
  if (style.scale < 1)
    return "an element cannot be " + std::to_string(style.scale) +
           " pixels wide";
  bool isRange = std::isfinite(style.low) && std::isfinite(style.high) &&
                 style.low < style.high;
  if (style.isFixed && !isRange)
    return "the range of a picture goes from a finite number to a greater one";
  return "";
}

std::optional<PictureRange> rangeOf(const PictureStyle &style, bool isColoured,
                                    bool isIntegral) {
  if (style.isFixed)
    return PictureRange{style.low, style.high};
  if (!isColoured)
    return std::nullopt;
  double most = bitsOf(style) == 8 ? 255 : 65535;
  return PictureRange{0, isIntegral ? most : 1};
}

std::string checkPicture(const PictureStyle &style, int numbers, int64_t rows,
                         int64_t columns) {
  if (numbers == 3 && !style.isColoured() && !style.colours.empty())
    return "has three numbers for a pixel, and '" + style.colours +
           "' takes one; 'rgb' takes three";
  if (numbers == 1 && style.isColoured())
    return "needs three arrays, or one of records with three numbers, for '" +
           style.colours + "'";
  if (rows > MostPngPixels / style.scale ||
      columns > MostPngPixels / style.scale)
    return "has too many rows or columns";
  return "";
}

PngShape Painter::shapeOf(const PictureStyle &style, int numbers, int64_t rows,
                          int64_t columns) {
  return {columns * style.scale, rows * style.scale, bitsOf(style), numbers};
}

Painter::Painter(const PictureStyle &style, int numbers, PictureRange range,
                 int64_t rows, int64_t columns)
    : palette(numbers == 1 && !isGrey(style) ? colourMap(style.colours)
                                             : nullptr),
      range(range), scale(style.scale),
      shape(shapeOf(style, numbers, rows, columns)), png(shape, palette),
      row(static_cast<size_t>(shape.width * shape.colours * (shape.bits / 8))) {
}

void Painter::add(const double *values) {
  uint8_t *pixel = row.data() + next, *end = pixel;
  for (int k = 0; k < shape.colours; ++k) {
    if (palette) {
      *end++ = colourOf(values[k], range.low, range.high);
      continue;
    }
    uint32_t level = levelOf(values[k], range.low, range.high,
                             shape.bits == 8 ? 255 : 65535);
    if (shape.bits == 16)
      *end++ = static_cast<uint8_t>(level >> 8);
    *end++ = static_cast<uint8_t>(level);
  }
  auto bytes = static_cast<size_t>(end - pixel);
  for (int64_t k = 1; k < scale; ++k, end += bytes)
    std::memcpy(end, pixel, bytes);
  next = static_cast<size_t>(end - row.data());
  if (next < row.size())
    return;
  for (int64_t k = 0; k < scale; ++k)
    png.writeRow(row.data());
  next = 0;
}

} // namespace zrt
