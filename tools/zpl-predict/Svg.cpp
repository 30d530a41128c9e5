//===- Svg.cpp - A speed-up curve as a picture ----------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Both axes are logarithmic to the base 2, with the same steps, so the ideal is
// the diagonal. Each machine has a line and a colour, named at the right.
//
//===----------------------------------------------------------------------===//

#include "Report.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>

using namespace llvm;

namespace predict {

static constexpr double Left = 60, Top = 40, Side = 400, Legend = 320;

/// Text with the signs of XML spelled out.
static std::string escaped(StringRef text) {
  std::string result;
  for (char c : text)
    result += c == '<'   ? "&lt;"
              : c == '>' ? "&gt;"
              : c == '&' ? "&amp;"
                         : std::string(1, c);
  return result;
}

namespace {
/// Where numbers are in the picture.
struct Axes {
  double steps; ///< powers of two
  double x(double processors) const {
    return Left + Side * std::log2(processors) / steps;
  }
  double y(double speedup) const {
    double up = std::log2(std::max(speedup, 1.0 / 16));
    return Top + Side - Side * std::max(up, -1.0) / steps;
  }
};
} // namespace

static void drawAxes(const Axes &axes, raw_ostream &os) {
  os << format("<rect x='%.1f' y='%.1f' width='%.1f' height='%.1f' "
               "fill='none' stroke='#888'/>\n",
               Left, Top, Side, Side);
  for (int k = 0; k <= int(axes.steps); ++k) {
    double value = std::exp2(k);
    if (axes.steps > 8 && k % 2 == 1)
      continue;
    os << format("<text x='%.1f' y='%.1f' text-anchor='middle'>%.0f</text>\n",
                 axes.x(value), Top + Side + 18, value)
       << format("<text x='%.1f' y='%.1f' text-anchor='end'>%.0f</text>\n",
                 Left - 6, axes.y(value) + 4, value);
  }
  os << format("<text x='%.1f' y='%.1f' text-anchor='middle'>processors"
               "</text>\n",
               Left + Side / 2, Top + Side + 36)
     << format("<line x1='%.1f' y1='%.1f' x2='%.1f' y2='%.1f' stroke='#bbb' "
               "stroke-dasharray='4 3'/>\n",
               Left, Top + Side, Left + Side, Top);
}

void drawSpeedup(StringRef title, ArrayRef<Curve> curves, raw_ostream &os) {
  static constexpr const char *Colours[] = {"#1b6ca8", "#c0392b", "#1e8449",
                                            "#8e44ad", "#d68910", "#2c3e50",
                                            "#16a085"};
  double most = 2;
  for (const Curve &curve : curves)
    for (const Point &point : curve.points)
      most = std::max(most, double(point.processors));
  Axes axes{std::ceil(std::log2(most))};
  os << format("<svg xmlns='http://www.w3.org/2000/svg' width='%.0f' "
               "height='%.0f' font-family='sans-serif' font-size='12'>\n",
               Left + Side + Legend, Top + Side + 50)
     << "<rect width='100%' height='100%' fill='white'/>\n"
     << format("<text x='%.1f' y='24' font-size='15'>", Left) << escaped(title)
     << "</text>\n";
  drawAxes(axes, os);
  for (size_t k = 0; k < curves.size(); ++k) {
    const char *colour = Colours[k % std::size(Colours)];
    os << "<polyline fill='none' stroke-width='2' stroke='" << colour
       << "' points='";
    double one =
        curves[k].points.empty() ? 0 : curves[k].points.front().seconds;
    for (const Point &point : curves[k].points)
      if (point.seconds > 0)
        os << format("%.1f,%.1f ", axes.x(point.processors),
                     axes.y(one / point.seconds));
    os << "'/>\n"
       << format("<text x='%.1f' y='%.1f' fill='", Left + Side + 12,
                 Top + 16 + 18 * double(k))
       << colour << "'>" << escaped(curves[k].name) << "</text>\n";
  }
  os << "</svg>\n";
}

} // namespace predict
