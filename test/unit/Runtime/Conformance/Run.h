//===- Run.h - Runs of this program -----------------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_TEST_UNIT_RUNTIME_CONFORMANCE_RUN_H
#define ZPL_TEST_UNIT_RUNTIME_CONFORMANCE_RUN_H

#include "Ends.h"

#include <sys/types.h>

namespace zrt::test {

/// What the command line says.
struct Options {
  std::string transport = "self";
  int processors = 1;
  bool threads = false;  ///< processors are threads
  bool mistakes = false; ///< try all of Mistakes.def
  bool list = false;     ///< only name the clauses
  unsigned faults = 0;   ///< seed of a faulty transport; 0: none
  unsigned seed = 1;
  bool isShort = false;
  double limit = 300;     ///< seconds after which a run hangs
  std::string clause;     ///< only this one; "": all
  std::string endMistake; ///< of EndMistakes.cpp; "": none
  std::string worker;     ///< "data" or a scenario: this is a run
  /// The words of this command line, without --worker.
  std::vector<std::string> words;
};

/// A run that this process has started.
class Run {
public:
  /// Starts this program again; \p worker says what each processor does.
  Run(const Options &options, const std::string &worker);
  /// Waits for the end; sends \p signal when the run says that it is ready.
  Outcome wait(int signal, double limit);

private:
  [[noreturn]] void exec(const Options &options, const std::string &worker);
  /// Reads what is there; false at the end of both streams.
  bool read(double seconds);
  int countLeft();

  pid_t process = 0;
  int outPipe[2], errPipe[2], inPipe[2];
  bool outOpen = true, errOpen = true;
  Outcome outcome;
};

} // namespace zrt::test

#endif // ZPL_TEST_UNIT_RUNTIME_CONFORMANCE_RUN_H
