//===- Timeline.cpp - What each processor did when ------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One lane for each processor, from the start of the run to its end. At each
// moment a lane is filled from below, by computing and then by what kept the
// processor from it, to the shares of that moment. An area for each activity:
//
//     M0 30 V28 H2 V12 H4 ... H1000 V30 Z
//
// An area reaches down to the bottom, and those before it are painted over it,
// so each has one edge. Two numbers for a step, and none where the height stays
// the same; the run gives no more steps than are some 200 kB for all lanes.
//
//===----------------------------------------------------------------------===//

#include "Report/Html.h"
#include "Report/View.h"

#include <algorithm>

namespace zrt::report {

static constexpr double LanesLeft = 48, LanesWidth = 1000, Gap = 6;

static double endOf(const Track &track) {
  return track.step * double(track.steps.size());
}

/// The seconds of all activities in a step up to \p last.
static double sumUpTo(const std::array<float, Activities> &step, int last) {
  double sum = 0;
  for (int k = 0; k <= last; ++k)
    sum += step[k];
  return sum;
}

/// The area of an activity in a lane and of those before it, which are painted
/// over it; "" if there is none of it.
static std::string area(const Track &track, int activity, double scale,
                        double top, double height) {
  bool isUsed = std::any_of(
      track.steps.begin(), track.steps.end(),
      [&](const auto &step) { return step[activity] > track.step * 0.001; });
  if (!isUsed)
    return "";
  std::string base = coordinate(top + height), y = base;
  std::string path = "M" + coordinate(LanesLeft) + " " + base;
  auto across = [&](size_t steps) {
    path += "H" + coordinate(LanesLeft + scale * track.step * double(steps));
  };
  for (size_t k = 0; k < track.steps.size(); ++k) {
    double share =
        std::min(1.0, sumUpTo(track.steps[k], activity) / track.step);
    std::string next = coordinate(top + height * (1 - share));
    if (next == y)
      continue;
    across(k);
    path += "V" + next;
    y = next;
  }
  across(track.steps.size());
  return std::string("<path class=") +
         styleOf(static_cast<Activity>(activity)) + " d=\"" + path + "V" +
         base + "Z\"/>";
}

static std::string axis(double end, double scale, double y) {
  std::string html;
  constexpr int Ticks = 5;
  for (int k = 0; k <= Ticks; ++k) {
    double x = LanesLeft + scale * end * k / Ticks;
    const char *anchor = k == 0 ? "start" : k == Ticks ? "end" : "middle";
    html += "<path class=tick d=\"M" + coordinate(x) + " 0V" + coordinate(y) +
            "\"/><text class=ax text-anchor=" + anchor + " x=" + coordinate(x) +
            " y=" + coordinate(y + 16) + ">" + secondsText(end * k / Ticks) +
            "</text>";
  }
  return html;
}

std::string timelinePart(const View &view) {
  if (!view.run || view.run->tracks.empty())
    return "";
  const std::vector<Track> &tracks = view.run->tracks;
  double end = 0;
  for (const Track &track : tracks)
    end = std::max(end, endOf(track));
  if (!(end > 0))
    return "";
  double scale = (LanesWidth - LanesLeft) / end;
  double height = tracks.size() <= 8 ? 34 : tracks.size() <= 24 ? 20 : 10;
  std::string lanes;
  double y = 4;
  for (const Track &track : tracks) {
    for (int k = Activities - 1; k >= 0; --k)
      lanes += area(track, k, scale, y, height);
    lanes += "<text class=ax x=0 y=" + coordinate(y + height / 2 + 4) + ">P" +
             std::to_string(track.processor) + "</text>";
    y += height + (height > 12 ? Gap : 2);
  }
  std::string some = tracks.size() == size_t(view.run->processors)
                         ? ""
                         : " " + std::to_string(tracks.size()) + " of " +
                               std::to_string(view.run->processors) +
                               " processors.";
  std::string legend;
  for (int k = 0; k < Activities; ++k)
    legend += std::string("<span><b class=\"dot ") +
              styleOf(static_cast<Activity>(k)) + "\"></b>" +
              nameOf(static_cast<Activity>(k)) + "</span>";
  return "<section id=timeline><h2>Time line</h2><p class=lead>What each "
         "processor did when; the height of a colour is its share of that "
         "moment." +
         some + "</p><p class=legend>" + legend +
         "</p><div class=scroll><svg class=time role=img aria-label=\"time "
         "line "
         "of the processors\" viewBox=\"0 0 " +
         coordinate(LanesWidth) + " " + coordinate(y + 22) + "\">" +
         axis(end, scale, y) + lanes + "</svg></div>" + closeLook(view) +
         "</section>";
}

} // namespace zrt::report
