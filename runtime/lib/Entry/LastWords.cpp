//===- LastWords.cpp - Ends that nobody else would explain ----------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A linked C function of a run under mpiexec follows a null pointer. The
// launcher ends the run and names a process id and a signal, but not what the
// program was doing. The processor itself knows, and says before it dies:
//
//     p: error: processor 2 of 4 was killed by signal 11 (Segmentation fault)
//     after transfer at p.z:35:12
//
// The signal handler may have interrupted anything, malloc too. So the message
// is put together by hand, in a buffer of its own, on a stack of its own (the
// fault may be that the stack is full), and goes out in one write. Then the
// signal does what it would have done. Handlers that were there before the
// transport was started, of a sanitizer or of linked code, are left alone; that
// of UCX, which prints addresses, is not.
//
// Runs on shared memory need none of these words: their supervisor sees all
// ends, also those by signals that no handler sees.
//
// Ends without a signal: `exit` in linked code comes to `leave`, and the end of
// the first thread alone (pthread_exit) to a destructor of that thread. Of
// `_exit` and `execve` a processor on shared memory is told by its supervisor,
// others by their keepers (Support/Keeper), which explain it in their place.
//
// Whatever the program has written comes before the words about its end, also
// if another processor than the first one says them: it waits a moment.
//
//===----------------------------------------------------------------------===//

#include "Entry/LastWords.h"

#include "Entry/Process.h"
#include "Support/Error.h"
#include "Support/Keeper.h"
#include "Support/LastOperation.h"
#include "Support/PendingOutput.h"

#include <csignal>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <iterator>
#include <new>
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace zrt;

namespace {

constexpr int FatalSignals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};

/// Which of them nobody handled.
bool isFree[std::size(FatalSignals)];

/// Between prepareLastWords and dropLastWords.
bool running = false;

/// A message that is made without the C library's memory.
class PlainText {
  char text[1024];
  size_t length = 0;

public:
  PlainText &operator<<(const char *piece) {
    size_t size = std::min(strlen(piece), sizeof text - length);
    memcpy(text + length, piece, size);
    length += size;
    return *this;
  }
  PlainText &operator<<(int number) {
    char digits[16];
    char *at = digits + sizeof digits;
    *--at = 0;
    do
      *--at = static_cast<char>('0' + number % 10);
    while (number /= 10);
    return *this << at;
  }
  void write() const {
    if (::write(STDERR_FILENO, text, length) < 0)
      return; // Nobody left to tell.
  }
};

/// `p: error: `, and which processor where there are several.
void describeProcessor(PlainText &message) {
  const Transport &transport = *process().transport;
  message << process().name.c_str() << ": error: ";
  if (transport.size() > 1)
    message << "processor " << transport.rank() << " of " << transport.size()
            << " was ";
}

void describeSignal(PlainText &message, int number) {
  const char *meaning = sigdescr_np(number);
  describeProcessor(message);
  message << "killed by signal " << number << " (" << (meaning ? meaning : "?")
          << ")";
}

void describeOperation(PlainText &message) {
  const OperationState &state = operationState();
  if (state.count == 0)
    return;
  message << (state.inside ? " in " : " after ") << text(state.kind);
  if (const zrt_loc *loc = state.loc)
    message << " at " << loc->file << ":" << loc->line << ":" << loc->column;
}

/// Hands on what was written. Processor 0 may be elsewhere, and hands on its
/// output within this time.
void finishOutput() {
  handOnLastOutput();
  timespec moment = {0, 100'000'000};
  if (process().transport->rank() > 0)
    nanosleep(&moment, nullptr);
}

void dieOf(int number) {
  signal(number, SIG_DFL);
  tellOfEnd(nullptr);
  if (process().transport->reportsDeaths()) {
    handOnLastOutput();
  } else {
    finishOutput();
    PlainText message;
    describeSignal(message, number);
    describeOperation(message);
    message << "\n";
    message.write();
  }
  raise(number); // Delivered when this handler returns.
}

void catchSignals() {
  static char stack[1 << 16];
  stack_t other = {};
  other.ss_sp = stack;
  other.ss_size = sizeof stack;
  sigaltstack(&other, nullptr);
  struct sigaction action = {};
  action.sa_handler = dieOf;
  action.sa_flags = SA_ONSTACK;
  for (size_t k = 0; k < std::size(FatalSignals); ++k)
    if (isFree[k])
      sigaction(FatalSignals[k], &action, nullptr);
}

/// Linked code has called exit.
void leave(int status, void *) {
  if (!running)
    return;
  running = false;
  Process &p = process();
  p.files.flush();
  if (p.transport->reportsDeaths()) {
    if (status == 0)
      p.transport->leave();
    return;
  }
  if (status == 0) {
    // Without that, the launcher is the better one to find who is missing.
    if (p.transport->findsHangs()) {
      p.transport->finish();
      tellOfEnd(nullptr);
    }
    return;
  }
  tellOfEnd(nullptr);
  if (p.transport->claimReport(false))
    printError("processor %d of %d ended with status %d %s",
               p.transport->rank(), p.transport->size(), status,
               lastOperation(operationState()).c_str());
  p.transport->abort(1);
}

/// The keeper: this processor has ended without a word. If that looks as if all
/// were well, nobody else finds out; other ends the launcher sees and tells.
bool explainEnd(std::optional<int> status) {
  if (!status || !WIFEXITED(*status) || WEXITSTATUS(*status) != 0)
    return false;
  const Transport &transport = *process().transport;
  PlainText message;
  message << process().name.c_str() << ": error: processor " << transport.rank()
          << " of " << transport.size() << " ended before the others";
  describeOperation(message);
  message << "\n";
  message.write();
  return true;
}

/// Linked code has ended the first thread, which makes the process wait for
/// threads of libraries, or end as if all were well.
void leaveThread(void *) {
  if (!running)
    return;
  running = false;
  fatal(operationState().loc, ErrorScope::Local,
        "linked code has ended the program's thread");
}

void watchThread() {
  pthread_key_t key;
  if (pthread_key_create(&key, leaveThread) == 0)
    pthread_setspecific(key, &running);
}

/// Memory for the report that there is none.
void *reserve = nullptr;

[[noreturn]] void reportNoMemory() {
  free(reserve);
  std::set_new_handler(nullptr);
  const OperationState &state = operationState();
  if (state.inside)
    fatal(state.loc, ErrorScope::Local, "out of memory");
  fatal(nullptr, ErrorScope::Local, "out of memory %s",
        lastOperation(state).c_str());
}

} // namespace

void zrt::noteSignals() {
  for (size_t k = 0; k < std::size(FatalSignals); ++k) {
    struct sigaction action;
    isFree[k] = sigaction(FatalSignals[k], nullptr, &action) == 0 &&
                action.sa_handler == SIG_DFL;
  }
}

void zrt::prepareLastWords() {
  reserve = malloc(1 << 16);
  std::set_new_handler(reportNoMemory);
  catchSignals();
  running = true;
  watchThread();
  if (process().transport->size() > 1) {
    on_exit(leave, nullptr);
    tellOfEnd(explainEnd);
  }
}

void zrt::dropLastWords() { running = false; }

void zrt::endIsTold() { tellOfEnd(nullptr); }
