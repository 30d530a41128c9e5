//===- ColourMaps.cpp - Numbers as colours --------------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A map goes through colours of the space Oklab (B. Ottosson, 2020), where equal
// distances look equal. The default one, "heat", is a curve of its own,
//
//     dark violet - purple - red - orange - light yellow
//
// whose lightness rises evenly from 0.15 to 0.95, so that it also works in grey
// print and for colour-blind eyes, while the hue turns. Colours that a screen
// cannot show lose chroma until it can. "viridis" and "magma" go straight from
// one to the next of ten colours of the maps of S. van der Walt and N. Smith
// (2015, in the public domain), "coolwarm" between the ends and the middle of
// K. Moreland (Diverging color maps for scientific visualization, 2009), and
// "cubehelix" is the formula of D. Green (A colour scheme for the display of
// astronomical intensity images, 2011) with its usual numbers. NaN is a grey.
//
//===----------------------------------------------------------------------===//

#include "Formats/ColourMaps.h"

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

/// Linear light of a byte of sRGB.
double decoded(int byte) {
  double value = byte / 255.0;
  return value <= 0.04045 ? value / 12.92
                          : std::pow((value + 0.055) / 1.055, 2.4);
}

struct Oklab {
  double lightness, a, b;
};

/// The colour 0xrrggbb.
Oklab toOklab(int colour) {
  double red = decoded(colour >> 16), green = decoded(colour >> 8 & 255),
         blue = decoded(colour & 255);
  double l = std::cbrt(0.4122214708 * red + 0.5363325363 * green +
                       0.0514459929 * blue);
  double m = std::cbrt(0.2119034982 * red + 0.6806995451 * green +
                       0.1073969566 * blue);
  double s = std::cbrt(0.0883024619 * red + 0.2817188376 * green +
                       0.6299787005 * blue);
  return {0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * s,
          1.9779984951 * l - 2.4285922050 * m + 0.4505937099 * s,
          0.0259040371 * l + 0.7827717662 * m - 0.8086757660 * s};
}

Colour shown(const Linear &light) {
  return {encoded(light.red), encoded(light.green), encoded(light.blue)};
}

/// The colour at \p t between colours at equal distances, as 0xrrggbb.
Colour between(const std::vector<int> &given, double t) {
  double place = t * static_cast<double>(given.size() - 1);
  size_t k = std::min(static_cast<size_t>(place), given.size() - 2);
  double part = place - static_cast<double>(k);
  Oklab from = toOklab(given[k]), to = toOklab(given[k + 1]);
  auto mix = [&](double x, double y) { return x + part * (y - x); };
  return shown(fromOklab(mix(from.lightness, to.lightness), mix(from.a, to.a),
                         mix(from.b, to.b)));
}

Colour viridis(double t) {
  return between({0x440154, 0x482878, 0x3e4989, 0x31688e, 0x26828e, 0x1f9e89,
                  0x35b779, 0x6ece58, 0xb5de2b, 0xfde725},
                 t);
}

Colour magma(double t) {
  return between({0x000004, 0x180f3e, 0x451077, 0x721f81, 0x9f2f7f, 0xcd4071,
                  0xf1605d, 0xfd9567, 0xfec98d, 0xfcfdbf},
                 t);
}

Colour coolwarm(double t) { return between({0x3b4cc0, 0xdddddd, 0xb40426}, t); }

Colour cubehelix(double t) {
  double angle = 2 * Pi * (0.5 / 3 + 1 - 1.5 * t);
  double amplitude = t * (1 - t) / 2;
  double c = std::cos(angle), s = std::sin(angle);
  auto byte = [&](double ofCosine, double ofSine) {
    double value = t + amplitude * (ofCosine * c + ofSine * s);
    return static_cast<uint8_t>(std::lround(255 * std::clamp(value, 0.0, 1.0)));
  };
  return {byte(-0.14861, 1.78277), byte(-0.29227, -0.90649), byte(1.97294, 0)};
}

struct NamedMap {
  const char *name;
  Colour (*colour)(double t);
};

constexpr NamedMap Maps[] = {{"heat", heatColour},
                             {"viridis", viridis},
                             {"magma", magma},
                             {"cubehelix", cubehelix},
                             {"coolwarm", coolwarm}};

std::vector<Colour> makeMap(const NamedMap &map) {
  std::vector<Colour> colours;
  for (int k = 0; k < ColourCount; ++k)
    colours.push_back(map.colour(k / double(ColourCount - 1)));
  colours.push_back({128, 128, 128});
  return colours;
}

} // namespace

const std::vector<Colour> *colourMap(std::string_view name) {
  static const std::vector<std::vector<Colour>> All = [] {
    std::vector<std::vector<Colour>> all;
    for (const NamedMap &map : Maps)
      all.push_back(makeMap(map));
    return all;
  }();
  for (size_t k = 0; k < All.size(); ++k)
    if (name == Maps[k].name || (name.empty() && k == 0))
      return &All[k];
  return nullptr;
}

std::string colourMapNames() {
  std::string names;
  for (const NamedMap &map : Maps)
    names += (names.empty() ? "" : ", ") + std::string(map.name);
  return names;
}

uint8_t colourOf(double value, double low, double high) {
  if (std::isnan(value))
    return ColourCount;
  return static_cast<uint8_t>(levelOf(value, low, high, ColourCount - 1));
}

uint32_t levelOf(double value, double low, double high, uint32_t most) {
  if (std::isnan(value))
    return 0;
  if (low >= high) // constant, or without a finite value
    return value > low ? most : value < low ? 0 : (most + 1) / 2;
  // Halves, since high - low may be more than the greatest double.
  double t = (value / 2 - low / 2) / (high / 2 - low / 2);
  return static_cast<uint32_t>(std::lround(std::clamp(t, 0.0, 1.0) * most));
}

} // namespace zrt
