//===- Clauses.h - What every transport promises ----------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The contract of Transport, one test per promise. A clause leans on as
/// little else as it can: those about the shape of what is moved keep all
/// processors in step, those about time move simple rows. So a transport with
/// one mistake fails in few clauses, and their names say what it is.
///
//===----------------------------------------------------------------------===//

#ifndef ZPL_TEST_UNIT_RUNTIME_CONFORMANCE_CLAUSES_H
#define ZPL_TEST_UNIT_RUNTIME_CONFORMANCE_CLAUSES_H

#include "Transport/Transport.h"

#include <functional>
#include <string>

namespace zrt::test {

/// How a suite is run; the same on all processors.
struct Setting {
  unsigned seed = 1;
  /// Messages and blocks of 1 MB at most and fewer random cases: for slow
  /// builds.
  bool isShort = false;
  /// What `Context::linger` does; empty: sleeps.
  std::function<void(Transport &)> linger;
};

/// One processor's view of the clause that runs.
class Context {
public:
  Context(Transport &transport, const Setting &setting)
      : transport(transport), setting(setting) {}

  Transport &transport;
  const Setting &setting;
  int rank() const { return transport.rank(); }
  int size() const { return transport.size(); }

  /// Notes the first thing that does not hold.
  void expect(bool holds, const char *what) {
    if (!holds && failure.empty())
      failure = what;
  }
  /// Notes that the transport does not offer what the clause is about.
  void skip(const char *why) { skipped = why; }

  /// Returns when all processors have come here. Uses messages.
  void barrier();
  /// Gives the other processors time for what they might do too early.
  void linger();

  /// Seed of the random case number \p number.
  unsigned caseSeed(int number) const { return setting.seed * 1000 + number; }
  /// How many random cases to try.
  int cases(int many) const { return setting.isShort ? many / 5 : many; }
  /// Bytes of a piece that transports treat as a large one.
  size_t large() const { return setting.isShort ? 300000 : 3000000; }
  /// The most bytes to move at once.
  size_t largest() const { return size_t(setting.isShort ? 1 : 16) << 20; }

  /// Zeroed memory for messages that stays as it is until the clause is over,
  /// in case a transport reads it too late.
  char *keep(size_t bytes) {
    kept.push_back(std::make_unique<char[]>(bytes + 1)); // Never null.
    return kept.back().get();
  }

  std::string failure, skipped;

private:
  std::vector<std::unique_ptr<char[]>> kept;
};

/// One sentence of the contract and its test, which all processors run
/// together.
struct Clause {
  const char *name;
  const char *claim;
  void (*run)(Context &context);
  /// Measures the process, so it does not fit processors that are threads.
  bool needsProcess = false;
};

const std::vector<Clause> &memoryClauses();
const std::vector<Clause> &messageClauses();
const std::vector<Clause> &togetherClauses();
const std::vector<Clause> &shapeClauses();
const std::vector<Clause> &layoutClauses();
const std::vector<Clause> &orderClauses();
const std::vector<Clause> &scheduleClauses();

/// All of them.
std::vector<Clause> allClauses();

/// Byte \p i of what processor \p from sends as its \p number-th piece.
inline char patternByte(int from, int number, size_t i) {
  return static_cast<char>(from * 31 + number * 7 + i * 13 + (i >> 8) +
                           (i >> 16) * 5);
}
void fillPattern(char *data, size_t bytes, int from, int number);
bool holdsPattern(const char *data, size_t bytes, int from, int number);

} // namespace zrt::test

#endif // ZPL_TEST_UNIT_RUNTIME_CONFORMANCE_CLAUSES_H
