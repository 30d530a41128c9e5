//===- CrashReport.cpp - Ends that nobody else would explain --------------===//
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
// The same handler sees that the stack is full, which is an error of the
// program like others: what was written is out first, one processor tells for
// all, and the run ends with status 1 (StackGuard):
//
//     p: error: the stack is exhausted at p.z:3:11, in procedure 'f'
//
// The signal handler may have interrupted anything, malloc too. So the message
// is put together by hand, in a buffer of its own, on a stack of its own (the
// fault may be that the stack is full), and goes out in one write. Then the
// signal does what it would have done. Handlers that were there before the
// transport was started, of a sanitizer or of linked code, are left alone; that
// of UCX, which prints addresses, is not.
//
// Linked code that calls `exit` or `_exit` is stopped at the same place: the
// program has not come to its end, so status 0 would be a lie. What goes past
// both, SIGKILL or a program executed in place of this one, the guardian of a
// launched processor sees (Transport/Guardian.h).
//
// Runs on shared memory need nothing but that of the stack: their supervisor
// sees all ends, also those by signals that no handler sees. Simulated
// processors are in one process, which ends with status 1 as such a run does.
//
//===----------------------------------------------------------------------===//

#include "Entry/CrashReport.h"

#include "Entry/Process.h"
#include "Entry/RunEnd.h"
#include "Entry/StackGuard.h"
#include "Support/Error.h"
#include "Support/LastOperation.h"
#include "Transport/Guardian.h"
#include "Transport/sim/SimTransport.h"

#include <csignal>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <new>
#include <string>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

using namespace zrt;

namespace {

constexpr int FatalSignals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};

/// Which of them nobody handled.
bool isFree[std::size(FatalSignals)];

/// Between prepareCrashReport and dropCrashReport.
bool running = false;

/// A report asks the transport, and writes out what is pending.
constexpr size_t SignalStackBytes = 1 << 18;

/// The process that this is about.
pid_t owner = 0;

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
  std::string_view view() const { return {text, length}; }
};

void describeSignal(PlainText &message, int number) {
  const char *meaning = sigdescr_np(number);
  const Transport &transport = *process().transport;
  message << process().name.c_str() << ": error: ";
  if (transport.size() > 1)
    message << "processor " << transport.rank() << " of " << transport.size()
            << " was ";
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

bool isMemoryFault(int number) { return number == SIGSEGV || number == SIGBUS; }

void dieOf(int number, siginfo_t *info, void *context) {
  signal(number, SIG_DFL);
  if (isMemoryFault(number) && isStackExhausted(*info, context))
    reportFullStack(*info, context);
  bool tells = !process().transport->reportsDeaths();
  if (tells) {
    letFirstCatchUp();
    tells = sim::isSimulation() ? claimReport(false) : claimGuardedReport();
  }
  if (tells) {
    PlainText message;
    describeSignal(message, number);
    describeOperation(message);
    message << "\n";
    writeError(message.view());
  }
  guardianReported();
  if (sim::isSimulation())
    abortRun(1);
  raise(number); // Delivered when this handler returns.
}

/// A stack for handlers. Not among the variables, which processors of one
/// process exchange; the first of them takes it for all.
void takeSignalStack() {
  stack_t other = {};
  if (sigaltstack(nullptr, &other) == 0 && !(other.ss_flags & SS_DISABLE) &&
      other.ss_size >= SignalStackBytes)
    return;
  void *memory = mmap(nullptr, SignalStackBytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED)
    return;
  other = {};
  other.ss_sp = memory;
  other.ss_size = SignalStackBytes;
  sigaltstack(&other, nullptr);
}

void catchSignals() {
  takeSignalStack();
  struct sigaction action = {};
  action.sa_sigaction = dieOf;
  action.sa_flags = SA_ONSTACK | SA_SIGINFO;
  bool all = !process().transport->reportsDeaths();
  for (size_t k = 0; k < std::size(FatalSignals); ++k)
    if (isFree[k] && (all || isMemoryFault(FatalSignals[k])))
      sigaction(FatalSignals[k], &action, nullptr);
}

/// Linked code has called exit or _exit.
void leave(int status, void *) {
  if (!running || getpid() != owner)
    return; // A child of linked code may.
  running = false;
  const Transport &transport = *process().transport;
  if (transport.size() == 1 && status != 0)
    return; // That says it.
  std::string who = "the program";
  if (transport.size() > 1)
    who = "processor " + std::to_string(transport.rank()) + " of " +
          std::to_string(transport.size());
  if (claimReport(false)) {
    process().files.flush();
    printError("%s ended with status %d %s", who.c_str(), status,
               lastOperation(operationState()).c_str());
  }
  abortRun(1);
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

void zrt::reportFullStack(const siginfo_t &info, const void *context) {
  PlainText message;
  message << process().name.c_str() << ": error: the stack is exhausted";
  if (const zrt_procedure *procedure = procedureAt(info, context))
    message << " at " << procedure->loc.file << ":" << procedure->loc.line
            << ":" << procedure->loc.column << ", in procedure '"
            << procedure->name << "'";
  message << "\n";
  fatalText(message.view());
}

void zrt::noteSignals() {
  for (size_t k = 0; k < std::size(FatalSignals); ++k) {
    struct sigaction action;
    isFree[k] = sigaction(FatalSignals[k], nullptr, &action) == 0 &&
                action.sa_handler == SIG_DFL;
  }
}

void zrt::prepareCrashReport() {
  reserve = malloc(1 << 16);
  std::set_new_handler(reportNoMemory);
  catchSignals();
  if (process().transport->reportsDeaths())
    return;
  running = true;
  owner = getpid();
  on_exit(leave, nullptr);
}

void zrt::dropCrashReport() { running = false; }

// In place of the C library's, for linked code.

extern "C" void _exit(int status) {
  leave(status, nullptr);
  syscall(SYS_exit_group, status);
  __builtin_unreachable();
}

extern "C" void _Exit(int status) { _exit(status); }
