//===- TransportClauses.h - What every transport promises -------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_TEST_UNIT_RUNTIME_TRANSPORTCLAUSES_H
#define ZPL_TEST_UNIT_RUNTIME_TRANSPORTCLAUSES_H

#include "Transport/Transport.h"

#include <string>

namespace zrt::test {

/// One processor's view of the clause that runs.
class Context {
public:
  explicit Context(Transport &transport) : transport(transport) {}

  Transport &transport;
  int rank() const { return transport.rank(); }
  int size() const { return transport.size(); }

  /// Notes the first thing that does not hold.
  void expect(bool holds, const char *what) {
    if (!holds && failure.empty())
      failure = what;
  }
  /// Returns when all processors have come here. Uses messages.
  void barrier();

  std::string failure;
};

/// One sentence of the contract and its test, which all processors run
/// together.
struct Clause {
  const char *claim;
  void (*run)(Context &context);
};

const std::vector<Clause> &messageClauses();
const std::vector<Clause> &memoryClauses();
const std::vector<Clause> &exchangeClauses();
/// Those that measure a process, so they do not fit threads.
const std::vector<Clause> &processClauses();
const std::vector<Clause> &orderClauses();

} // namespace zrt::test

#endif // ZPL_TEST_UNIT_RUNTIME_TRANSPORTCLAUSES_H
