//===- LauncherLink.cpp - Ends with the launcher --------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A launcher has a process on each machine that starts those of the run,
/// passes on their output, and ends them when one has died. If it is killed
/// itself, nobody ends them: they would compute for nobody, or wait for each
/// other, for ever. So a thread waits for the end of the parent, at a
/// descriptor that the kernel makes readable then.
///
/// Open MPI's launcher also removes its processes' named pieces of shared
/// memory in /dev/shm, so that is up to the thread, too. The names are in the
/// list of what this process has mapped.
///
/// PR_SET_PDEATHSIG is no help: it tells of the end of the thread that has
/// started us, and launchers may have threads that come and go. Older systems,
/// without such descriptors, do without all this.
///
//===----------------------------------------------------------------------===//

#include "Transport/LauncherLink.h"

#include <cerrno>
#include <csignal>
#include <cstdint>
#include <fstream>
#include <poll.h>
#include <pthread.h>
#include <string>
#include <sys/syscall.h>
#include <unistd.h>

/// Removes the shared memory of Open MPI, and of UCX below it.
static void removeSegments() {
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);)
    for (const char *name : {"/dev/shm/vader_segment.", "/dev/shm/ucx_shm_"})
      if (size_t at = line.find(name); at != line.npos)
        unlink(line.c_str() + at);
}

static void *waitForEnd(void *argument) {
  pollfd parent = {static_cast<int>(reinterpret_cast<intptr_t>(argument)),
                   POLLIN, 0};
  while (poll(&parent, 1, -1) < 0 && errno == EINTR)
    ;
  if (parent.revents & POLLIN) {
    removeSegments();
    kill(getpid(), SIGKILL);
  }
  return nullptr;
}

void zrt::endWithParent() {
  // O_CLOEXEC is set by the kernel.
  intptr_t parent = syscall(SYS_pidfd_open, getppid(), 0);
  if (parent < 0)
    return;
  // Signals are for the program's own thread.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  pthread_t thread;
  if (pthread_create(&thread, nullptr, waitForEnd,
                     reinterpret_cast<void *>(parent)) == 0)
    pthread_detach(thread);
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}
