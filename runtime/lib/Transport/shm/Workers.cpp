//===- Workers.cpp - Processors beside the caller of a library ------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A program has a supervisor, which does nothing but wait (Supervisor.cpp). A
/// library is called by a process that goes on after each call, so that is
/// processor 0 itself:
///
///     python3 (processor 0) -- worker 1
///                          `-- worker 2
///
/// Workers are forked when the library is initialized, and wait for calls in a
/// broadcast, asleep after a while. Each asks to be killed when its parent ends.
/// A page that all share takes the message of the first worker that finds an
/// error. While processor 0 waits for others it looks at that, and now and then
/// whether all workers are alive: a look costs a load, each 64th a system call
/// per worker.
///
//===----------------------------------------------------------------------===//

#include "Transport/shm/Workers.h"

#include "Support/Error.h"
#include "Transport/Launch.h"
#include "Transport/Launcher.h"
#include "Transport/shm/ShmTransport.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

using namespace zrt;
using namespace zrt::shm;

namespace {

/// What the processors share beside the segment. One worker writes.
struct FailurePage {
  std::atomic<uint32_t> claimed, written;
  char message[2048];
};

/// Of processor 0; workers use `page` alone.
struct Workers {
  FailurePage *page = nullptr;
  std::vector<pid_t> processes; ///< 0: seen to have ended
  unsigned looks = 0;
  bool isChild = false;
} workers;

constexpr unsigned LooksPerCall = 64;

} // namespace

static int becomeWorker(int rank, pid_t parent) {
  workers.isChild = true;
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) // It ended before we asked.
    syscall(SYS_exit_group, 1);
  // What the terminal sends is for the caller, who ends us.
  signal(SIGINT, SIG_IGN);
  dropInput();
  return rank;
}

/// Forks; this process's rank.
static int forkWorkers(int processors) {
  fflush(nullptr); // Else every child would print it again.
  pid_t parent = getpid();
  for (int rank = 1; rank < processors; ++rank) {
    pid_t process = fork();
    if (process == 0)
      return becomeWorker(rank, parent);
    if (process < 0) {
      int reason = errno;
      killWorkers();
      refuseStart(1, "cannot start processor %d of %d: %s", rank, processors,
                  strerror(reason));
    }
    workers.processes.push_back(process);
  }
  return 0;
}

std::unique_ptr<Transport> zrt::startShmWorkers(int processors) {
  std::shared_ptr<Segment> segment =
      Segment::create(processors, defaultSliceBytes());
  void *page = mmap(nullptr, sizeof(FailurePage), PROT_READ | PROT_WRITE,
                    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (!segment || page == MAP_FAILED)
    refuseStart(1, "cannot reserve shared memory for %d processors: %s",
                processors, strerror(errno));
  workers.page = static_cast<FailurePage *>(page);
  int rank = forkWorkers(processors);
  return std::make_unique<ShmTransport>(std::move(segment), rank);
}

bool zrt::isShmWorker() { return workers.isChild; }

void zrt::endWorker(int status) {
  // The caller's streams and handlers of `exit` are not ours.
  syscall(SYS_exit_group, status);
  __builtin_unreachable();
}

void zrt::failAsWorker(std::string_view message) {
  FailurePage &page = *workers.page;
  if (page.claimed.exchange(1) == 0) {
    size_t length = std::min(message.size(), sizeof page.message - 1);
    memcpy(page.message, message.data(), length);
    page.written.store(1);
  }
  endWorker(1);
}

/// How a worker has ended that was not to end.
static std::string endOf(size_t worker, int status) {
  std::string who = std::string(errorProgramName()) + ": error: processor " +
                    std::to_string(worker + 1) + " of " +
                    std::to_string(workers.processes.size() + 1);
  if (WIFSIGNALED(status))
    return who + " was killed by signal " + std::to_string(WTERMSIG(status)) +
           " (" + strsignal(WTERMSIG(status)) + ")\n";
  return who + " ended with status " + std::to_string(WEXITSTATUS(status)) +
         "\n";
}

bool zrt::haveWorkersFailed(std::string &message) {
  FailurePage *page = workers.page;
  if (page && page->written.load()) {
    message = page->message;
    return true;
  }
  if (!page || workers.looks++ % LooksPerCall != 0)
    return false;
  for (size_t k = 0; k < workers.processes.size(); ++k) {
    pid_t &process = workers.processes[k];
    int status = 0;
    if (process == 0 || waitpid(process, &status, WNOHANG) != process)
      continue;
    process = 0;
    message = page->written.load() ? page->message : endOf(k, status);
    return true;
  }
  return false;
}

void zrt::killWorkers() {
  for (pid_t process : workers.processes)
    if (process)
      kill(process, SIGKILL);
  for (pid_t process : workers.processes)
    while (process && waitpid(process, nullptr, 0) < 0 && errno == EINTR)
      ;
  workers.processes.clear();
  if (workers.page)
    munmap(workers.page, sizeof(FailurePage));
  workers.page = nullptr;
}
