//===- OutputWait.cpp - Output goes before reports ------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
///     writeln("before");
///     [R] writeln(A);
///     [R] A := a[A - 3];        an error on processor 1
///
/// Processor 1 gives its elements of A away and goes on. When it finds the
/// error, processor 0 may still be before the first line. What the program has
/// printed until then is to be seen before the report, so the report waits
/// until processor 0 has done as many operations as the one that failed, and
/// the system has its output.
///
/// Not for ever: processor 0 may compute for hours, or wait for the one that
/// has failed. It gets two seconds, and longer only while it, or its keeper, is
/// writing to somebody who is slow to read (`prog | less`).
///
//===----------------------------------------------------------------------===//

#include "Transport/shm/OutputWait.h"

#include "Support/Clock.h"

#include <csignal>

using namespace zrt;
using namespace zrt::shm;

static constexpr double Patience = 2.0; ///< seconds

OutputWait::OutputWait(const Segment &segment, int rank)
    : segment(&segment), rank(rank), start(monotonicSeconds()) {}

/// Whether \p first has done what \p other did last.
static bool hasCaughtUp(const OperationState &first,
                        const OperationState &other) {
  uint64_t done = first.count, wanted = other.count;
  return done > wanted || (done == wanted && (other.inside || !first.inside));
}

bool OutputWait::goesOn() const {
  const ProcessorState &first = segment->processor(0);
  const OperationState &operation = first.operation;
  if (rank == 0 || first.finished)
    return false;
  if (hasCaughtUp(operation, segment->processor(rank).operation) &&
      !operation.hasOutput)
    return false;
  if (monotonicSeconds() - start < Patience)
    return true;
  pid_t keeper = segment->control().keeper;
  bool isKept = keeper != 0 && kill(keeper, 0) == 0;
  bool isWriting = operation.inside &&
                   operation.kind == OperationKind::Output &&
                   !segment->waitOf(0);
  return isWriting || (operation.hasOutput && isKept);
}
