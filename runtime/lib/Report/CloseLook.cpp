//===- CloseLook.cpp - A short part of a run, by operation ----------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The time line shows a run as a whole; who waits for whom shows where single
// operations can be told apart. This is the stretch that all processors have
// kept: from the latest of their first operations to the earliest of their last
// ones, and no longer than MostSpans operations of all together.
//
// Computing is the lane, operations are boxes on it, some 110 bytes each, with
// their names and seconds as titles.
//
//===----------------------------------------------------------------------===//

#include "Report/Html.h"
#include "Report/View.h"

#include <algorithm>

namespace zrt::report {

static constexpr size_t MostLanes = 16, MostSpans = 1200;
static constexpr double LaneLeft = 48, LaneRight = 1000, LaneHeight = 22;

namespace {
struct Stretch {
  double from = 0, to = 0;
  double x(double time) const {
    return LaneLeft + (LaneRight - LaneLeft) *
                          (std::clamp(time, from, to) - from) / (to - from);
  }
};
} // namespace

/// What all tracks have kept; empty if there is no such time.
static Stretch commonStretch(const std::vector<Track> &tracks) {
  Stretch stretch{0, 1e300};
  std::vector<double> starts;
  for (const Track &track : tracks) {
    if (track.spans.empty())
      return {};
    stretch.from = std::max(stretch.from, track.spans.front().from);
    stretch.to = std::min(stretch.to, track.spans.back().to);
  }
  for (const Track &track : tracks)
    for (const Span &span : track.spans)
      if (span.from >= stretch.from)
        starts.push_back(span.from);
  std::sort(starts.begin(), starts.end());
  if (starts.size() > MostSpans)
    stretch.to = std::min(stretch.to, starts[MostSpans]);
  return stretch;
}

static std::string box(const Stretch &stretch, const char *style, double from,
                       double to, double y, const std::string &title) {
  constexpr double Least = 0.3; // to be seen at all
  double x = stretch.x(from);
  char width[32];
  std::snprintf(width, sizeof width, "%.2f",
                std::max(Least, stretch.x(to) - x));
  return std::string("<rect class=") + style + " x=" + coordinate(x) +
         " y=" + coordinate(y) + " width=" + width +
         " height=" + coordinate(LaneHeight) + "><title>" + escaped(title) +
         "</title></rect>";
}

static std::string lane(const Stretch &stretch, const Track &track, double y) {
  std::string html =
      box(stretch, "comp", stretch.from, stretch.to, y, "computing");
  for (const Span &span : track.spans)
    if (span.to > stretch.from && span.from < stretch.to)
      html += box(stretch, styleOf(span.activity), span.from, span.to, y,
                  span.name + ", " + secondsText(span.to - span.from));
  return html + "<text class=ax x=0 y=" + coordinate(y + LaneHeight / 2 + 4) +
         ">P" + std::to_string(track.processor) + "</text>";
}

std::string closeLook(const View &view) {
  const std::vector<Track> &tracks = view.run->tracks;
  if (tracks.size() > MostLanes)
    return "";
  Stretch stretch = commonStretch(tracks);
  if (!(stretch.to > stretch.from))
    return "";
  constexpr double Gap = 5;
  std::string lanes;
  double y = 2;
  for (const Track &track : tracks) {
    lanes += lane(stretch, track, y);
    y += LaneHeight + Gap;
  }
  return "<h3 class=close>A close look: " +
         secondsText(stretch.to - stretch.from) + ", " +
         secondsText(stretch.from) +
         " after the start</h3><div class=scroll><svg class=time role=img "
         "aria-label=\"single operations\" viewBox=\"0 0 " +
         coordinate(LaneRight) + " " + coordinate(y) + "\">" + lanes +
         "</svg></div>";
}

} // namespace zrt::report
