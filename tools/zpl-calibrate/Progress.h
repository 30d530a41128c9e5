//===- Progress.h - How far a calibration is --------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_CALIBRATE_PROGRESS_H
#define ZPL_CALIBRATE_PROGRESS_H

#include "llvm/ADT/StringRef.h"
#include <chrono>
#include <string>

namespace calibrate {

/// A bar on a terminal, else a line for each group, on standard error.
class Progress {
public:
  Progress();

  /// \p seconds are what all groups together are expected to take.
  void begin(double seconds);
  /// The next group, which is expected to take \p seconds.
  void group(llvm::StringRef name, double seconds);
  /// How much of the group is done, 0 to 1.
  void show(double share);
  /// The end: takes the bar away.
  void end();

private:
  void draw(double share);

  bool isTerminal = false;
  double total = 0, before = 0, ofGroup = 0;
  std::string name;
  std::chrono::steady_clock::time_point start, lastDrawn;
};

} // namespace calibrate

#endif // ZPL_CALIBRATE_PROGRESS_H
