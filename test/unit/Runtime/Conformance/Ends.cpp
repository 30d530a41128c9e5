//===- Ends.cpp - How runs end --------------------------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The clauses about the end of a run. Each needs a run of its own, whose exit
/// status, messages, duration and leftovers the driver collects.
///
//===----------------------------------------------------------------------===//

#include "Ends.h"

#include "Support/Error.h"

#include <csignal>
#include <cstdlib>
#include <cstring>
#include <sstream>
#include <unistd.h>

using namespace zrt;
using namespace zrt::test;

namespace {

/// Where error reports of this process go.
Transport *reporting = nullptr;

void reportErrorsTo(Transport &transport) {
  reporting = &transport;
  ErrorContext context;
  context.programName = "conformance";
  context.rank = transport.rank();
  context.size = transport.size();
  context.claimReport = [](bool replicated) {
    return reporting->claimReport(replicated);
  };
  context.abortRun = [](int status) { reporting->abort(status); };
  setErrorContext(context);
}

/// Waits for a message that never comes. (With one processor: for a signal.)
[[noreturn]] void waitForever(Transport &transport) {
  char token;
  if (transport.size() > 1)
    transport.receive((transport.rank() + 1) % transport.size(), &token, 1);
  while (true)
    pause();
}

bool isLast(Transport &transport) {
  return transport.rank() == transport.size() - 1;
}

int occurrences(const std::string &text, const std::string &part) {
  int count = 0;
  for (size_t at = text.find(part); at != std::string::npos;
       at = text.find(part, at + 1))
    ++count;
  return count;
}

std::string checkMessage(const Outcome &outcome, const std::string &message,
                         int status) {
  if (outcome.status != status)
    return "the exit status is not " + std::to_string(status);
  if (occurrences(outcome.err, "error: ") != 1)
    return "there is not exactly one message";
  if (outcome.err.find(message + '\n') == std::string::npos)
    return "the message is not: " + message;
  return "";
}

std::string rankSuffix(int rank, int processors) {
  return processors == 1 ? ""
                         : " [rank " + std::to_string(rank) + " of " +
                               std::to_string(processors) + "]";
}

// --- Scenarios --------------------------------------------------------------

void localError(Transport &transport) {
  if (isLast(transport))
    fatal(nullptr, ErrorScope::Local, "the disk is on fire");
  waitForever(transport);
}
std::string judgeLocalError(const Outcome &outcome, const std::string &,
                            int processors) {
  return checkMessage(outcome,
                      "conformance: error: the disk is on fire" +
                          rankSuffix(processors - 1, processors),
                      1);
}

void replicatedError(Transport &) {
  zrt_loc loc = {"a.z", 3, 7};
  fatal(&loc, ErrorScope::Replicated, "index %d is outside", 11);
}
std::string judgeReplicatedError(const Outcome &outcome, const std::string &,
                                 int) {
  return checkMessage(outcome,
                      "conformance: a.z:3:7: error: index 11 is outside", 1);
}

void lostError(Transport &transport) {
  if (transport.rank() == 0 && transport.size() > 1)
    waitForever(transport);
  fatal(nullptr, ErrorScope::Replicated, "processor 0 does not come here");
}
std::string judgeLostError(const Outcome &outcome, const std::string &, int) {
  return checkMessage(outcome,
                      "conformance: error: processor 0 does not come here", 1);
}

void abortWithStatus(Transport &transport) {
  transport.claimReport(true);
  transport.abort(3);
}
/// What the run printed on standard error, without what libevent seldom says
/// within Open MPI's launcher, where a processor's pipes are gone already.
std::string printed(const Outcome &outcome) {
  std::istringstream lines(outcome.err);
  std::string result;
  for (std::string line; std::getline(lines, line);)
    if (!line.starts_with("[warn] Epoll "))
      result += line + '\n';
  return result;
}

std::string judgeAbort(const Outcome &outcome, const std::string &, int) {
  if (outcome.status != 3)
    return "the exit status is not that of the abort";
  return printed(outcome).empty() ? "" : "something was printed";
}

void killed(Transport &transport) {
  if (isLast(transport))
    raise(SIGKILL);
  waitForever(transport);
}
std::string judgeKilled(const Outcome &outcome, const std::string &transport,
                        int processors) {
  if (transport != "shm")
    return outcome.status != 0 ? "" : "the exit status is 0";
  return checkMessage(outcome,
                      "conformance: error: processor " +
                          std::to_string(processors - 1) + " of " +
                          std::to_string(processors) +
                          " was killed by signal 9 (Killed)",
                      1);
}

/// Whether status and messages of a run that ends from outside are those of
/// MPI's launcher.
bool launcherDecides(const std::string &transport) {
  return transport == "mpi" || transport == "hybrid" || transport == "put" ||
         transport == "shmem";
}

/// With one processor this is simply an exit.
void exitsEarly(Transport &transport) {
  if (isLast(transport))
    _exit(0);
  waitForever(transport);
}
std::string judgeExitsEarly(const Outcome &outcome,
                            const std::string &transport, int processors) {
  if (launcherDecides(transport) || processors == 1)
    return ""; // The launcher decides.
  return checkMessage(
      outcome,
      "conformance: error: processor " + std::to_string(processors - 1) +
          " of " + std::to_string(processors) + " ended before the others",
      1);
}

void interrupted(Transport &transport) {
  Context(transport, Setting()).barrier();
  if (transport.rank() == 0 && write(STDOUT_FILENO, "ready\n", 6) != 6)
    _exit(4);
  waitForever(transport);
}
std::string judgeInterrupted(const Outcome &outcome,
                             const std::string &transport, int) {
  if (launcherDecides(transport))
    return ""; // The launcher decides on status and messages.
  if (outcome.status <= 128)
    return "the run does not end by the signal";
  return outcome.err.empty() ? "" : "an interrupted run complains";
}

void readsInput(Transport &transport) {
  char text[16];
  ssize_t length = read(STDIN_FILENO, text, sizeof text);
  bool right = transport.rank() == 0
                   ? length == 6 && memcmp(text, "input\n", 6) == 0
                   : length == 0;
  Context(transport, Setting()).barrier();
  if (!right)
    fatal(nullptr, ErrorScope::Local, "input of %zd bytes", length);
  transport.finish();
  _exit(0);
}
std::string judgeReadsInput(const Outcome &outcome, const std::string &, int) {
  return outcome.status == 0 ? "" : "the exit status is not 0";
}

} // namespace

template <void (*Run)(Transport &)> static void prepared(Transport &transport) {
  reportErrorsTo(transport);
  Run(transport);
}

const std::vector<Scenario> &zrt::test::endScenarios() {
  static const std::vector<Scenario> scenarios = {
      {"end-local-error",
       "an error of one processor is reported once, with rank",
       prepared<localError>, judgeLocalError},
      {"end-common-error", "an error of all processors is reported once",
       prepared<replicatedError>, judgeReplicatedError},
      {"end-lost-error",
       "an error is reported even if processor 0 does not come",
       prepared<lostError>, judgeLostError},
      {"end-abort", "the status of the run is that of the abort",
       prepared<abortWithStatus>, judgeAbort},
      {"end-killed", "a killed processor ends the run", prepared<killed>,
       judgeKilled},
      {"end-early", "a processor that exits early does not leave others",
       prepared<exitsEarly>, judgeExitsEarly},
      {"end-interrupted", "an interrupt ends the run", prepared<interrupted>,
       judgeInterrupted, SIGINT},
      {"end-terminated", "SIGTERM ends the run", prepared<interrupted>,
       judgeInterrupted, SIGTERM},
      {"end-input", "standard input belongs to processor 0",
       prepared<readsInput>, judgeReadsInput},
  };
  return scenarios;
}
