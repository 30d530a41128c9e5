//===- Keeper.cpp - A process that outlives this one ----------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// SIGKILL, _exit in linked code, execve: ends of a process of which nothing
/// within it gets to know. What then remains to be done is done by its keeper:
///
///     program   |-- writeln ---- computes ---- SIGKILL
///     keeper    |.......20 ms: hands on ......|: hands on the rest, explains
///                                                the end, removes segments
///
/// The keeper is made by clone with the memory and the table of descriptors of
/// the process, but as a process of its own. So it sees the buffers of all
/// files, and all descriptors and mappings, without anything that would have to
/// be told to it, and the memory remains when the process has gone. Its cost is
/// a stack and a wake-up every 20 ms while there is output.
///
/// While both run, the keeper must not touch what belongs to the program's
/// thread: `errno` and all else that is local to threads is the same memory. So
/// it makes bare system calls until it is alone. It has a session of its own
/// and no signals, so neither a terminal nor a launcher that kills a group of
/// processes meets it.
///
/// *Launched processes.* Launchers pass on output, and end the others when one
/// has died. MPICH's takes a process that ends with status 0 for one that has
/// ended well. It hears of an end by a descriptor that it shares with each
/// process, and that is open as long as the keeper lives. By the same one the
/// keeper tells that the run has failed, as MPI_Abort would. Before, it waits
/// until the launcher has read the output, since that would be dropped, and
/// as long as processor 0 may need for its own.
///
/// If the launcher is killed, nobody ends its processes, and nobody removes the
/// named pieces of shared memory that MPI's libraries have made, some of them
/// only for the moment until all have opened them. The keeper sees the names
/// among the mappings and the descriptors, from the moment when they exist.
///
/// MPICH's launcher, interrupted while it starts processes, may end up waiting
/// for them without serving them any more, while they wait for its answers in
/// MPI_Init. So while the program starts, a parent that does nothing but wait
/// for its children has left it.
///
//===----------------------------------------------------------------------===//

#include "Support/Keeper.h"

#include "Support/PendingOutput.h"
#include "Support/RawCall.h"

#include <atomic>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>

using namespace zrt;

namespace {

constexpr long BetweenLooks = 20'000'000; ///< nanoseconds
/// Milliseconds that a launcher gets to read, that processor 0 gets to hand on
/// what it has, and that a launcher gets to pass on what it has read.
constexpr int ReadPatience = 2000, OthersPatience = 200, PassPatience = 500;

/// The descriptor by which MPICH's launcher serves a process.
constexpr char ServedBy[] = "PMI_FD";

struct KeeperState {
  KeeperKind kind = KeeperKind::Alone;
  pid_t program = 0, keeper = 0;
  char launcherPlace[32] = ""; ///< the file that says where it waits
  int programEnd = -1, launcherEnd = -1, keeperEnd = -1; ///< readable then
  std::atomic<bool (*)(std::optional<int>)> tell = nullptr;
  std::atomic<bool> leavesNothing = false, isStarting = false;
};
KeeperState state;

// --- While the program runs --------------------------------------------------

bool isOver(int pidDescriptor, long nanoseconds) {
  timespec patience = {0, nanoseconds};
  pollfd end = {pidDescriptor, POLLIN, 0};
  return rawCall(SYS_ppoll, reinterpret_cast<long>(&end), 1,
                 reinterpret_cast<long>(&patience)) > 0;
}

/// Whether MPICH's launcher waits for its children, in the system.
bool launcherOnlyWaits() {
  constexpr char Waits[] = "do_wait";
  char text[sizeof Waits] = "";
  long file = rawCall(SYS_open, reinterpret_cast<long>(state.launcherPlace),
                      O_RDONLY | O_CLOEXEC);
  if (file < 0)
    return false;
  rawCall(SYS_read, file, reinterpret_cast<long>(text), sizeof text - 1);
  rawCall(SYS_close, file);
  return memcmp(text, Waits, sizeof Waits) == 0;
}

/// Whether the launcher has gone, or serves the program no more: by \p looks
/// in a row, which this counts.
bool isLeft(int &looks) {
  constexpr int ManyLooks = 50; // a second
  if (isOver(state.launcherEnd, 0))
    return true;
  looks = state.isStarting && launcherOnlyWaits() ? looks + 1 : 0;
  return looks >= ManyLooks;
}

/// Returns when the program has ended; true if that was for the launcher.
bool waitForEnd() {
  bool wasLeft = false;
  int looks = 0;
  while (!isOver(state.programEnd, BetweenLooks)) {
    if (state.launcherEnd >= 0 && !wasLeft && isLeft(looks)) {
      wasLeft = true;
      rawCall(SYS_kill, state.program, SIGKILL);
    }
    handOnAllOutput();
  }
  return wasLeft;
}

// --- When it has ended -------------------------------------------------------

// Nothing here takes memory: MPI's libraries have hooks where the C library
// asks the system for it, with locks that the program may have held.

/// Reads a file's bytes to \p buffer, and a zero after them; how many.
size_t readFile(const char *path, char *buffer, size_t size) {
  long file =
      rawCall(SYS_open, reinterpret_cast<long>(path), O_RDONLY | O_CLOEXEC);
  size_t length = 0;
  while (file >= 0 && length < size - 1) {
    long n = rawCall(SYS_read, file, reinterpret_cast<long>(buffer + length),
                     static_cast<long>(size - 1 - length));
    if (n <= 0)
      break;
    length += static_cast<size_t>(n);
  }
  buffer[length] = 0;
  rawCall(SYS_close, file);
  return length;
}

/// How a process has ended that its parent has not noticed yet.
std::optional<int> statusOf(pid_t process) {
  char path[32], text[2048];
  snprintf(path, sizeof path, "/proc/%d/stat", static_cast<int>(process));
  readFile(path, text, sizeof text);
  constexpr int StatusField = 52, FirstAfterName = 3;
  const char *at = strrchr(text, ')');
  if (!at || strncmp(at, ") Z ", 4) != 0)
    return std::nullopt;
  for (int field = FirstAfterName - 1; at && field < StatusField; ++field)
    at = strchr(at + 1, ' ');
  return at ? std::optional(atoi(at)) : std::nullopt;
}

bool isSegment(const char *path) {
  for (const char *begin :
       {"/dev/shm/vader_segment.", "/dev/shm/ucx_shm_", "/dev/shm/mpich_shar_",
        "/dev/shm/mpich_", "/dev/shm/sem.mpich", "/tmp/mpich_shar_"})
    if (strncmp(path, begin, strlen(begin)) == 0)
      return true;
  return false;
}

/// Removes the names of what MPI's libraries had opened or mapped here.
void removeSegments() {
  static char maps[1 << 20];
  readFile("/proc/self/maps", maps, sizeof maps);
  for (char *line = maps, *end; (end = strchr(line, '\n')); line = end + 1) {
    *end = 0;
    if (const char *path = strchr(line, '/'); path && isSegment(path))
      unlink(path);
  }
  constexpr int MostDescriptors = 1024;
  for (int descriptor = 0; descriptor < MostDescriptors; ++descriptor) {
    char link[32], path[4096];
    snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    ssize_t length = readlink(link, path, sizeof path - 1);
    if (length <= 0)
      continue;
    path[length] = 0;
    if (isSegment(path))
      unlink(path);
  }
}

void sleepMilliseconds(int count) {
  timespec time = {count / 1000, count % 1000 * 1'000'000L};
  nanosleep(&time, nullptr);
}

/// Returns when the launcher has read what was written, or does not read.
void drainOutput() {
  for (int stream : {STDOUT_FILENO, STDERR_FILENO}) {
    struct stat kind;
    int unread = 0;
    if (fstat(stream, &kind) != 0 || !S_ISFIFO(kind.st_mode))
      continue;
    for (int i = 0;
         i < ReadPatience && ioctl(stream, FIONREAD, &unread) == 0 && unread;
         ++i)
      sleepMilliseconds(1);
  }
}

/// Has MPICH's launcher end the run with status 1.
void abortRun() {
  constexpr char Message[] = "cmd=abort exitcode=1\n";
  const char *link = getenv(ServedBy);
  if (link && write(atoi(link), Message, sizeof Message - 1) > 0)
    sleepMilliseconds(ReadPatience); // or until it kills this process
}

void endLaunched(std::optional<int> status, bool wasLeft) {
  if (!state.leavesNothing)
    removeSegments();
  auto tell = state.tell.load();
  if (wasLeft || !tell)
    return;
  drainOutput();
  sleepMilliseconds(OthersPatience);
  bool mustFail = tell(status);
  drainOutput();
  sleepMilliseconds(PassPatience);
  if (mustFail)
    abortRun();
}

int keep(void *) {
  rawCall(SYS_setsid);
  bool wasLeft = waitForEnd();
  std::optional<int> status; // first of all: the parent may take it away
  if (state.kind == KeeperKind::Launched)
    status = statusOf(state.program);
  handOnLastOutput();
  if (state.kind == KeeperKind::Launched)
    endLaunched(status, wasLeft);
  rawCall(SYS_exit_group, 0);
  return 0;
}

// --- Starting ----------------------------------------------------------------

/// Valgrind does not know processes of this kind.
bool isSimulated() {
  const char *preloaded = getenv("LD_PRELOAD");
  return preloaded && strstr(preloaded, "vgpreload");
}

/// Both descriptors are closed in programs that this one executes.
int openProcess(pid_t process) {
  return static_cast<int>(syscall(SYS_pidfd_open, process, 0));
}

void cloneKeeper() {
  constexpr size_t StackBytes = 256 << 10;
  void *stack = mmap(nullptr, StackBytes, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (stack == MAP_FAILED)
    return;
  int flags = CLONE_VM | CLONE_FILES | CLONE_FS | CLONE_UNTRACED | CLONE_PIDFD;
  if (state.kind == KeeperKind::Supervised)
    flags |= CLONE_PARENT;
  sigset_t all, before;
  sigfillset(&all);
  sigprocmask(SIG_SETMASK, &all, &before);
  pid_t made = clone(keep, static_cast<char *>(stack) + StackBytes, flags,
                     nullptr, &state.keeperEnd);
  sigprocmask(SIG_SETMASK, &before, nullptr);
  if (made > 0)
    state.keeper = made;
}

} // namespace

bool zrt::startKeeper(KeeperKind kind) {
  static bool isTried = false;
  if (isTried)
    return state.keeper != 0;
  isTried = true;
  state.kind = kind;
  state.program = getpid();
  if (!rawCallIsBare || isSimulated())
    return false;
  state.programEnd = openProcess(state.program);
  if (kind == KeeperKind::Launched) {
    state.launcherEnd = openProcess(getppid());
    snprintf(state.launcherPlace, sizeof state.launcherPlace, "/proc/%d/wchan",
             static_cast<int>(getppid()));
    state.isStarting = getenv(ServedBy) != nullptr;
  }
  if (state.programEnd >= 0)
    cloneKeeper();
  return state.keeper != 0;
}

pid_t zrt::keeperProcess() { return state.keeper; }

bool zrt::keeperHasEnded() {
  return state.keeper == 0 || isOver(state.keeperEnd, 0);
}

void zrt::tellOfEnd(bool (*tell)(std::optional<int> status)) {
  state.tell = tell;
}

void zrt::startIsDone() { state.isStarting = false; }

void zrt::leaveNothing() { state.leavesNothing = true; }
