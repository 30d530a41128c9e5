//===- Time.h - What a machine takes for a program --------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_PREDICT_TIME_H
#define ZPL_PREDICT_TIME_H

#include "Evaluate.h"
#include "zpl/Cost/Machine.h"

namespace predict {

/// A machine with what is charged for computing there.
struct Target {
  zrt::sim::Machine machine;
  /// Of a machine that was measured: how fast memory is by its size.
  std::optional<zpl::Machine> measured;
  std::string name; ///< as it was asked for
};

/// The coefficients of a machine by their names in its file: "latency",
/// "send", "receive", "gap", "byte", "receive_byte", "hop", "flop", "memory".
std::vector<std::pair<std::string, double zrt::sim::Machine::*>> coefficients();

/// What a transport's collectives are chosen by, as on a simulated machine.
CollectiveCosts collectiveCosts(const zrt::sim::Machine &machine);

/// Seconds of one line: of the processor with most to do.
struct LineTime {
  double computing = 0, communicating = 0;
  double all() const { return computing + communicating; }
};

/// The times of an evaluation's lines on a machine, and their sum.
struct ProgramTime {
  std::vector<LineTime> lines;
  double computing = 0, communicating = 0;
  double imbalance = 1; ///< most computing by the mean of all
  double all() const { return computing + communicating; }
};
/// Computing is charged as `sim` does; where \p measured has a model "read", by
/// the slower of arithmetic and memory.
ProgramTime timeOf(const Evaluation &evaluation,
                   const zrt::sim::Machine &machine,
                   const zpl::Machine *measured = nullptr);
inline ProgramTime timeOf(const Evaluation &evaluation, const Target &target) {
  return timeOf(evaluation, target.machine,
                target.measured ? &*target.measured : nullptr);
}

/// Seconds for one operation's traffic.
double timeOf(const Traffic &traffic, const zrt::sim::Machine &machine,
              int processors);

} // namespace predict

#endif // ZPL_PREDICT_TIME_H
