//===- Timeline.h - What a processor did when, in steps ---------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_ENTRY_OBSERVE_TIMELINE_H
#define ZRT_ENTRY_OBSERVE_TIMELINE_H

#include "Report/Run.h"
#include "Support/Operation.h"

#include <string>
#include <string_view>
#include <vector>

namespace zrt {

/// What a report shows an operation as.
report::Activity activityOf(OperationKind kind);

/// Adds up what this processor does, from its construction on, in steps of
/// equal length: at most MostSteps of them, however long the run is.
class Timeline final : public OperationObserver {
public:
  static constexpr size_t MostSteps = 512;
  /// So many operations are kept for a close look.
  static constexpr size_t MostSpans = 256;
  /// Seconds of a step at the beginning; doubled whenever there are too many.
  static constexpr double FirstStep = 0x1p-20;

  /// \p origin: the start of the run in nanoseconds of traceClock().
  explicit Timeline(int64_t origin);

  void begin(const Operation &operation) override;
  void end(const Operation &operation) override;

  /// Adds \p activity from \p from to \p to, in seconds since the origin.
  void add(report::Activity activity, double from, double to);
  /// The steps so far, of processor \p processor, and the operations that were
  /// kept.
  report::Track track(int processor) const;

private:
  /// An operation that was kept.
  struct Kept {
    double from, to;
    Operation operation;
  };

  void doubleStep();

  int64_t origin;
  double step = FirstStep;
  double last; ///< until when time has been added
  std::vector<std::array<float, report::Activities>> steps;
  std::vector<Kept> kept;   ///< since the last doubling
  std::vector<Kept> before; ///< up to it, following each other
};

/// A track as bytes, and back.
std::string packTrack(const report::Track &track);
report::Track unpackTrack(std::string_view packed);

/// Gives all \p tracks the same step, so long that none has more than \p most.
void alignTracks(std::vector<report::Track> &tracks, size_t most);

} // namespace zrt

#endif // ZRT_ENTRY_OBSERVE_TIMELINE_H
