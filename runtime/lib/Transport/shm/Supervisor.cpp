//===- Supervisor.cpp - Starts the processors of a run --------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// `./prog -p4` is five processes: this one, which only waits, and four
/// processors. That one process stands outside the computation makes the end
/// of a run simple: whatever happens to a processor, somebody notices, says so
/// once and ends the others.
///
/// What can happen, and what follows:
///  - all processors end regularly: status 0;
///  - one calls abort: the others are killed, the status is that of the abort;
///  - one dies of a signal or exits with a status of its own: the others are
///    killed, a message names the processor, status 1. If another processor
///    has begun to report an error, it has two seconds to end the run itself,
///    because its message is the better one; else processor 0 may come to the
///    same place in the program, so that what it writes before that is written;
///  - one exits before its regular end, with status 0 (the program called
///    exit): the others have two seconds to report something better, then as
///    above. The run did not come to its end, even if all do the same;
///  - no processor can advance, or one that others wait for does not go on: the
///    others are killed, a message lists or names them (HangWatch), status 1;
///  - somebody interrupts or terminates this process: the others are killed,
///    and this process dies of the same signal, as the shell expects;
///  - a processor dies because nobody reads its output: the same, silently;
///  - this process is killed: its children asked to die with it.
///
/// All signals of interest are blocked from before the first fork and taken by
/// sigtimedwait one at a time, so no handler interrupts anything. The lowest
/// number comes first: an interrupt from the terminal, which also kills the
/// processors, is seen before their deaths. Between them this process looks at
/// the processors a few times a second, which is what finds the hangs.
///
/// Messages say what a processor did last: its OperationState lies in the
/// segment.
///
//===----------------------------------------------------------------------===//

#include "Transport/shm/Supervisor.h"

#include "Support/CatchUp.h"
#include "Support/Clock.h"
#include "Support/Error.h"
#include "Support/LastOperation.h"
#include "Transport/shm/HangWatch.h"
#include "Transport/shm/ShmTransport.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <optional>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace zrt;
using namespace zrt::shm;

namespace {

/// Seconds given to the other processors when one has ended irregularly.
constexpr double Patience = 2.0;
/// Seconds between two looks at them then.
constexpr double BetweenLooks = 1e-3;

class Supervisor {
public:
  Supervisor(Segment &segment, double watchdog)
      : segment(segment), watch(segment, watchdog) {}

  /// Forks. Returns the rank in the children, -1 in this process.
  int start();
  /// Waits for the end and exits.
  [[noreturn]] void run();

private:
  void blockSignals();
  int becomeProcessor(int rank, pid_t parent);
  void reap();
  void judge(int rank, int status);
  bool isTimeUp();
  void lookForHang();
  int waitForSignal();
  [[noreturn]] void killRun();
  [[noreturn]] void endRun(int status);
  [[noreturn]] void endBySignal(int signal);
  void killProcessors();
  void printFailure();

  Segment &segment;
  HangWatch watch;
  double lastLook = 0;
  std::vector<pid_t> processes; ///< by rank; 0 once it has ended
  int running = 0;
  sigset_t caught, before;
  // The first irregular end.
  int failedRank = -1;
  int failedStatus = 0;
  double deadline = 0;                 ///< when patience with the others ends
  std::optional<CatchUp> firstFollows; ///< until then, whatever the deadline
};

} // namespace

// --- Starting ---------------------------------------------------------------

void Supervisor::blockSignals() {
  sigemptyset(&caught);
  sigaddset(&caught, SIGCHLD);
  // A signal that our caller has told us to ignore (nohup) stays ignored.
  for (int number : {SIGHUP, SIGINT, SIGTERM}) {
    struct sigaction action;
    if (sigaction(number, nullptr, &action) == 0 &&
        action.sa_handler != SIG_IGN)
      sigaddset(&caught, number);
  }
  signal(SIGCHLD, SIG_DFL);
  sigprocmask(SIG_BLOCK, &caught, &before);
}

int Supervisor::becomeProcessor(int rank, pid_t parent) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) // It died before we asked.
    _exit(1);
  sigprocmask(SIG_SETMASK, &before, nullptr);
  setOperationState(&segment.processor(rank).operation);
  return rank;
}

int Supervisor::start() {
  fflush(nullptr); // Else every child would print it again.
  blockSignals();
  pid_t parent = getpid();
  processes.assign(segment.processors(), 0);
  for (int rank = 0; rank < segment.processors(); ++rank) {
    pid_t process = fork();
    if (process == 0)
      return becomeProcessor(rank, parent);
    if (process < 0) {
      int reason = errno;
      killProcessors();
      printError("cannot start processor %d of %d: %s", rank,
                 segment.processors(), strerror(reason));
      endRun(1);
    }
    processes[rank] = process;
    ++running;
  }
  return -1;
}

// --- Watching ---------------------------------------------------------------

void Supervisor::run() {
  while (true) {
    int number = waitForSignal();
    if (number > 0 && number != SIGCHLD) {
      killProcessors();
      endBySignal(number);
    }
    reap();
    if (failedRank >= 0 && (running == 0 || isTimeUp()))
      killRun();
    if (running == 0)
      endRun(0);
    lookForHang();
  }
}

/// Whether the others have had their time after the first irregular end.
bool Supervisor::isTimeUp() {
  double now = machineSeconds();
  if (firstFollows && processes[0] && !firstFollows->isOver(now))
    return false;
  return now >= deadline;
}

/// Ends the run if it cannot go on. Who has begun to report an error does that
/// in his own time.
void Supervisor::lookForHang() {
  double now = machineSeconds();
  if (now - lastLook < HangWatch::Interval)
    return;
  lastLook = now;
  std::string fault = watch.look(processes);
  uint32_t nobody = 0;
  if (fault.empty() || failedRank >= 0 ||
      !segment.control().reporter.compare_exchange_strong(nobody,
                                                          Control::Supervisor))
    return;
  killProcessors();
  printError("%s", fault.c_str());
  endRun(1);
}

/// The next signal, or -1 when it is time for another look or the deadline has
/// passed.
int Supervisor::waitForSignal() {
  double left = HangWatch::Interval;
  if (failedRank >= 0)
    left = std::clamp(deadline - machineSeconds(), BetweenLooks, left);
  timespec time;
  time.tv_sec = static_cast<time_t>(left);
  time.tv_nsec = static_cast<long>((left - time.tv_sec) * 1e9);
  return sigtimedwait(&caught, nullptr, &time);
}

/// Takes note of all processes that have ended.
void Supervisor::reap() {
  int status = 0;
  pid_t process;
  while ((process = waitpid(-1, &status, WNOHANG)) > 0) {
    auto found = std::find(processes.begin(), processes.end(), process);
    if (found == processes.end())
      continue; // Not ours: inherited through exec.
    *found = 0;
    --running;
    judge(found - processes.begin(), status);
  }
}

void Supervisor::judge(int rank, int status) {
  Control &control = segment.control();
  uint32_t aborted = control.abortStatus.load(std::memory_order_acquire);
  if (aborted) {
    killProcessors();
    endRun(aborted & 0xff);
  }
  bool finished =
      segment.processor(rank).finished.load(std::memory_order_acquire);
  if ((WIFEXITED(status) && WEXITSTATUS(status) == 0 && finished) ||
      failedRank >= 0)
    return;
  failedRank = rank;
  failedStatus = status;
  deadline = machineSeconds() + Patience;
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
    return;
  // Whoever has begun to report may finish, unless it is the one that died.
  uint32_t reporter = 0;
  if (control.reporter.compare_exchange_strong(reporter, Control::Supervisor) ||
      reporter == static_cast<uint32_t>(rank) + 1) {
    deadline = 0;
    firstFollows.emplace(segment.processor(0).operation,
                         segment.processor(rank).operation);
  }
}

// --- Ending -----------------------------------------------------------------

/// Ends the run for the noted failure.
void Supervisor::killRun() {
  killProcessors();
  uint32_t aborted =
      segment.control().abortStatus.load(std::memory_order_acquire);
  if (aborted)
    endRun(aborted & 0xff);
  if (WIFSIGNALED(failedStatus) && WTERMSIG(failedStatus) == SIGPIPE)
    endBySignal(SIGPIPE);
  printFailure();
  endRun(1);
}

void Supervisor::printFailure() {
  int all = segment.processors();
  const OperationState &operation = segment.processor(failedRank).operation;
  std::string last = operation.count.load(std::memory_order_relaxed)
                         ? ' ' + lastOperation(operation)
                         : "";
  if (WIFSIGNALED(failedStatus)) {
    int number = WTERMSIG(failedStatus);
    printError("processor %d of %d was killed by signal %d (%s)%s", failedRank,
               all, number, strsignal(number), last.c_str());
  } else if (WEXITSTATUS(failedStatus) == 0) {
    printError("processor %d of %d ended before the others%s", failedRank, all,
               last.c_str());
  } else {
    printError("processor %d of %d ended with status %d%s", failedRank, all,
               WEXITSTATUS(failedStatus), last.c_str());
  }
}

void Supervisor::killProcessors() {
  for (pid_t process : processes)
    if (process)
      kill(process, SIGKILL);
  for (pid_t &process : processes)
    if (process) {
      while (waitpid(process, nullptr, 0) < 0 && errno == EINTR)
        ;
      process = 0;
    }
  running = 0;
}

void Supervisor::endRun(int status) { _exit(status); }

void Supervisor::endBySignal(int number) {
  signal(number, SIG_DFL);
  sigset_t only;
  sigemptyset(&only);
  sigaddset(&only, number);
  raise(number);
  sigprocmask(SIG_UNBLOCK, &only, nullptr);
  _exit(128 + number); // If even that did not end us.
}

std::unique_ptr<Transport> zrt::startShmProcessors(int processors,
                                                   double watchdog) {
  std::shared_ptr<Segment> segment =
      Segment::create(processors, defaultSliceBytes());
  if (!segment)
    fatal(nullptr, ErrorScope::Replicated,
          "cannot reserve shared memory for %d processors: %s", processors,
          errno == EFBIG ? "the limit on the size of files (ulimit -f) holds "
                           "for it, too, and is too low"
                         : strerror(errno));
  int rank;
  {
    Supervisor supervisor(*segment, watchdog);
    rank = supervisor.start();
    if (rank < 0)
      supervisor.run();
  }
  return std::make_unique<ShmTransport>(std::move(segment), rank);
}
