//===- RunReport.h - The page about a run -----------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_ENTRY_OBSERVE_RUNREPORT_H
#define ZRT_ENTRY_OBSERVE_RUNREPORT_H

#include "Entry/Observe/ProfileTable.h"
#include "Entry/Observe/Timeline.h"
#include "Report/Facts.h"
#include "Transport/Transport.h"

#include <optional>
#include <string>
#include <vector>

namespace zrt {

/// Watches a run for --report and makes the page about it.
class RunReport {
public:
  /// More processors have lanes, or a matrix, in part or not at all.
  static constexpr int MostLanes = 64, MostMatrix = 2048;

  /// From now on time and bytes are counted. \p origin as Timeline's.
  RunReport(Transport &transport, int64_t origin);

  OperationObserver &observer() { return timeline; }

  /// The program has ended: what follows does not count.
  void stop();
  /// Brings together what was seen. On processor 0 \p run then has its tracks
  /// and its matrix. Collective, after `stop`.
  void gather(report::Run &run);

private:
  void gatherTracks(report::Run &run);
  void gatherBytes(report::Run &run);

  Transport &transport;
  Timeline timeline;
  std::vector<uint64_t> sent; ///< by this processor, to each; or empty
};

/// What the program carries for its report. Of one that carries nothing: the
/// sources of the \p run's rows, as long as they are what was compiled.
report::Facts factsOfProgram(const std::string &program,
                             const report::Run &run);

/// "heat -p2 --report=run.html": how the program was started.
std::string commandOfRun();

} // namespace zrt

#endif // ZRT_ENTRY_OBSERVE_RUNREPORT_H
