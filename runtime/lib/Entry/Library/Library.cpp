//===- Library.cpp - What the caller of a library calls -------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The caller's side of calls (Calls.cpp): looks at what is given before anything
// is done, so that a mistake in an argument costs a message and nothing else.
//
// Cost of a call on one processor: some 50 ns, of which half are two changes of
// stacks.
//
//===----------------------------------------------------------------------===//

#include "Entry/Library/Library.h"

#include "Entry/Library/Calls.h"
#include "Entry/Library/Faults.h"
#include "Entry/Library/Sharing.h"
#include "Entry/Library/Values.h"
#include "Entry/Process.h"
#include "Support/Error.h"
#include "Transport/shm/Workers.h"

#include <sys/syscall.h>
#include <unistd.h>

using namespace zrt;

/// Whether the last call of this thread came while another one's went on.
static thread_local bool foundBusy = false;

static bool takeTurn() {
  foundBusy = library().isBusy.exchange(true, std::memory_order_acquire);
  return !foundBusy;
}

namespace {

/// One call at a time.
class Turn {
public:
  const bool isOurs = takeTurn();
  ~Turn() {
    if (isOurs)
      zrtL_end();
  }
};

} // namespace

static int32_t misuse(const std::string &why) {
  library().message = why;
  return ZRTL_MISUSED;
}

/// Whether a call may go on; else its status.
static int32_t readiness(const Turn &turn) {
  LibraryState &l = library();
  if (!turn.isOurs)
    return ZRTL_NOT_READY;
  if (l.phase == LibraryState::Running)
    return ZRTL_OK;
  if (l.phase <= LibraryState::Refused)
    l.message = "the library is not initialized";
  return ZRTL_NOT_READY;
}

/// What has come of a turn of the program.
static int32_t outcome() {
  LibraryState &l = library();
  // Of a stack that has grown large; its Process is where it began.
  constexpr size_t KeptBytes = 1 << 20;
  if (l.phase == LibraryState::Failed)
    l.program->releaseBelow(KeptBytes);
  if (l.phase == LibraryState::Idle) {
    l.program.reset();
    unwatchStack();
  }
  if (l.phase == LibraryState::Refused)
    return ZRTL_MISUSED;
  bool isDone =
      l.phase == LibraryState::Running ||
      (l.phase == LibraryState::Idle && l.request.kind == Request::Finish);
  return isDone ? ZRTL_OK : ZRTL_FAILED;
}

/// Refuses one memory for two arrays of which one is written.
static int32_t checkSharing(const zrtL_procedure &procedure) {
  for (int64_t k = 1; k < procedure.count; ++k)
    for (int64_t j = 0; j < k; ++j) {
      const zrtL_parameter &a = procedure.params[j], &b = procedure.params[k];
      if (a.kind == ZRTL_ARRAY && b.kind == ZRTL_ARRAY &&
          ((a.mode | b.mode) & ZRTL_OUT) &&
          shareMemory(**static_cast<zpl_view **>(a.place),
                      **static_cast<zpl_view **>(b.place)))
        return misuse("'" + std::string(a.name) + "' and '" + b.name +
                      "' of '" + procedure.name + "' share memory, and '" +
                      (b.mode & ZRTL_OUT ? b.name : a.name) + "' is written");
    }
  return ZRTL_OK;
}

extern "C" {

int32_t zrtL_init(const zrtL_library *exports, int32_t count,
                  const char *const *options, const int *communicator) {
  Turn turn;
  LibraryState &l = library();
  if (!turn.isOurs)
    return ZRTL_NOT_READY;
  if (l.phase == LibraryState::Running)
    return misuse("the library is initialized already");
  // Other processes would wait for what this one has not sent.
  if (l.phase == LibraryState::Failed && (l.isTorn || hasCallers()))
    return ZRTL_NOT_READY; // with the message of the failure
  l.exports = exports;
  l.communicator = nullptr;
  if (communicator) {
    l.communicatorValue = *communicator;
    l.communicator = &l.communicatorValue;
  }
  l.arguments = {exports->name};
  l.arguments.insert(l.arguments.end(), options, options + count);
  l.message.clear();
  l.lent.assign(static_cast<size_t>(exports->array_count), Lent());
  if (!startProgram())
    return misuse("there is no address space for the program's stack");
  return outcome();
}

int32_t zrtL_begin(void) {
  LibraryState &l = library();
  if (!takeTurn())
    return ZRTL_NOT_READY;
  if (l.phase == LibraryState::Running)
    return ZRTL_OK;
  if (l.phase <= LibraryState::Refused)
    l.message = "the library is not initialized";
  zrtL_end();
  return ZRTL_NOT_READY;
}

int32_t zrtL_misuse(const char *why) { return misuse(why); }

void zrtL_end(void) {
  library().isBusy.store(false, std::memory_order_release);
}

int32_t zrtL_call(int32_t number) {
  LibraryState &l = library();
  const zrtL_procedure &procedure = l.exports->procedures[number];
  for (int64_t k = 0; k < procedure.count; ++k) {
    const zrtL_parameter &param = procedure.params[k];
    std::string why;
    if (param.kind == ZRTL_ARRAY &&
        !suits(*l.exports->arrays[param.array],
               *static_cast<zpl_view **>(param.place), why))
      return misuse("'" + std::string(param.name) + "' of '" + procedure.name +
                    "': " + why);
    if (param.kind == ZRTL_STRING && (param.mode & ZRTL_IN) &&
        !*static_cast<const char **>(param.place))
      return misuse("'" + std::string(param.name) + "' of '" + procedure.name +
                    "' is null");
  }
  if (int32_t status = checkSharing(procedure))
    return status;
  resumeProgram({Request::Call, number});
  return outcome();
}

int32_t zrtL_view(int32_t array, zpl_view *view) {
  Turn turn;
  if (int32_t status = readiness(turn))
    return status;
  const char *why = nullptr;
  *view = ownView(*library().exports->arrays[array], why);
  return why ? misuse(why) : ZRTL_OK;
}

/// Get and Set.
static int32_t copyOfCaller(Request::Kind kind, int32_t number, void *memory,
                            int64_t bytes) {
  Turn turn;
  if (int32_t status = readiness(turn))
    return status;
  const zrt_array &array = *library().exports->arrays[number];
  const char *why = nullptr;
  ownView(array, why);
  if (why)
    return misuse(why);
  if (!memory || bytes != wholeBytes(array))
    return misuse("the elements take " + std::to_string(wholeBytes(array)) +
                  " bytes, not " + std::to_string(memory ? bytes : 0));
  resumeProgram({kind, number, memory});
  return outcome();
}

int32_t zrtL_get(int32_t array, void *to, int64_t bytes) {
  return copyOfCaller(Request::Get, array, to, bytes);
}

int32_t zrtL_set(int32_t array, const void *from, int64_t bytes) {
  // The request says that it is read only.
  return copyOfCaller(Request::Set, array, const_cast<void *>(from), bytes);
}

int32_t zrtL_finish(void) {
  Turn turn;
  LibraryState &l = library();
  if (!turn.isOurs)
    return ZRTL_NOT_READY;
  if (l.phase != LibraryState::Running)
    return ZRTL_OK; // There is nothing to end.
  resumeProgram({Request::Finish});
  setErrorTaker(nullptr);
  killWorkers(); // They have ended, or are about to.
  return outcome();
}

const char *zrtL_error(void) {
  return foundBusy ? "the library is in a call of another thread"
                   : library().message.c_str();
}

int32_t zrtL_processors(void) {
  return library().phase == LibraryState::Running ? zpl_processors() : 0;
}

} // extern "C"
