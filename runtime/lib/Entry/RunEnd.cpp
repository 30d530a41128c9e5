//===- RunEnd.cpp - Who reports an error, and the end after it ------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A run ends with one message. On shared memory the transport alone decides who
// writes it. Under a launcher the guardians do for the processors of a machine
// (Transport/Guardian.h): transports over MPI could only wait and hope that
// somebody else is quicker, which is what they still do between machines.
//
//===----------------------------------------------------------------------===//

#include "Entry/RunEnd.h"

#include "Collective/Collective.h"
#include "Entry/Process.h"
#include "Support/Error.h"
#include "Transport/Guardian.h"
#include "Transport/Launcher.h"

#include <unistd.h>

using namespace zrt;

void zrt::reportEarly(const char *program) {
  ErrorContext early;
  early.programName = program;
  early.claimReport = [](bool) { return claimGuardedReport(); };
  early.abortRun = [](int status) {
    guardianSilence();
    _exit(status);
  };
  setErrorContext(early);
}

void zrt::reportAsProcessors() {
  Process &p = process();
  Transport &transport = *p.transport;
  if (launcherInfo().rank >= 0) {
    StateLink first = ownStateLink();
    broadcast(transport, &first, sizeof first);
    introduceProcessor(transport.rank(), transport.size(), first);
    barrier(transport); // Before that nothing ends.
  }
  ErrorContext context;
  context.programName = p.name.c_str();
  context.rank = transport.rank();
  context.size = transport.size();
  context.flushOutput = [] { process().files.flush(); };
  context.claimReport = claimReport;
  context.afterReport = [] { process().observation.finishAlone(); };
  context.abortRun = abortRun;
  setErrorContext(context);
}

bool zrt::claimReport(bool replicated) {
  Transport &transport = *process().transport;
  if (!hasGuardian())
    return transport.claimReport(replicated);
  letFirstCatchUp();
  if (transport.rank() != 0 && !knowsFirst() &&
      !transport.claimReport(replicated))
    return false;
  return claimGuardedReport();
}

void zrt::abortRun(int status) {
  guardianSilence();
  process().transport->abort(status);
  __builtin_unreachable(); // GCC forgets that a virtual call does not return.
}
