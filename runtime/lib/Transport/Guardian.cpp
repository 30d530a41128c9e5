//===- Guardian.cpp - Sees the end of a launched processor ----------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A process that a launcher has started may end in ways that it cannot tell of
/// itself: SIGKILL, `_exit(0)` in linked code, another program executed in its
/// place. The launcher takes an exit with 0 for success, and the others wait.
/// So before anything else a second process is forked off, its guardian:
///
///     mpiexec -- proxy -- p (rank 0)     guardian of rank 0
///                     `-- p (rank 1)     guardian of rank 1
///
/// It is in a session of its own, so that neither an interrupt nor the launcher
/// that kills its processes ends it, and sleeps until a descriptor tells it of
/// the end of the processor or of the launcher. Both share a page:
///
///     phase      what the processor has said of its end; only `Well` is a good
///                one, so nothing that it fails to say makes a run look good
///     operation  what it does (Support/Operation.h), for messages
///
/// When the processor has ended
///  - well, the guardian ends too;
///  - else it claims the report (below), lets processor 0 come to the same
///    place (Support/CatchUp.h), unless the launcher has ended that, says what
///    has happened, waits until the launcher has read all output, and asks it
///    to end the run with status 1. The request goes where the processor's own
///    would (PMI's `abort`): the guardian has inherited that descriptor. Until
///    then the launcher sees it open and takes no steps, but that MPICH's looks
///    for dead processes whenever one writes, and then kills the others.
/// Then it removes shared memory that nobody has any more (LeftSegments).
///
/// *One message*: of all guardians of a machine the first one to bind a certain
/// abstract socket may speak; processors ask theirs for it. The kernel forgets
/// such a name when its holder ends, so it needs no cleaning up; the holder
/// waits for the end of the launcher. Its name has the launcher's process id.
///
/// *The right one*: the launcher kills the others when it sees that one has
/// died, and on a busy machine their guardians may run before that one's. So
/// guardians look at the processors of their machine too, the launcher's
/// children, from before any of them runs the program, and know in which order
/// they end (EndOrder.h): whose processor is not the first lets others speak.
/// Once the launcher has ended they have.
///
/// *The launcher's end*: a launcher that is killed ends nobody, and the rest
/// would compute for nobody, for ever. PR_SET_PDEATHSIG is no help: it tells of
/// the end of the thread that has started us, and launchers may have threads
/// that come and go. MPICH's launcher has a moment at which an interrupt makes
/// it wait for the end of processes that it has just started, and no longer
/// answer them: they wait for it in MPI_Init. So a launcher that leaves a
/// request unread for two seconds counts as one that has gone.
///
//===----------------------------------------------------------------------===//

#include "Transport/Guardian.h"

#include "Support/CatchUp.h"
#include "Support/Clock.h"
#include "Support/Env.h"
#include "Support/Error.h"
#include "Support/LastOperation.h"
#include "Transport/EndOrder.h"
#include "Transport/Launcher.h"
#include "Transport/LeftSegments.h"

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fcntl.h>
#include <fstream>
#include <linux/sockios.h>
#include <new>
#include <poll.h>
#include <string>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace zrt;

namespace {

/// What a processor has said of its end.
enum class Phase : uint32_t {
  Running,
  Reported, ///< its message is out, the rest is the guardian's
  Ending,   ///< it ends the run itself
  Well
};

enum class Claim : uint32_t { None, Asked, Granted, Refused };

/// What a processor and its guardian share; other processors read it.
struct GuardedPage {
  OperationState operation;
  std::atomic<Phase> phase = Phase::Running;
  std::atomic<Claim> claim = Claim::None;
  uint64_t number = 0;
  std::atomic<bool> isIntroduced = false; ///< MPI or SHMEM is initialized
  std::atomic<bool> areKnown = false;     ///< the others, to the guardian
  int rank = 0, size = 1;
  StateLink first;
};

constexpr size_t PageBytes = 4096;

/// Seconds after which a launcher that does not read requests is a dead one.
constexpr double DeafPatience = 2.0;

/// Milliseconds until who may not report ends the run nevertheless.
constexpr int RefusedPatience = 5000;

/// Milliseconds for the guardian of one that has ended before to speak, and for
/// a guardian to answer.
constexpr int TurnPatience = 3000;
constexpr int AnswerPatience = 5000;
static_assert(sizeof(GuardedPage) <= PageBytes);

// State of the processor. One process has one.
GuardedPage *page = nullptr;
int pageFile = -1;
int bell = -1; ///< rings for the guardian
const OperationState *firstState = nullptr;

void pauseShortly() {
  timespec moment = {0, 1000000};
  nanosleep(&moment, nullptr);
}

/// Whether the other end of a pipe's writing end is still open.
bool isRead(int stream) {
  pollfd state = {stream, POLLOUT, 0};
  return poll(&state, 1, 0) < 0 || !(state.revents & POLLERR);
}

/// Returns when the launcher has read what is in the pipe \p stream, has gone,
/// or after some seconds: the end of the run would throw it away.
void awaitReader(int stream) {
  struct stat kind;
  int unread = 0;
  if (fstat(stream, &kind) != 0 || !S_ISFIFO(kind.st_mode))
    return;
  for (int looks = 0; looks < 2000 && isRead(stream) &&
                      ioctl(stream, FIONREAD, &unread) == 0 && unread > 0;
       ++looks)
    pauseShortly();
}

/// The same for the standard output of another processor of this machine.
void awaitReaderOf(const StateLink &link) {
  char path[sizeof link.path] = "";
  memcpy(path, link.path, sizeof path - 1);
  char *number = strrchr(path, '/');
  if (!number || number + 2 >= path + sizeof path)
    return;
  number[1] = '1';
  number[2] = 0;
  int stream = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  if (stream < 0)
    return;
  awaitReader(stream);
  close(stream);
}

/// Maps the page behind \p link; null if it is not there or another one.
const GuardedPage *openPage(const StateLink &link) {
  int file = link.path[0] ? open(link.path, O_RDONLY | O_CLOEXEC) : -1;
  if (file < 0)
    return nullptr;
  struct stat status;
  void *memory = MAP_FAILED;
  if (fstat(file, &status) == 0 &&
      status.st_size == static_cast<off_t>(PageBytes))
    memory = mmap(nullptr, PageBytes, PROT_READ, MAP_SHARED, file, 0);
  close(file);
  if (memory == MAP_FAILED)
    return nullptr;
  auto *found = static_cast<const GuardedPage *>(memory);
  return found->number == link.number ? found : nullptr;
}

// --- The guardian -----------------------------------------------------------

class Guardian {
public:
  Guardian(const char *name, pid_t process, pid_t launcher, int processFile,
           int launcherFile)
      : name(name), process(process), launcher(launcher),
        processFile(processFile), launcherFile(launcherFile),
        start(time(nullptr)) {}

  [[noreturn]] void run();

private:
  void detach();
  bool watch();
  bool isDeaf();
  void answer();
  void watchOthers();
  bool letOthersClaim() const;
  bool claim();
  void endProcess();
  void seeEnd();
  void awaitFirst() const;
  void report();
  std::string howItEnded() const;
  void endRun();
  void leaveOutput();
  bool hasEnded(int file, int milliseconds) const;

  const char *name;
  pid_t process, launcher;
  int processFile, launcherFile;
  time_t start;
  EndOrder events;
  bool othersEnded = false; ///< before ours
  int claimed = -1;         ///< the socket; -1: not ours
  double unreadSince = 0;
};

/// What a guardian waits for.
enum Event { OwnEnd, Bell, LauncherEnd, OtherEnd };

void Guardian::detach() {
  setsid();
  for (int number : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE, SIGTSTP})
    signal(number, SIG_IGN);
  prctl(PR_SET_NAME, "zrt-guardian");
  int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
  dup2(nothing, STDIN_FILENO);
}

bool Guardian::hasEnded(int file, int milliseconds) const {
  pollfd state = {file, POLLIN, 0};
  return poll(&state, 1, milliseconds) > 0;
}

/// Whether a request of the starting processor has been unread for so long that
/// the launcher will never answer it. Else they are read within milliseconds.
bool Guardian::isDeaf() {
  int unread = 0;
  const char *file = getenv("PMI_FD");
  if (!file || ioctl(atoi(file), SIOCOUTQ, &unread) != 0 || unread <= 0)
    unreadSince = 0;
  else if (unreadSince == 0)
    unreadSince = machineSeconds();
  return unreadSince > 0 && machineSeconds() - unreadSince > DeafPatience;
}

/// Waits for an end; true if it is that of the processor.
bool Guardian::watch() {
  events.add(processFile, OwnEnd);
  events.add(bell, Bell, EndOrder::How::Always);
  events.add(launcherFile, LauncherEnd);
  while (true) {
    bool isStarting = !page->isIntroduced;
    if (isStarting && isDeaf())
      return false;
    switch (events.next(isStarting ? 200 : -1)) {
    case OwnEnd:
      return true;
    case Bell:
      answer();
      break;
    case LauncherEnd:
      return false;
    case OtherEnd:
      othersEnded = true;
    }
  }
}

/// From now on their ends are seen, in their order.
void Guardian::watchOthers() {
  for (pid_t other : childrenOf(launcher))
    if (int file = other == process ? -1 : openProcess(other); file >= 0)
      events.add(file, OtherEnd);
  page->areKnown = true;
}

/// What the processor asks for.
void Guardian::answer() {
  uint64_t rings;
  if (read(bell, &rings, sizeof rings) < 0)
    return;
  if (page->isIntroduced && !page->areKnown)
    watchOthers();
  if (page->claim.load() == Claim::Asked)
    page->claim.store(claim() ? Claim::Granted : Claim::Refused);
}

/// The process that stands for the run on this machine: who has made the
/// descriptor of PMI, also if a shell stands in between; else the parent.
pid_t runProcess(pid_t launcher) {
  const char *text = getenv("PMI_FD");
  ucred peer = {};
  socklen_t size = sizeof peer;
  if (text &&
      getsockopt(atoi(text), SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 &&
      peer.pid > 0)
    return peer.pid;
  return launcher;
}

/// The name whose holder reports the end of the run.
struct ReportName {
  sockaddr_un address = {};
  socklen_t size;

  explicit ReportName(pid_t launcher) {
    address.sun_family = AF_UNIX; // An abstract name begins with a zero.
    int length = snprintf(address.sun_path + 1, sizeof address.sun_path - 1,
                          "zrt-report-%d-%d", static_cast<int>(getuid()),
                          static_cast<int>(runProcess(launcher)));
    size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + length);
  }
  const sockaddr *get() const {
    return reinterpret_cast<const sockaddr *>(&address);
  }
};

/// Returns when some guardian has claimed the report, or none seems to want to:
/// then true, if the launcher is still there to hear of it.
bool Guardian::letOthersClaim() const {
  ReportName name(launcher);
  int file = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  bool isClaimed = false;
  for (int looks = 0;
       looks < TurnPatience && !isClaimed && !hasEnded(launcherFile, 0);
       ++looks) {
    isClaimed = connect(file, name.get(), name.size) == 0;
    pauseShortly();
  }
  close(file);
  return !isClaimed && !hasEnded(launcherFile, 0);
}

bool Guardian::claim() {
  if (claimed >= 0)
    return false; // Once.
  if (othersEnded && !letOthersClaim())
    return false;
  ReportName name(launcher);
  int file = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (bind(file, name.get(), name.size) != 0) {
    close(file);
    return false;
  }
  claimed = file;
  return true;
}

/// The launcher has gone, or might as well have.
void Guardian::endProcess() {
  kill(process, SIGKILL);
  hasEnded(processFile, 10000);
}

/// The wait status that Linux keeps, from 6.15 on, for those who hold a
/// descriptor of a process that its parent has taken note of; else -1.
int keptStatus(int processFile) {
  struct {
    uint64_t mask = 1 << 3; // PIDFD_INFO_EXIT
    uint64_t group;
    uint32_t ids[11];
    int32_t exitCode;
  } info;
  bool isKept = ioctl(processFile, _IOWR(0xFF, 11, info), &info) == 0 &&
                (info.mask & 1 << 3);
  return isKept ? info.exitCode : -1;
}

/// The wait status of \p process, not our child, that has ended; -1 if it
/// cannot be known. As a rule the launcher has not taken note of it: it first
/// waits for the end of the output, which we hold open.
int waitStatus(pid_t process, int processFile) {
  std::string text;
  std::getline(std::ifstream("/proc/" + std::to_string(process) + "/stat"),
               text);
  size_t name = text.rfind(") Z "), last = text.find_last_of(' ');
  return name == text.npos ? keptStatus(processFile)
                           : atoi(text.c_str() + last);
}

std::string Guardian::howItEnded() const {
  int status = waitStatus(process, processFile);
  if (status >= 0 && WIFSIGNALED(status))
    return "was killed by signal " + std::to_string(WTERMSIG(status)) + " (" +
           strsignal(WTERMSIG(status)) + ")";
  if (status >= 0)
    return "ended with status " + std::to_string(WEXITSTATUS(status));
  return "ended before its program did";
}

void Guardian::report() {
  std::string who = "the program";
  if (page->size > 1)
    who = "processor " + std::to_string(page->rank) + " of " +
          std::to_string(page->size);
  printError("%s %s %s", who.c_str(), howItEnded().c_str(),
             lastOperation(page->operation).c_str());
}

/// Asks the launcher to end the run.
void Guardian::endRun() {
  const char *file = getenv("PMI_FD");
  bool isPlain = launcherInfo().kind == LauncherKind::Pmi &&
                 !getenv("SLURM_STEP_ID"); // whose protocol is another one
  constexpr char Abort[] = "cmd=abort exitcode=1\n";
  if (!file || !isPlain || hasEnded(launcherFile, 0))
    return;
  if (write(atoi(file), Abort, sizeof Abort - 1) > 0)
    hasEnded(launcherFile, 500);
}

/// Lets processor 0 come to the place at which the processor has ended, if it
/// is there, and the launcher read what it has written.
void Guardian::awaitFirst() const {
  if (page->rank == 0)
    return;
  if (const GuardedPage *first = openPage(page->first)) {
    CatchUp wait(first->operation, page->operation);
    while (access(page->first.path, F_OK) == 0 &&
           !wait.isOver(machineSeconds()))
      pauseShortly();
  }
  awaitReaderOf(page->first);
}

/// The launcher waits for the end of its pipes.
void Guardian::leaveOutput() {
  int nothing = open("/dev/null", O_WRONLY | O_CLOEXEC);
  for (int stream : {STDOUT_FILENO, STDERR_FILENO})
    dup2(nothing, stream);
  close(nothing);
}

/// What follows the end of the processor.
void Guardian::seeEnd() {
  Phase phase = page->phase.load();
  if (phase == Phase::Well)
    _exit(0);
  if (phase == Phase::Running) {
    // First of all: the launcher may end the others any moment, whose guardians
    // wait for ours to claim.
    bool speaks = claim();
    awaitFirst();
    if (speaks)
      report();
  }
  removeLeftSegments(start);
  if (phase == Phase::Ending)
    return;
  if (claimed < 0) {
    // Who reports also ends the run, once the report has been read.
    leaveOutput();
    hasEnded(launcherFile, RefusedPatience);
  } else {
    for (int stream : {STDOUT_FILENO, STDERR_FILENO})
      awaitReader(stream);
    usleep(50000); // What has been read must also be passed on.
  }
  endRun();
}

void Guardian::run() {
  detach();
  ErrorContext context;
  context.programName = name;
  setErrorContext(context);
  if (watch())
    seeEnd();
  else
    endProcess();
  removeLeftSegments(start);
  leaveOutput();
  if (const char *file = getenv("PMI_FD"))
    close(atoi(file));
  if (claimed >= 0) // Until then nobody else is to report.
    hasEnded(launcherFile, 5000);
  removeLeftSegments(start);
  _exit(0);
}

/// The page, known to others by a number of its own.
GuardedPage *makePage() {
  pageFile = memfd_create("zrt-state", MFD_CLOEXEC);
  if (pageFile < 0 || ftruncate(pageFile, PageBytes) != 0)
    return nullptr;
  void *memory =
      mmap(nullptr, PageBytes, PROT_READ | PROT_WRITE, MAP_SHARED, pageFile, 0);
  if (memory == MAP_FAILED)
    return nullptr;
  auto *made = new (memory) GuardedPage;
  if (getrandom(&made->number, sizeof made->number, 0) < 0)
    made->number = static_cast<uint64_t>(getpid());
  LauncherInfo launcher = launcherInfo();
  made->rank = launcher.rank;
  made->size = launcher.size ? launcher.size : 1;
  return made;
}

} // namespace

void zrt::startGuardian(const char *name) {
  pid_t process = getpid(), launcher = getppid();
  int processFile = openProcess(process), launcherFile = openProcess(launcher);
  bell = eventfd(0, EFD_CLOEXEC);
  GuardedPage *made = makePage();
  if (processFile < 0 || launcherFile < 0 || bell < 0 || !made)
    return;
  page = made;
  fflush(nullptr); // Else the child would print it again.
  pid_t child = fork();
  if (child == 0) {
    // Twice: the parent has no child that it does not know.
    if (fork() == 0)
      Guardian(name, process, launcher, processFile, launcherFile).run();
    _exit(0);
  }
  if (child > 0)
    while (waitpid(child, nullptr, 0) < 0 && errno == EINTR)
      ;
  else
    page = nullptr;
  close(processFile);
  close(launcherFile);
  if (page)
    setOperationState(&page->operation);
}

bool zrt::hasGuardian() { return page != nullptr; }

StateLink zrt::ownStateLink() {
  StateLink link;
  if (!page)
    return link;
  snprintf(link.path, sizeof link.path, "/proc/%d/fd/%d",
           static_cast<int>(getpid()), pageFile);
  link.number = page->number;
  return link;
}

void zrt::introduceProcessor(int rank, int size, const StateLink &first) {
  if (!page)
    return;
  page->rank = rank;
  page->size = size;
  page->first = first;
  page->isIntroduced = true;
  uint64_t ring = 1;
  if (write(bell, &ring, sizeof ring) > 0)
    for (int looks = 0; looks < AnswerPatience && !page->areKnown; ++looks)
      pauseShortly();
  if (rank != 0)
    if (const GuardedPage *found = openPage(first))
      firstState = &found->operation;
}

bool zrt::knowsFirst() { return firstState != nullptr; }

void zrt::letFirstCatchUp() {
  if (!firstState)
    return;
  catchUp(*firstState, operationState());
  awaitReaderOf(page->first);
}

bool zrt::claimGuardedReport() {
  if (!page)
    return true;
  Claim none = Claim::None;
  uint64_t ring = 1;
  if (!page->claim.compare_exchange_strong(none, Claim::Asked) ||
      write(bell, &ring, sizeof ring) < 0)
    return true; // An error while reporting.
  for (int looks = 0; looks < AnswerPatience; ++looks) {
    Claim answer = page->claim.load();
    if (answer == Claim::Granted)
      return true;
    if (answer == Claim::Refused && looks == 0)
      looks = -RefusedPatience;
    pauseShortly();
  }
  return page->claim.load() == Claim::Asked; // There is no guardian any more.
}

static void setPhase(Phase phase) {
  if (page)
    page->phase.store(phase);
}

void zrt::guardianReported() { setPhase(Phase::Reported); }
void zrt::guardianSilence() { setPhase(Phase::Ending); }
void zrt::guardianEnd() { setPhase(Phase::Well); }
