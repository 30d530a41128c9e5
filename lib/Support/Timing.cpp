//===- Timing.cpp - Where the compiler's time goes ------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A phase that runs several times (one per input file) adds up. There are a
// dozen of them: a linear search finds a name.
//
//===----------------------------------------------------------------------===//

#include "zpl/Support/Timing.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace zpl {

PhaseTimers::Scope::Scope(PhaseTimers &timers, StringRef phase)
    : timers(timers) {
  auto found = llvm::find_if(timers.phases,
                             [&](const Phase &p) { return p.name == phase; });
  index = static_cast<size_t>(found - timers.phases.begin());
  if (found == timers.phases.end())
    timers.phases.push_back({phase.str()});
  start = std::chrono::steady_clock::now();
}

PhaseTimers::Scope::~Scope() {
  std::chrono::duration<double> elapsed =
      std::chrono::steady_clock::now() - start;
  timers.phases[index].seconds += elapsed.count();
}

void PhaseTimers::print(raw_ostream &os) const {
  double total = 0;
  for (const Phase &phase : phases)
    total += phase.seconds;
  os << " seconds  share  phase\n";
  for (const Phase &phase : phases)
    os << format("%8.4f  %4.1f%%  ", phase.seconds,
                 total > 0 ? 100 * phase.seconds / total : 0.0)
       << phase.name << '\n';
  os << format("%8.4f         total\n", total);
}

} // namespace zpl
