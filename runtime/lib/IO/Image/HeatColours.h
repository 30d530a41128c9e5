//===- HeatColours.h - The colours of a heat map ----------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_IO_IMAGE_HEATCOLOURS_H
#define ZRT_IO_IMAGE_HEATCOLOURS_H

#include <cstdint>
#include <vector>

namespace zrt {

struct Colour {
  uint8_t red, green, blue;
};

/// ColourCount colours from the lowest value to the highest, then that of NaN.
inline constexpr int ColourCount = 255;
const std::vector<Colour> &heatColours();

/// The place in heatColours of \p value, where \p low and \p high are the least
/// and the greatest finite value of the array (low > high: there is none).
/// Infinities are at the ends; a constant array is in the middle.
uint8_t colourOf(double value, double low, double high);

} // namespace zrt

#endif // ZRT_IO_IMAGE_HEATCOLOURS_H
