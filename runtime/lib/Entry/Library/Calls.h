//===- Calls.h - The state of a library, and its turns ----------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_ENTRY_LIBRARY_CALLS_H
#define ZRT_ENTRY_LIBRARY_CALLS_H

#include "Transport/sim/Fiber.h"
#include "zrt/Library.h"

#include <atomic>
#include <memory>
#include <string>
#include <vector>

namespace zrt {

/// What the caller wants of the program. All processors get one.
struct Request {
  enum Kind : int32_t { Finish, Call, Get, Set } kind = Finish;
  int32_t number = 0;     ///< of the procedure or array
  void *memory = nullptr; ///< Get, Set: the caller's, where there is a caller
};

/// How an array of a parameter was found: what is to be put back.
struct Lent {
  const void *data = nullptr; ///< the caller's memory that it has now
  char *origin = nullptr;
  int64_t pitch[ZPL_MAX_RANK] = {};
};

/// One library of a process.
struct LibraryState {
  /// Refused: as Idle, but the last init was a mistake.
  enum Phase { Idle, Refused, Running, Failed } phase = Idle;
  const zrtL_library *exports = nullptr;
  const int *communicator = nullptr;
  int communicatorValue = 0;
  std::vector<std::string> arguments; ///< of the command line
  std::string message;
  std::atomic<bool> isBusy = false; ///< a thread is in a call

  sim::Fiber caller;
  std::unique_ptr<sim::Fiber> program; ///< null: it does not run
  /// The stack of a program that has failed, which its Process is on.
  std::unique_ptr<sim::Fiber> failed;
  bool isTorn = false; ///< it failed where nothing can be taken up again
  volatile bool isInProgram = false; ///< and not in the caller
  Request request;
  int32_t current = -1;   ///< the procedure that runs, or has run last
  std::vector<Lent> lent; ///< by arrays
};

LibraryState &library();

/// On the program's stack: goes back to the caller, and on from here when there
/// is the next request.
void returnToCaller();

/// On the caller's stack: starts the program, which runs until it waits for a
/// call, has failed or ended. False if there is no room for its stack.
bool startProgram();
/// The same until the next wait.
void resumeProgram(const Request &request);

/// Whether each process of the run has a caller, who makes the same calls.
inline bool hasCallers() { return library().communicator != nullptr; }

} // namespace zrt

#endif // ZRT_ENTRY_LIBRARY_CALLS_H
