//===- HeatColours.cpp - The colours of a heat map ------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// From the lowest value to the highest a heat map goes
//
//     dark violet - purple - red - orange - light yellow
//
// on a curve in the space Oklab (B. Ottosson, 2020), where equal distances look
// equal: lightness rises evenly from 0.15 to 0.95, so that the map also works
// in grey print and for colour-blind eyes, while the hue turns. Colours that a
// screen cannot show lose chroma until it can. NaN is a grey, which the curve
// has nowhere.
//
//===----------------------------------------------------------------------===//

#include "IO/Image/HeatColours.h"

#include <algorithm>
#include <cmath>

namespace zrt {

static constexpr double Pi = 3.14159265358979323846;

namespace {

struct Linear {
  double red, green, blue;
  bool isShown() const {
    auto within = [](double x) { return x >= 0 && x <= 1; };
    return within(red) && within(green) && within(blue);
  }
};

/// From Oklab to linear light of the colours of a screen.
Linear fromOklab(double lightness, double a, double b) {
  double l = std::pow(lightness + 0.3963377774 * a + 0.2158037573 * b, 3);
  double m = std::pow(lightness - 0.1055613458 * a - 0.0638541728 * b, 3);
  double s = std::pow(lightness - 0.0894841775 * a - 1.2914855480 * b, 3);
  return {4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
          -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
          -0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s};
}

/// Linear light as a byte of sRGB.
uint8_t encoded(double light) {
  light = std::clamp(light, 0.0, 1.0);
  double value = light <= 0.0031308 ? 12.92 * light
                                    : 1.055 * std::pow(light, 1 / 2.4) - 0.055;
  return static_cast<uint8_t>(std::lround(255 * value));
}

/// The colour at \p t, from 0 to 1.
Colour heatColour(double t) {
  double lightness = 0.15 + 0.80 * t;
  double hue = (-60 + 165 * t) * Pi / 180; // violet, red, orange, yellow
  double chroma = 0.05 + 0.12 * std::sin(Pi * std::pow(t, 0.8));
  Linear light;
  do {
    light =
        fromOklab(lightness, chroma * std::cos(hue), chroma * std::sin(hue));
    chroma -= 0.001;
  } while (!light.isShown() && chroma > 0);
  return {encoded(light.red), encoded(light.green), encoded(light.blue)};
}

} // namespace

const std::vector<Colour> &heatColours() {
  static const std::vector<Colour> Colours = [] {
    std::vector<Colour> colours;
    for (int k = 0; k < ColourCount; ++k)
      colours.push_back(heatColour(k / double(ColourCount - 1)));
    colours.push_back({128, 128, 128});
    return colours;
  }();
  return Colours;
}

uint8_t colourOf(double value, double low, double high) {
  if (std::isnan(value))
    return ColourCount;
  if (low >= high) // constant, or without a finite value
    return value > low ? ColourCount - 1 : value < low ? 0 : ColourCount / 2;
  // Halves, since high - low may be more than the greatest double.
  double t = (value / 2 - low / 2) / (high / 2 - low / 2);
  return static_cast<uint8_t>(
      std::lround(std::clamp(t, 0.0, 1.0) * (ColourCount - 1)));
}

} // namespace zrt
