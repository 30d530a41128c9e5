//===- Progress.cpp - How far a calibration is ----------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     zpl-calibrate [###############.........................]  38%  stores
//
// Each group has a number of seconds that it is expected to take, which is its
// share of the bar. Drawn at most ten times a second. Where standard error is
// no terminal there is a line "zpl-calibrate: stores (at 41 s)" for each group.
//
//===----------------------------------------------------------------------===//

#include "Progress.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>
#include <unistd.h>

using namespace llvm;

namespace calibrate {

Progress::Progress() : isTerminal(isatty(STDERR_FILENO)) {}

void Progress::begin(double seconds) {
  total = std::max(seconds, 1e-9);
  before = ofGroup = 0;
  start = lastDrawn = std::chrono::steady_clock::now();
}

void Progress::group(StringRef group, double seconds) {
  before += ofGroup;
  ofGroup = seconds;
  name = group.str();
  if (isTerminal) {
    draw(0);
    return;
  }
  std::chrono::duration<double> since =
      std::chrono::steady_clock::now() - start;
  errs() << "zpl-calibrate: " << name
         << format(" (at %.0f s)\n", since.count());
}

void Progress::show(double share) {
  auto now = std::chrono::steady_clock::now();
  if (!isTerminal || now - lastDrawn < std::chrono::milliseconds(100))
    return;
  lastDrawn = now;
  draw(share);
}

void Progress::draw(double share) {
  constexpr int Width = 40;
  double done = std::min(1.0, (before + share * ofGroup) / total);
  int marks = int(done * Width);
  errs() << "\rzpl-calibrate [" << std::string(size_t(marks), '#')
         << std::string(size_t(Width - marks), '.')
         << format("] %3.0f%%  ", 100 * done) << name << "\033[K";
}

void Progress::end() {
  if (isTerminal)
    errs() << "\r\033[K";
}

} // namespace calibrate
