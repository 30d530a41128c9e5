//===- Timing.h - Where the compiler's time goes ----------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_SUPPORT_TIMING_H
#define ZPL_SUPPORT_TIMING_H

#include "llvm/ADT/StringRef.h"
#include <chrono>
#include <string>
#include <vector>

namespace llvm {
class raw_ostream;
}

namespace zpl {

/// Wall-clock seconds by phase, in order of first use, for --time-phases.
class PhaseTimers {
public:
  /// Runs from its making to its end; adds to the phase of that name.
  class Scope {
  public:
    Scope(PhaseTimers &timers, llvm::StringRef phase);
    ~Scope();
    Scope(const Scope &) = delete;
    Scope &operator=(const Scope &) = delete;

  private:
    PhaseTimers &timers;
    size_t index;
    std::chrono::steady_clock::time_point start;
  };

  /// Prints a table: seconds, share, phase, and their sum.
  void print(llvm::raw_ostream &os) const;

private:
  struct Phase {
    std::string name;
    double seconds = 0;
  };
  std::vector<Phase> phases;
};

} // namespace zpl

#endif // ZPL_SUPPORT_TIMING_H
