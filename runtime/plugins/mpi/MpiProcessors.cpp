//===- MpiProcessors.cpp - Processors that talk through MPI ---------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The part of a transport over MPI that does not depend on how arrays are
/// exchanged. Messages have a communicator of their own, so that nothing that
/// transfers or linked C code do with MPI can be mistaken for them.
///
/// Waiting: MPI's own waits never give up the core. With more processes than
/// cores that costs a time slice per message, so waits are loops of
/// MPI_Testall, which offer the core to others after a while. With more
/// processes than cores they do so at once, and soon sleep for a moment. The
/// same for communicators: they are made by a call that does not block, and the
/// one of this machine, for which there is none, is made once for all uses.
///
/// Gathering: Bruck's dissemination (Bruck, Ho, Kipnis, Upfal and Weathersby
/// 1997). After round k a processor has the payloads of 2^k members from its
/// own place on, cyclically:
///
///     members 0..4      place 0   1   2   3   4
///     at first                0   1   2   3   4
///     round 0, from +1       01  12  23  34  40
///     round 1, from +2     0123 1234 ...
///     round 2, from +4     all
///
/// ceil(log2 P) rounds for any P and any members, each one message out and one
/// in; at the end the payloads are turned to the members' order. This is what
/// MPI_Allgather does for small payloads, without a communicator for the
/// members. To make one is collective, and no member could ever give one up
/// unless all others did at the same time; MPI has about 2000 of them.
///
/// Errors: MPI is told to return them; each ends the run with MPI's text.
///
/// Ending: MPI_Abort makes the launcher drop what it has not read yet of the
/// processors' output, so `abort` waits until the pipes to it are empty.
///
//===----------------------------------------------------------------------===//

#include "MpiProcessors.h"

#include <algorithm>
#include <cstring>
#include <fcntl.h>
#include <numeric>
#include <sched.h>
#include <string>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace zrt;
using namespace zrt::mpi;

namespace {

/// Microseconds that the others leave to processor 0 to report an error, and
/// those that each leaves to the one before it after that.
constexpr int ReportPatience = 2000000;
constexpr int ReportStagger = 300000;

/// Returns when the launcher has read what this process has written, or after
/// some seconds: the end of the run would throw it away.
void drainOutput() {
  constexpr int Patience = 2000, Step = 1000; // times microseconds
  for (int stream : {STDOUT_FILENO, STDERR_FILENO}) {
    struct stat kind;
    int unread = 0;
    if (fstat(stream, &kind) != 0 || !S_ISFIFO(kind.st_mode))
      continue;
    for (int i = 0;
         i < Patience && ioctl(stream, FIONREAD, &unread) == 0 && unread > 0;
         ++i)
      usleep(Step);
  }
  usleep(50 * Step); // What has been read must also be passed on.
}

/// Of the communicator of a library's caller, whose MPI may be another one: its
/// functions are called then, by numbers and sizes that mean other things.
void checkLibrary(const PluginServices *services) {
  char version[MPI_MAX_LIBRARY_VERSION_STRING] = "";
  int length = 0;
  MPI_Get_library_version(version, &length);
  if (strstr(version, "Open MPI"))
    services->refuse("the caller's MPI is Open MPI, but libraries of ZPL run "
                     "over communicators of MPICH and of MPIs with its binary "
                     "interface");
}

} // namespace

MpiProcessors::MpiProcessors(const PluginServices *services)
    : services(services) {
  int started = 0, provided = 0;
  MPI_Initialized(&started);
  if (!started && services->communicator)
    services->refuse("MPI is not initialized, so there are no communicators");
  if (!started)
    check(MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided),
          "MPI_Init_thread");
  if (services->communicator)
    checkLibrary(services);
  world = MPI_COMM_WORLD;
  if (services->communicator) // The caller's stays as it is.
    check(MPI_Comm_dup(MPI_Comm_f2c(*services->communicator), &world),
          "MPI_Comm_dup");
  // Inherited by the communicators that are made from it.
  MPI_Comm_set_errhandler(world, MPI_ERRORS_RETURN);
  MPI_Comm_rank(world, &ownRank);
  MPI_Comm_size(world, &processors);
  check(MPI_Comm_split_type(world, MPI_COMM_TYPE_SHARED, ownRank, MPI_INFO_NULL,
                            &machine),
        "MPI_Comm_split_type");
  findNear();
  messages = newCommunicator();
  council.open(newCommunicator());
  watch.start(services, &council, ownRank, processors,
              services->watchdog > 0 ? council.findNeighbours(machine)
                                     : std::vector<watch::Neighbour>());
}

/// Which processors are on this machine. Asks nobody: both groups are known.
void MpiProcessors::findNear() {
  MPI_Group all, near;
  MPI_Comm_group(world, &all);
  MPI_Comm_group(machine, &near);
  int count = 1;
  MPI_Group_size(near, &count);
  std::vector<int> places(count), ranks(count);
  std::iota(places.begin(), places.end(), 0);
  MPI_Group_translate_ranks(near, count, places.data(), all, ranks.data());
  isNear.assign(processors, false);
  for (int rank : ranks)
    isNear[rank] = true;
  MPI_Group_free(&near);
  MPI_Group_free(&all);
  crowded = count > sysconf(_SC_NPROCESSORS_ONLN);
}

MPI_Comm MpiProcessors::newCommunicator() {
  MPI_Comm copy;
  MPI_Request request;
  check(MPI_Comm_idup(world, &copy, &request), "MPI_Comm_idup");
  awaitAlone(request);
  return copy;
}

void MpiProcessors::awaitAlone(MPI_Request &request) {
  for (int done = 0, looks = 0; !done; ++looks) {
    check(MPI_Test(&request, &done, MPI_STATUS_IGNORE), "MPI_Test");
    if (!done)
      pauseInWait(looks);
  }
}

void MpiProcessors::fail(int result, const char *what) {
  char reason[MPI_MAX_ERROR_STRING] = "";
  int length = 0;
  MPI_Error_string(result, reason, &length);
  int kind = MPI_ERR_OTHER;
  MPI_Error_class(result, &kind);
  std::string text = std::string(what) + ": " + reason;
  if (kind == MPI_ERR_TRUNCATE)
    text = "another processor does something else here and sends more than is "
           "awaited; --check-replication tells where they part (" +
           text + ")";
  services->fatal(text.c_str());
  __builtin_unreachable();
}

/// What went wrong in one of several requests.
static int firstError(const std::vector<MPI_Status> &statuses) {
  for (const MPI_Status &status : statuses)
    if (status.MPI_ERROR != MPI_SUCCESS && status.MPI_ERROR != MPI_ERR_PENDING)
      return status.MPI_ERROR;
  return MPI_ERR_IN_STATUS;
}

/// One look at all of them, which says of which kind an error is.
static int testAll(MPI_Request *requests, int count, int *done) {
  // What is made for one request is a little faster.
  if (count == 1)
    return MPI_Test(requests, done, MPI_STATUS_IGNORE);
  thread_local std::vector<MPI_Status> statuses;
  statuses.resize(static_cast<size_t>(count));
  int result = MPI_Testall(count, requests, done, statuses.data());
  return result == MPI_ERR_IN_STATUS ? firstError(statuses) : result;
}

void MpiProcessors::waitAll(MPI_Request *requests, int count, uint64_t bytes) {
  if (count == 0)
    return;
  watch::Waiting waiting(watch, bytes);
  int done = 0;
  for (int looks = 0;; ++looks) {
    int result = testAll(requests, count, &done);
    if (done || result != MPI_SUCCESS)
      return check(result, "MPI_Testall");
    waiting.look();
    if (looks % 16 == 15)
      attend();
    pauseInWait(looks);
  }
}

void MpiProcessors::pauseInWait(int looks) {
  callIdle();
  if (crowded && looks > 200)
    usleep(50);
  else if (looks > (crowded ? 10 : 200))
    sched_yield();
}

// --- Messages ---------------------------------------------------------------

void MpiProcessors::isend(int to, const void *data, size_t bytes,
                          MPI_Request &request) {
  traffic.sent(to, bytes);
  check(MPI_Isend_c(data, static_cast<MPI_Count>(bytes), MPI_BYTE, to, 0,
                    messages, &request),
        "MPI_Isend");
}

void MpiProcessors::ireceive(int from, void *data, size_t bytes,
                             MPI_Request &request) {
  check(MPI_Irecv_c(data, static_cast<MPI_Count>(bytes), MPI_BYTE, from, 0,
                    messages, &request),
        "MPI_Irecv");
}

void MpiProcessors::send(int to, const void *data, size_t bytes) {
  MPI_Request request;
  isend(to, data, bytes, request);
  waitAll(&request, 1, bytes);
}

void MpiProcessors::receive(int from, void *data, size_t bytes) {
  MPI_Request request;
  ireceive(from, data, bytes, request);
  waitAll(&request, 1, bytes);
}

void MpiProcessors::exchange(int partner, const void *out, void *in,
                             size_t bytes) {
  MPI_Request requests[2];
  ireceive(partner, in, bytes, requests[0]);
  isend(partner, out, bytes, requests[1]);
  waitAll(requests, 2, 2 * bytes);
}

size_t MpiProcessors::gatherLimit(int members) const {
  // What goes out of a processor in all rounds together is one message that MPI
  // still copies at once.
  constexpr size_t Most = 8192, Least = 16;
  return std::max(Most / std::max(members, 1), Least);
}

void MpiProcessors::gather(const int *members, int count, int place,
                           const void *mine, size_t bytes, void *all) {
  gathered.resize(count * bytes);
  char *parts = gathered.data();
  memcpy(parts, mine, bytes);
  for (int have = 1; have < count; have *= 2) {
    // From those behind us in the circle, to those before us.
    size_t size = std::min(have, count - have) * bytes;
    MPI_Request requests[2];
    ireceive(members[(place + have) % count], parts + have * bytes, size,
             requests[0]);
    isend(members[(place - have + count) % count], parts, size, requests[1]);
    waitAll(requests, 2, 2 * size);
  }
  // Ours is the first now; it belongs after those of `place` others.
  char *result = static_cast<char *>(all);
  memcpy(result + place * bytes, parts, (count - place) * bytes);
  memcpy(result, parts + (count - place) * bytes, place * bytes);
}

void MpiProcessors::progress() {
  int there = 0;
  int result =
      MPI_Iprobe(MPI_ANY_SOURCE, 0, messages, &there, MPI_STATUS_IGNORE);
  if (result != MPI_SUCCESS)
    check(result, "MPI_Iprobe");
}

// --- The end ----------------------------------------------------------------

bool MpiProcessors::claimReport(bool replicated) {
  // There is no cheap way to agree while some compute. So each leaves the
  // report to those before it for a while, a longer one if all are known to see
  // the error; who is still alive then reports itself, better twice than never.
  int before = std::min(ownRank, 10);
  if (before > 0)
    usleep((replicated ? ReportPatience : 0) + before * ReportStagger);
  return true;
}

void MpiProcessors::abort(int status) {
  drainOutput();
  // What is to be said has been said; MPI would add a line of its own.
  int nothing = open("/dev/null", O_WRONLY);
  dup2(nothing, STDERR_FILENO);
  MPI_Abort(MPI_COMM_WORLD, status);
  _exit(status);
}

void MpiProcessors::finish() {
  watch.beginEnd();
  MPI_Request everyone;
  check(MPI_Ibarrier(messages, &everyone), "MPI_Ibarrier");
  waitAll(&everyone, 1, 0);
  council.close(*this, watch.roundsBegun(), messages);
  close();
  MPI_Comm_free(&messages);
  MPI_Comm_free(&machine);
  if (services->communicator)
    MPI_Comm_free(&world);
  else
    check(MPI_Finalize(), "MPI_Finalize");
}
