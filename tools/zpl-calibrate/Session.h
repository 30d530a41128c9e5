//===- Session.h - What a calibration knows meanwhile -----------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_CALIBRATE_SESSION_H
#define ZPL_CALIBRATE_SESSION_H

#include "Progress.h"
#include "zpl/Cost/Machine.h"
#include "llvm/ADT/StringRef.h"
#include <random>
#include <string>
#include <vector>

namespace calibrate {

/// What the command line says.
struct Options {
  std::string command;           ///< "", "report", "map" or "audit"
  std::vector<std::string> only; ///< groups; empty: all
  std::string choice;            ///< of map and audit; empty: all
  std::string output;            ///< empty: the file of this machine
  std::string machine;           ///< to report on; empty: the file as well
  bool isQuick = false;          ///< few points and repeats: for tests
};

/// The state of one run of zpl-calibrate.
struct Session {
  Options options;
  zpl::Machine machine; ///< what has been measured so far
  Progress progress;
  std::mt19937_64 random{20};     ///< of verification samples; always the same
  std::vector<std::string> notes; ///< warnings, for the end
  std::string folder;             ///< of this program

  /// A figure of --quick, else the other one.
  template <typename T> T quick(T ofQuick, T otherwise) const {
    return options.isQuick ? ofQuick : otherwise;
  }
};

} // namespace calibrate

#endif // ZPL_CALIBRATE_SESSION_H
