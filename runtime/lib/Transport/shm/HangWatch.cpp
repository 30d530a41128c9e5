//===- HangWatch.cpp - Finds runs that cannot go on -----------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Two faults that no processor can notice by itself.
///
/// *Nobody can advance.* A linked C function has returned 1 on processor 0 and
/// 2 on processor 1, and
///
///     if answer() = 1 then s := +<< A; else [R] B := A@east; end;
///
/// lets one wait for the other's part of a sum and the other for elements. What
/// a processor waits for is a flag in the segment that another processor
/// raises, and waits are numbered. If a look finds all processors that run in
/// waits whose flags have not come, and the next look finds the same waits,
/// then at the end of the first look all of them were waiting at once, nobody
/// was left to raise a flag, and so it will stay: no guess and no time limit.
/// (A processor that computes, reads or sleeps is in no wait.) Those that have
/// ended raise nothing either.
///
/// *One does not go on.* A processor that is stopped, or blocked in a system
/// call, while another one waits for it may be waiting for something outside,
/// so this takes the user's word for how long is too long
/// (`--watchdog=SECONDS`). It is a fault if for that time
///  - somebody has been waiting for this processor in one wait, and
///  - it has itself waited for nobody, used no processor time, and was not
///    ready to run: whoever computes, however long, is in no danger.
/// Excused is who reads from standard input or writes to standard output: a
/// user is at the other end; and who is held by a debugger. If a long time
/// passes between two looks, this process was stopped too, and all times begin
/// anew.
///
/// Cost: five looks a second at a few cache lines per processor; with
/// --watchdog at /proc for those processors that do not wait.
///
//===----------------------------------------------------------------------===//

#include "Transport/shm/HangWatch.h"

#include "Support/Clock.h"
#include "Support/LastOperation.h"
#include "Support/ProcessLook.h"

#include <algorithm>
#include <cstdio>

using namespace zrt;
using namespace zrt::shm;

HangWatch::HangWatch(const Segment &segment, double patience)
    : segment(segment), patience(patience), seen(segment.processors()) {}

std::string HangWatch::look(const std::vector<pid_t> &processes) {
  constexpr double LongestPause = 10 * Interval;
  double now = machineSeconds();
  bool anew = now - lastLook > LongestPause;
  lastLook = now;
  sameWaits = !anew;
  for (int rank = 0; rank < segment.processors(); ++rank) {
    Seen &processor = seen[rank];
    if (anew)
      processor.waitSince = processor.aliveSince = now;
    processor.runs =
        processes[rank] != 0 &&
        !segment.processor(rank).finished.load(std::memory_order_acquire);
    if (!processor.runs) {
      processor.partner = -1;
      continue;
    }
    lookAtWait(rank, now);
    if (patience > 0)
      lookAtProcess(rank, processes[rank], now);
  }
  if (nobodyRuns())
    return hangText();
  return patience > 0 ? blockedText(now) : "";
}

void HangWatch::lookAtWait(int rank, double now) {
  Seen &processor = seen[rank];
  std::optional<Wait> wait = segment.waitOf(rank);
  bool isSame =
      wait && processor.partner >= 0 && wait->number == processor.wait;
  sameWaits &= isSame;
  processor.partner = wait ? wait->partner : -1;
  if (!isSame) {
    processor.wait = wait ? wait->number : 0;
    processor.waitSince = now;
  }
}

void HangWatch::lookAtProcess(int rank, pid_t process, double now) {
  Seen &processor = seen[rank];
  if (processor.partner >= 0) {
    processor.aliveSince = now;
    return;
  }
  std::optional<ProcessLook> look = lookAt(process);
  if (!look) // It is about to end, or there is no /proc.
    return;
  processor.isStopped = look->isStopped();
  if (look->used != processor.used || look->isRunnable() || look->isTraced() ||
      isExcused(rank, process))
    processor.aliveSince = now;
  processor.used = look->used;
}

bool HangWatch::isExcused(int rank, pid_t process) const {
  if (seen[rank].isStopped)
    return false;
  const OperationState &operation = segment.processor(rank).operation;
  return (operation.inside.load(std::memory_order_relaxed) &&
          operation.kind.load(std::memory_order_relaxed) ==
              OperationKind::Input) ||
         waitsForStandardFile(process).value_or(false);
}

bool HangWatch::nobodyRuns() const {
  bool someoneIsThere =
      std::any_of(seen.begin(), seen.end(),
                  [](const Seen &processor) { return processor.runs; });
  return someoneIsThere && sameWaits;
}

std::string HangWatch::hangText() const {
  std::vector<std::string> doing;
  for (int rank = 0; rank < segment.processors(); ++rank)
    doing.push_back(seen[rank].runs
                        ? "waiting " +
                              lastOperation(segment.processor(rank).operation)
                        : "ended");
  return hangReport(doing);
}

std::string HangWatch::blockedText(double now) const {
  int all = segment.processors();
  for (int rank = 0; rank < all; ++rank) {
    const Seen &processor = seen[rank];
    if (!processor.runs || now - processor.aliveSince < patience)
      continue;
    for (int other = 0; other < all; ++other) {
      if (!seen[other].runs || seen[other].partner != rank ||
          now - seen[other].waitSince < patience)
        continue;
      char text[160];
      snprintf(text, sizeof text, "processor %d of %d has been %s for %.3g s ",
               rank, all, processor.isStopped ? "stopped" : "blocked",
               patience);
      char last[80];
      snprintf(last, sizeof last, ", while processor %d waits for it", other);
      return text + lastOperation(segment.processor(rank).operation) + last;
    }
  }
  return "";
}
