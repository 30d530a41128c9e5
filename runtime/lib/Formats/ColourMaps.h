//===- ColourMaps.h - Numbers as colours ------------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_FORMATS_COLOURMAPS_H
#define ZRT_FORMATS_COLOURMAPS_H

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace zrt {

struct Colour {
  uint8_t red, green, blue;
};

/// The map of that name: ColourCount colours from the lowest value to the
/// highest, then that of NaN. "" is "heat". Null: there is none.
inline constexpr int ColourCount = 255;
const std::vector<Colour> *colourMap(std::string_view name);

/// The names of all maps, for a message: "heat, viridis, ...".
std::string colourMapNames();

/// The place in a map of \p value, where \p low and \p high are the least
/// and the greatest value that are told apart (low > high: there is none).
/// What is beyond them is at the ends; a constant array is in the middle.
uint8_t colourOf(double value, double low, double high);

/// The place of \p value between \p low and \p high, from 0 to \p most, as
/// colourOf; NaN is 0.
uint32_t levelOf(double value, double low, double high, uint32_t most);

} // namespace zrt

#endif // ZRT_FORMATS_COLOURMAPS_H
