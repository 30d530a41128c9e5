//===- MpiTransport.cpp - Processors that talk through MPI ----------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The plug-in for runs under mpiexec. Two communicators, made from
/// MPI_COMM_WORLD at the start, keep transfers, messages, and what linked C
/// code may do with MPI_COMM_WORLD apart.
///
/// Waiting: MPI's own waits never give up the core. With more processes than
/// cores that costs a time slice per message, so waits are loops of MPI_Testall
/// here that offer the core to others, and soon sleep for a moment, if this
/// machine is crowded.
///
/// Errors: MPI is told to return them; each ends the run with MPI's text.
///
/// Ending: MPI_Abort makes the launcher drop what it has not read yet of the
/// processors' output, so `abort` waits until the pipes to it are empty.
///
//===----------------------------------------------------------------------===//

#include "MpiTransport.h"

#include "MpiExchange.h"

#include <algorithm>
#include <fcntl.h>
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

/// True if more processes of this run share the machine than it has cores for
/// them.
bool isCrowded(const Session &session) {
  MPI_Comm machine;
  int processes = 1;
  session.check(MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED,
                                    session.rank, MPI_INFO_NULL, &machine),
                "MPI_Comm_split_type");
  MPI_Comm_size(machine, &processes);
  MPI_Comm_free(&machine);
  return processes > sysconf(_SC_NPROCESSORS_ONLN);
}

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

MPI_Comm splitWorld(const Session &session) {
  MPI_Comm part;
  session.check(MPI_Comm_split(MPI_COMM_WORLD, 0, session.rank, &part),
                "MPI_Comm_split");
  return part;
}

} // namespace

void Session::check(int result, const char *what) const {
  if (result == MPI_SUCCESS)
    return;
  char reason[MPI_MAX_ERROR_STRING] = "";
  int length = 0;
  MPI_Error_string(result, reason, &length);
  services->fatal((std::string(what) + ": " + reason).c_str());
}

void Session::waitAll(std::vector<MPI_Request> &requests) const {
  if (requests.empty())
    return;
  int count = static_cast<int>(requests.size());
  int done = 0;
  for (int looks = 0;; ++looks) {
    check(MPI_Testall(count, requests.data(), &done, MPI_STATUSES_IGNORE),
          "MPI_Testall");
    if (done)
      return;
    if (crowded && looks > 200)
      usleep(50);
    else if (crowded && looks > 10)
      sched_yield();
  }
}

MpiTransport::MpiTransport(const PluginServices *services) {
  session.services = services;
  int started = 0, provided = 0;
  MPI_Initialized(&started);
  if (!started) {
    session.check(
        MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided),
        "MPI_Init_thread");
  }
  // Inherited by the communicators that are made from it.
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_rank(MPI_COMM_WORLD, &session.rank);
  MPI_Comm_size(MPI_COMM_WORLD, &session.size);
  session.exchanges = splitWorld(session);
  session.messages = splitWorld(session);
  session.crowded = isCrowded(session);

  int *largest = nullptr;
  int known = 0;
  MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &largest, &known);
  session.largestTag = known ? *largest : 32767; // What MPI promises.
}

std::unique_ptr<Exchange> MpiTransport::makeExchange(std::vector<Pair> pairs) {
  // All processors make the same exchanges in the same order, so the counter
  // is the same on each. It comes round only after millions of exchanges.
  int tag = nextTag;
  nextTag = nextTag == session.largestTag ? 0 : nextTag + 1;
  return std::make_unique<MpiExchange>(session, std::move(pairs), tag);
}

void MpiTransport::send(int to, const void *data, size_t bytes) {
  std::vector<MPI_Request> request(1);
  session.check(MPI_Isend_c(data, static_cast<MPI_Count>(bytes), MPI_BYTE, to,
                            0, session.messages, request.data()),
                "MPI_Isend");
  session.waitAll(request);
}

void MpiTransport::receive(int from, void *data, size_t bytes) {
  std::vector<MPI_Request> request(1);
  session.check(MPI_Irecv_c(data, static_cast<MPI_Count>(bytes), MPI_BYTE, from,
                            0, session.messages, request.data()),
                "MPI_Irecv");
  session.waitAll(request);
}

bool MpiTransport::claimReport(bool replicated) {
  // There is no cheap way to agree while some compute. So each leaves the
  // report to those before it for a while, a longer one if all are known to see
  // the error; who is still alive then reports itself, better twice than never.
  int before = std::min(session.rank, 10);
  if (before > 0)
    usleep((replicated ? ReportPatience : 0) + before * ReportStagger);
  return true;
}

void MpiTransport::abort(int status) {
  drainOutput();
  // What is to be said has been said; MPI would add a line of its own.
  int nothing = open("/dev/null", O_WRONLY);
  dup2(nothing, STDERR_FILENO);
  MPI_Abort(MPI_COMM_WORLD, status);
  _exit(status);
}

void MpiTransport::finish() {
  MPI_Comm_free(&session.exchanges);
  MPI_Comm_free(&session.messages);
  session.check(MPI_Finalize(), "MPI_Finalize");
}

extern "C" __attribute__((visibility("default"))) Transport *
zrt_transport_create(const PluginServices *services, int) {
  if (services->version != PluginVersion)
    services->fatal("the transport 'mpi' is of another version than the "
                    "program; compile the program again");
  return new MpiTransport(services);
}
