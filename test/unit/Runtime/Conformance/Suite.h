//===- Suite.h - Running clauses --------------------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_TEST_UNIT_RUNTIME_CONFORMANCE_SUITE_H
#define ZPL_TEST_UNIT_RUNTIME_CONFORMANCE_SUITE_H

#include "Clauses.h"
#include "Simulation.h"

namespace zrt::test {

/// How one clause went.
struct Verdict {
  std::string failure; ///< what does not hold; "": it passes
  std::string skipped; ///< why it was not tried; "": it was
};

/// Prints "PASS|FAIL|SKIP: name: claim..." and returns whether it failed.
bool printVerdict(const Clause &clause, const Verdict &verdict);

/// Processor by processor, on a transport whose processors are processes: runs
/// the clauses; processor 0 collects the verdicts by messages and prints them.
void runInProcesses(Transport &transport, const std::vector<Clause> &clauses,
                    const Setting &setting);

/// The same on threads of this process; returns how many failed.
int runInThreads(std::vector<std::unique_ptr<Transport>> &transports,
                 const std::vector<Clause> &clauses, const Setting &setting);

/// One clause on a simulated machine of its own.
Verdict simulate(const Clause &clause, int processors, Mistake mistake,
                 const Setting &setting, bool preempts);

struct MistakeCount {
  int passed = 0, failed = 0;
};

/// Runs all clauses on a simulated transport with each mistake and compares
/// which fail with those that must; prints a line per mistake, and one per
/// clause that no mistake is for. Counts which of these are right.
MistakeCount tryMistakes(const std::vector<Clause> &clauses,
                         const Setting &setting);

} // namespace zrt::test

#endif // ZPL_TEST_UNIT_RUNTIME_CONFORMANCE_SUITE_H
