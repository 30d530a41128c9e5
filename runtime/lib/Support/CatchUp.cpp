//===- CatchUp.cpp - Lets processor 0 write what comes first --------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Processors run apart between two operations that make them wait for each
// other. So one may fail while processor 0 has not yet written what stands
// before that place in the program:
//
//     writeln("before");          processor 0 is here,
//     [R] A := a[A - 3];          and processor 1 has failed here
//
// Output that comes before an error is the program's output. So whoever ends
// the run for a failed processor lets processor 0 come to the same place first.
// Places are compared by the number of collective operations begun (`steps`),
// which all processors count alike. Where they do not, since control flow
// differs, or where processor 0 waits for the failed one, it begins no more
// operations, and after two seconds the wait is over; after eight while it
// writes, perhaps to a slow reader.
//
// Cost: two loads for each look, a thousand times a second.
//
//===----------------------------------------------------------------------===//

#include "Support/CatchUp.h"

#include "Support/Clock.h"

#include <ctime>

namespace zrt {

static constexpr double Patience = 2.0;
static constexpr double OutputPatience = 8.0;

/// In the middle of an operation that all do.
static bool isInStep(const OperationState &state) {
  return state.inside.load(std::memory_order_acquire) &&
         isCollective(state.kind.load(std::memory_order_relaxed));
}

bool CatchUp::hasReached() const {
  uint64_t there = failed.steps.load(std::memory_order_acquire);
  // In this order: an operation is inside before it is counted.
  uint64_t here = first.steps.load(std::memory_order_acquire);
  bool isWithin = isInStep(first);
  return here > there || (here == there && (isInStep(failed) || !isWithin));
}

bool CatchUp::isOver(double now) {
  if (hasReached())
    return true;
  uint64_t count = first.count.load(std::memory_order_relaxed);
  if (count != seen || since == 0) {
    seen = count;
    since = now;
  }
  OperationKind kind = first.kind.load(std::memory_order_relaxed);
  bool isWriting = kind == OperationKind::Output || kind == OperationKind::File;
  return now - since >= (isWriting ? OutputPatience : Patience);
}

void catchUp(const OperationState &first, const OperationState &failed) {
  CatchUp wait(first, failed);
  while (!wait.isOver(monotonicSeconds())) {
    timespec moment = {0, 1000000};
    nanosleep(&moment, nullptr);
  }
}

} // namespace zrt
