//===- Faults.cpp - A full stack in a library -----------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A program of its own ends when its stack is full (CrashReport); a library must
// not end its caller. Its program has a stack of its own, with 16 MiB below it
// that cannot be touched, more than any frame has. A fault with an address there
// is a full stack and nothing else. The handler, on a stack of its own, makes
// the message and leaves for the caller, as every error does; the frames of the
// program stay where they are.
//
// *In code that is not the program's* (the runtime, malloc) that would leave
// locks taken and lists half changed. So the stack gets 64 KiB more of the
// guarded room, and the code goes on, until the fault is in the program's own
// code; mostly once. C that recurses without an end uses half of the room up: it
// is left then, too, but the library cannot be initialized again.
//
// All other faults are for whoever had a handler before (Python's faulthandler),
// or do what they do without us.
//
// Cost: of a call, a look at a variable of the thread.
//
//===----------------------------------------------------------------------===//

#include "Entry/Library/Faults.h"

#include "Entry/CrashReport.h"
#include "Entry/Library/Calls.h"
#include "Entry/StackGuard.h"

#include <csignal>
#include <iterator>
#include <sys/mman.h>

using namespace zrt;

namespace {

constexpr int Faults[] = {SIGSEGV, SIGBUS};
struct sigaction former[std::size(Faults)];
bool isWatching = false;

/// Of a thread that calls, until it ends.
class SignalStack {
  static constexpr size_t Bytes = 1 << 16;
  void *memory = MAP_FAILED;

public:
  void take() {
    if (memory != MAP_FAILED)
      return;
    stack_t other = {};
    if (sigaltstack(nullptr, &other) == 0 && !(other.ss_flags & SS_DISABLE) &&
        other.ss_size >= Bytes)
      return;
    memory = mmap(nullptr, Bytes, PROT_READ | PROT_WRITE,
                  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
      return;
    stack_t own = {};
    own.ss_sp = memory;
    own.ss_size = Bytes;
    sigaltstack(&own, nullptr);
  }
  ~SignalStack() {
    if (memory == MAP_FAILED)
      return;
    stack_t now = {};
    if (sigaltstack(nullptr, &now) == 0 && now.ss_sp == memory) {
      now.ss_flags = SS_DISABLE;
      sigaltstack(&now, nullptr);
    }
    munmap(memory, Bytes);
  }
};

thread_local SignalStack signalStack;
thread_local bool hasSignalStack = false;

/// Does what would have been done without us.
void passOn(size_t which, int number, siginfo_t *info, void *context) {
  const struct sigaction &before = former[which];
  if (before.sa_flags & SA_SIGINFO)
    return before.sa_sigaction(number, info, context);
  if (before.sa_handler != SIG_DFL && before.sa_handler != SIG_IGN)
    return before.sa_handler(number);
  sigaction(number, &before, nullptr);
  if (info->si_code <= 0) // Somebody's kill, which does not come again.
    raise(number);
}

void onFault(int number, siginfo_t *info, void *context) {
  LibraryState &l = library();
  bool isOurs = l.isInProgram && info->si_code > 0 && l.program &&
                l.program->guards(info->si_addr);
  if (!isOurs)
    return passOn(number == SIGBUS, number, info, context);
  bool isInside = !isProgramCode(context);
  if (isInside && l.program->giveRoom(info->si_addr))
    return;
  l.isTorn = isInside;
  l.program->letRead(); // the report looks for the last procedure there
  reportFullStack(*info, context);
}

} // namespace

void zrt::takeSignalStackOfThread() {
  if (hasSignalStack)
    return;
  hasSignalStack = true;
  signalStack.take();
}

void zrt::watchStack() {
  if (isWatching)
    return;
  isWatching = true;
  struct sigaction action = {};
  action.sa_sigaction = onFault;
  // The handler may never return, so the signal stays deliverable.
  action.sa_flags = SA_ONSTACK | SA_SIGINFO | SA_NODEFER;
  for (size_t k = 0; k < std::size(Faults); ++k)
    sigaction(Faults[k], &action, &former[k]);
}

void zrt::unwatchStack() {
  if (!isWatching)
    return;
  bool isOurs = true;
  struct sigaction now = {};
  for (int number : Faults)
    isOurs &= sigaction(number, nullptr, &now) == 0 &&
              (now.sa_flags & SA_SIGINFO) && now.sa_sigaction == onFault;
  if (!isOurs)
    return; // Whoever came later calls us.
  isWatching = false;
  for (size_t k = 0; k < std::size(Faults); ++k)
    sigaction(Faults[k], &former[k], nullptr);
}
