//===- Calls.cpp - Two stacks that take turns -----------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A ZPL program runs from its start to its end. A library is called. So the
// program runs on a stack of its own, and the caller and it take turns:
//
//     caller                         program
//     zrtL_init            ------->  main, global declarations, procedure kernel
//                          <-------  zrtL_next: wait for a call
//     zrtL_call(2)         ------->  returns 2 + 1; the program calls step
//                          <-------  zrtL_next
//     zrtL_finish          ------->  returns 0; the program ends
//                          <-------  (its stack is given back)
//
// A change of stacks is fourteen instructions (Transport/sim/Fiber.cpp). The
// program is ordinary ZPL: the compiler adds a loop around zrtL_next that calls
// the exported procedures (lib/Driver/Library), so that all that it knows of
// programs holds.
//
// *Several processors.* Workers (shm) have no caller: processor 0 tells them each
// request by a broadcast. Over a communicator each process has a caller, and
// all make the same calls.
//
// *Errors* go to the caller as well: what would end the run leaves the program's
// stack for good, and all calls are refused until the library is initialized
// again, which clears away what the failed run has left: its Process, on its
// stack. What a single process of a communicator finds ends all, as MPI has no
// other way to tell the others. A full stack is an error like others (Faults.h).
//
//===----------------------------------------------------------------------===//

#include "Entry/Library/Calls.h"

#include "Collective/Collective.h"
#include "Entry/Library/Faults.h"
#include "Entry/Library/Library.h"
#include "Entry/Library/Values.h"
#include "Entry/Process.h"
#include "Entry/RunEnd.h"
#include "Support/Error.h"
#include "Transport/shm/Workers.h"

#include <unistd.h>

using namespace zrt;

LibraryState &zrt::library() {
  static LibraryState state;
  return state;
}

bool zrt::isLibrary() { return library().exports != nullptr; }

const int *zrt::libraryCommunicator() { return library().communicator; }

void zrt::returnToCaller() {
  LibraryState &l = library();
  l.isInProgram = false;
  sim::Fiber::change(*l.program, l.caller);
}

static void enterProgram() {
  LibraryState &l = library();
  takeSignalStackOfThread();
  l.isInProgram = true;
  sim::Fiber::change(l.caller, *l.program);
}

/// The run has failed: the caller hears of it, the program's stack stays as it
/// is.
[[noreturn]] static void failToCaller(std::string_view message) {
  LibraryState &l = library();
  l.phase = LibraryState::Failed;
  l.message = message.substr(0, message.find_last_not_of('\n') + 1);
  killWorkers();
  returnToCaller();
  __builtin_unreachable();
}

void zrt::refuseToCaller(const std::string &message) {
  LibraryState &l = library();
  setErrorTaker(nullptr);
  l.phase = LibraryState::Refused;
  l.message = message;
  returnToCaller();
  __builtin_unreachable();
}

/// While processor 0 waits for workers.
static void lookAtWorkers(void *) {
  std::string message;
  if (haveWorkersFailed(message))
    failToCaller(message);
}

static void takeError(std::string_view message, bool replicated, int status) {
  constexpr int WrongUse = 2; // found before the program's first statement
  if (status == WrongUse && replicated && !isShmWorker()) {
    killWorkers();
    refuseToCaller(std::string(message.substr(0, message.find('\n'))));
  }
  if (hasCallers() && hasProcess() && process().transport && !replicated)
    return; // MPI ends all.
  if (!isShmWorker())
    failToCaller(message);
  // Of what all find processor 0 tells; it ends this process then.
  for (int looks = 0; replicated && looks < 200; ++looks)
    usleep(10000);
  failAsWorker(message);
}

/// Frees what a program has left that failed, or was refused.
static void clearAway() {
  LibraryState &l = library();
  if (hasProcess()) {
    Process &left = process();
    reportEarly(l.exports->name);
    setProcess(nullptr);
    left.~Process(); // The stack that it is on never goes on.
  }
  l.failed.reset();
}

/// What happens on the program's stack.
static void runMain(void *) {
  LibraryState &l = library();
  setErrorTaker(takeError);
  clearAway();
  std::vector<char *> arguments;
  for (std::string &argument : l.arguments)
    arguments.push_back(argument.data());
  arguments.push_back(nullptr);
  l.exports->main(static_cast<int>(l.arguments.size()), arguments.data());
  if (isShmWorker())
    endWorker(0);
  setProcess(nullptr);
  l.phase = LibraryState::Idle;
  if (l.request.kind != Request::Finish)
    l.message = "the program ended before it could be called";
  returnToCaller();
}

bool zrt::startProgram() {
  constexpr size_t StackBytes = size_t(256) << 20, GuardBytes = 16 << 20;
  LibraryState &l = library();
  if (l.program) // of a run that failed or was refused
    l.failed = std::move(l.program);
  l.program = std::make_unique<sim::Fiber>();
  l.request = {Request::Call, -1};
  l.current = -1;
  if (!l.program->start(StackBytes, GuardBytes, runMain, nullptr)) {
    l.program = std::move(l.failed);
    return false;
  }
  l.phase = LibraryState::Running;
  watchStack();
  enterProgram();
  return true;
}

void zrt::resumeProgram(const Request &request) {
  LibraryState &l = library();
  l.request = request;
  enterProgram();
}

// --- In the program ---------------------------------------------------------

/// The next request, on all processors.
static Request awaitRequest() {
  Process &p = process();
  LibraryState &l = library();
  if (!isShmWorker())
    returnToCaller();
  Request request = l.request;
  if (!hasCallers() && p.transport->size() > 1)
    broadcast(*p.transport, &request, sizeof request);
  return request;
}

/// What the program need not know of.
static bool serve(const Request &request) {
  const zrtL_library &exports = *library().exports;
  if (request.kind == Request::Get)
    getWhole(*exports.arrays[request.number], request.memory);
  else if (request.kind == Request::Set)
    setWhole(*exports.arrays[request.number], request.memory);
  else
    return false;
  return true;
}

/// In a worker that begins: texts are those of the process it was forked from.
static void forgetTexts() {
  const zrtL_library &exports = *library().exports;
  for (int64_t k = 0; k < exports.procedure_count; ++k)
    for (int64_t j = 0; j < exports.procedures[k].count; ++j)
      if (const zrtL_parameter &param = exports.procedures[k].params[j];
          param.kind == ZRTL_STRING)
        *static_cast<const char **>(param.place) = nullptr;
}

extern "C" int32_t zrtL_next(void) {
  LibraryState &l = library();
  Process &p = process();
  if (l.current >= 0)
    giveResults(l.exports->procedures[l.current]);
  else if (isShmWorker())
    forgetTexts();
  else if (p.isFirst() && p.transport->size() > 1 && !hasCallers())
    p.transport->setIdle(lookAtWorkers, nullptr);
  l.current = -1;
  p.files.flush();
  Request request;
  do
    request = awaitRequest();
  while (serve(request));
  if (request.kind == Request::Finish) {
    p.transport->setIdle(nullptr, nullptr);
    return 0;
  }
  l.current = request.number;
  takeArguments(l.exports->procedures[l.current]);
  return l.current + 1;
}
