//===- Ends.h - How runs end ------------------------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_TEST_UNIT_RUNTIME_CONFORMANCE_ENDS_H
#define ZPL_TEST_UNIT_RUNTIME_CONFORMANCE_ENDS_H

#include "Clauses.h"

namespace zrt::test {

/// What the driver saw of a run.
struct Outcome {
  int status = 0;       ///< exit status, or 128 + signal
  double seconds = 0;   ///< until the end
  int left = 0;         ///< processes that were still there afterwards
  std::string out, err; ///< standard output and error
};

/// A run that ends in its own way.
struct Scenario {
  const char *name;
  const char *claim;
  /// What each processor does. Does not return if it ends the run.
  void (*run)(Transport &transport);
  /// Empty if \p outcome, of \p processors on \p transport, is as promised,
  /// else what is wrong.
  std::string (*judge)(const Outcome &outcome, const std::string &transport,
                       int processors);
  int signal = 0; ///< sent to the run once it has printed "ready"
};

const std::vector<Scenario> &endScenarios();

/// A mistake for the clauses about the end, and those that fail of it, in the
/// order of their names.
struct EndMistakeKind {
  const char *name, *what, *clauses;
  bool takesLong; ///< because most runs hang
};
const std::vector<EndMistakeKind> &endMistakes();

/// \p inner with a mistake at the end of a run (EndMistakes.cpp); \p inner
/// itself if \p mistake is "".
std::unique_ptr<Transport> makeEndMistake(std::unique_ptr<Transport> inner,
                                          const std::string &mistake);

} // namespace zrt::test

#endif // ZPL_TEST_UNIT_RUNTIME_CONFORMANCE_ENDS_H
