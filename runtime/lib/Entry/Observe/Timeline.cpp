//===- Timeline.cpp - What a processor did when, in steps -----------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A trace keeps every operation; a picture as wide as a screen needs no more
// than its columns. Time is cut as in Profile.cpp, and each piece goes to the
// steps that it lies in:
//
//     step          0        1        2
//     computing     1.0 us   0.4 us
//     transfer               0.6 us   1.0 us
//
// When the run becomes longer than all steps together, neighbours are added to
// each other and steps are twice as long. So memory is the same for every run,
// and a step is between 1/512 and 1/256 of its length in the end.
//
// For a close look the operations that follow a doubling are kept one by one,
// up to MostSpans, and as many before it. Processors double at nearly the same
// moment, so what they keep is of the same part of the run; of a short run it
// is all of it.
//
// Cost: two looks at the clock per entry, as the profile's.
//
//===----------------------------------------------------------------------===//

#include "Entry/Observe/Timeline.h"

#include "Entry/Observe/Trace.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace zrt {

using report::Activity;
using report::Track;

Activity activityOf(OperationKind kind) {
  switch (kind) {
  case OperationKind::Transfer:
  case OperationKind::Shift:
  case OperationKind::Boundary:
  case OperationKind::Wave:
    return Activity::Neighbours;
  case OperationKind::Flood:
  case OperationKind::Reduction:
  case OperationKind::Broadcast:
  case OperationKind::Scan:
    return Activity::Collectives;
  case OperationKind::Gather:
  case OperationKind::Scatter:
  case OperationKind::Inspection:
  case OperationKind::Sort:
  case OperationKind::Redistribution:
  case OperationKind::Move:
  case OperationKind::Pattern:
  case OperationKind::Fetch:
  case OperationKind::Store:
    return Activity::Motion;
  case OperationKind::File:
  case OperationKind::Input:
  case OperationKind::Output:
    return Activity::Files;
  case OperationKind::Start:
  case OperationKind::Check:
  case OperationKind::Allocation:
  case OperationKind::Memory:
  case OperationKind::Timer:
  case OperationKind::End:
    return Activity::Other;
  }
  return Activity::Other;
}

static double secondsSince(int64_t origin) {
  constexpr double Nano = 1e-9;
  return std::max(0.0, static_cast<double>(traceClock() - origin) * Nano);
}

Timeline::Timeline(int64_t origin)
    : origin(origin), last(secondsSince(origin)) {}

/// Adds every second step to the one before it.
static void
joinPairs(std::vector<std::array<float, report::Activities>> &steps) {
  for (size_t k = 0; k < steps.size(); ++k)
    for (int a = 0; a < report::Activities; ++a)
      steps[k / 2][a] =
          k % 2 == 0 ? steps[k][a] : steps[k / 2][a] + steps[k][a];
  steps.resize((steps.size() + 1) / 2);
}

void Timeline::doubleStep() {
  joinPairs(steps);
  step *= 2;
  if (before.size() + kept.size() <= MostSpans)
    before.insert(before.end(), kept.begin(), kept.end());
  else
    before.swap(kept);
  kept.clear();
}

void Timeline::add(Activity activity, double from, double to) {
  while (to >= step * double(MostSteps))
    doubleStep();
  auto lastStep = static_cast<size_t>(to / step);
  if (steps.size() <= lastStep)
    steps.resize(lastStep + 1);
  while (from < to) {
    auto k = static_cast<size_t>(from / step);
    // Rounding must not keep us in a step for ever.
    double end = std::min(to, step * double(k + 1));
    if (end <= from)
      end = std::nextafter(from, INFINITY);
    steps[std::min(k, lastStep)][static_cast<int>(activity)] +=
        static_cast<float>(end - from);
    from = end;
  }
}

void Timeline::begin(const Operation &) {
  double now = secondsSince(origin);
  add(Activity::Computing, last, now);
  last = std::max(last, now);
}

void Timeline::end(const Operation &operation) {
  double now = secondsSince(origin);
  add(activityOf(operation.kind), last, now);
  if (kept.size() < MostSpans && last < now)
    kept.push_back({last, now, operation});
  last = std::max(last, now);
}

/// "transfer, line 15".
static std::string nameOf(const Operation &operation) {
  std::string name = text(operation.kind);
  if (operation.loc && operation.loc->line > 0)
    name += ", line " + std::to_string(operation.loc->line);
  return name;
}

Track Timeline::track(int processor) const {
  Track track{processor, step, steps, {}};
  auto add = [&](const std::vector<Kept> &list) {
    for (const Kept &each : list)
      track.spans.push_back({each.from, each.to,
                             activityOf(each.operation.kind),
                             nameOf(each.operation)});
  };
  bool isEnough = kept.size() >= MostSpans / 2;
  if (!isEnough)
    add(before);
  if (isEnough || before.size() < MostSpans) // then they follow each other
    add(kept);
  return track;
}

namespace {
/// A track as bytes begins so; the steps, and then the spans follow.
struct PackedTrack {
  double step;
  uint64_t steps, spans;
};
struct PackedSpan {
  double from, to;
  uint64_t activity, nameLength;
};
} // namespace

template <typename T> static void append(std::string &packed, const T &value) {
  packed.append(reinterpret_cast<const char *>(&value), sizeof value);
}

template <typename T> static void take(std::string_view &packed, T &value) {
  std::memcpy(&value, packed.data(), sizeof value);
  packed.remove_prefix(sizeof value);
}

std::string packTrack(const Track &track) {
  std::string packed;
  append(packed,
         PackedTrack{track.step, track.steps.size(), track.spans.size()});
  for (const auto &step : track.steps)
    append(packed, step);
  for (const report::Span &span : track.spans) {
    append(packed, PackedSpan{span.from, span.to, uint64_t(span.activity),
                              span.name.size()});
    packed += span.name;
  }
  return packed;
}

Track unpackTrack(std::string_view packed) {
  PackedTrack head;
  take(packed, head);
  Track track;
  track.step = head.step;
  track.steps.resize(head.steps);
  for (auto &step : track.steps)
    take(packed, step);
  for (uint64_t k = 0; k < head.spans; ++k) {
    PackedSpan span;
    take(packed, span);
    track.spans.push_back({span.from, span.to,
                           static_cast<Activity>(span.activity),
                           std::string(packed.substr(0, span.nameLength))});
    packed.remove_prefix(span.nameLength);
  }
  return track;
}

void alignTracks(std::vector<Track> &tracks, size_t most) {
  double longest = 0, step = 0;
  for (const Track &track : tracks) {
    longest = std::max(longest, track.step * double(track.steps.size()));
    step = std::max(step, track.step);
  }
  while (step > 0 && longest > step * double(most))
    step *= 2;
  for (Track &track : tracks)
    for (; track.step < step; track.step *= 2)
      joinPairs(track.steps);
}

} // namespace zrt
