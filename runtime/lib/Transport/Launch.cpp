//===- Launch.cpp - Starting the processors of a run ----------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// One executable, three ways to run it:
///
///     ./prog                   self   one processor
///     ./prog -p4               shm    four processes that we start
///     mpiexec -n 4 ./prog      mpi    four processes that were started for us
///
/// The choice, first match: `--transport=`; ZRT_TRANSPORT; mpi if a launcher
/// has given this process a rank; shm for more than one processor; self.
///
/// Under a launcher every process comes here and finds the same mistakes, so
/// only the launcher's rank 0 speaks and the others leave with the same
/// status.
///
/// The mpi transport is a plug-in, because it needs MPI's libraries and no
/// other program should. It is looked for in ZRT_PLUGIN_DIR or else where it
/// was when the program was compiled.
///
//===----------------------------------------------------------------------===//

#include "Transport/Launch.h"

#include "Support/Env.h"
#include "Support/Error.h"
#include "Transport/Blocks.h"
#include "Transport/Plugin.h"
#include "Transport/PrivateHeap.h"
#include "Transport/self/SelfTransport.h"
#include "Transport/shm/Segment.h"
#include "Transport/shm/Supervisor.h"

#include <cstdarg>
#include <cstdio>
#include <ctime>
#include <dlfcn.h>
#include <fcntl.h>
#include <unistd.h>

using namespace zrt;

namespace {

constexpr int UsageStatus = 2;
constexpr int FailureStatus = 1;

/// Ends this process; the message comes from one process of those that a
/// launcher has started. The silent ones stay a moment, because the launcher
/// may end the rest when the first has gone.
[[noreturn]] __attribute__((format(printf, 2, 3))) void
refuse(int status, const char *format, ...) {
  if (launcherInfo().rank > 0) {
    timespec moment = {1, 0};
    nanosleep(&moment, nullptr);
    _exit(status);
  }
  va_list arguments;
  va_start(arguments, format);
  char message[2048];
  vsnprintf(message, sizeof message, format, arguments);
  va_end(arguments);
  printError("%s", message);
  _exit(status);
}

// --- Choosing ---------------------------------------------------------------

std::string chooseTransport(const LaunchOptions &options) {
  if (!options.transport.empty())
    return options.transport;
  if (std::string wish = envText(EnvVariable::Transport); !wish.empty())
    return wish;
  if (launcherInfo().rank >= 0)
    return "mpi";
  return options.processors > 1 ? "shm" : "self";
}

/// Transports that start their own processors make no sense in each of several
/// processes of a launcher.
void refuseLauncher(const char *transport) {
  int size = launcherInfo().size;
  if (size > 1)
    refuse(UsageStatus,
           "the transport '%s' does not work with the %d processes of an MPI "
           "launcher; start the program without it",
           transport, size);
}

std::unique_ptr<Transport> launchSelf(const LaunchOptions &options) {
  refuseLauncher("self");
  if (options.processors > 1)
    refuse(UsageStatus,
           "the transport 'self' has one processor, but -p%d was given",
           options.processors);
  return makeSelfTransport();
}

std::unique_ptr<Transport> launchShm(const LaunchOptions &options) {
  refuseLauncher("shm");
  if (options.processors > shm::MaxProcessors)
    refuse(UsageStatus,
           "the transport 'shm' has at most %d processors, but -p%d was given",
           shm::MaxProcessors, options.processors);
  return startShmProcessors(options.processors ? options.processors : 1);
}

// --- The MPI plug-in --------------------------------------------------------

[[noreturn]] void pluginFatal(const char *message) {
  fatal(nullptr, ErrorScope::Local, "%s", message);
}

void *heapAllocate(void *heap, size_t bytes) {
  return static_cast<PrivateHeap *>(heap)->allocate(bytes);
}
void heapRelease(void *heap, void *memory, size_t bytes) {
  static_cast<PrivateHeap *>(heap)->release(memory, bytes);
}

/// The services outlive every transport, so they live as long as the process.
const PluginServices &pluginServices() {
  static PrivateHeap heap;
  static const PluginServices services = {
      PluginVersion, pluginFatal,  packBlock,   unpackBlock,
      copyBlock,     heapAllocate, heapRelease, &heap};
  return services;
}

PluginCreate *loadPlugin(const LaunchOptions &options) {
  std::string folder = envText(EnvVariable::PluginDir);
  if (folder.empty() && options.pluginDir)
    folder = options.pluginDir;
  std::string file = folder + "/libzrt_mpi.so";
  void *library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    std::string reason = dlerror();
    if (reason.rfind(file + ": ", 0) == 0)
      reason.erase(0, file.size() + 2);
    refuse(FailureStatus, "cannot load the transport 'mpi' from %s: %s",
           file.c_str(), reason.c_str());
  }
  void *symbol = dlsym(library, "zrt_transport_create");
  if (!symbol)
    refuse(FailureStatus, "%s is not a transport: %s", file.c_str(), dlerror());
  return reinterpret_cast<PluginCreate *>(symbol);
}

/// Ends a run whose processors are up but not as wanted.
[[noreturn]] void refuseRun(Transport &transport, const std::string &message) {
  if (transport.claimReport(true) && launcherInfo().rank <= 0)
    printError("%s", message.c_str());
  transport.abort(UsageStatus);
  __builtin_unreachable(); // GCC forgets that a virtual call does not return.
}

std::unique_ptr<Transport> launchMpi(const LaunchOptions &options) {
  PluginCreate *create = loadPlugin(options);
  std::unique_ptr<Transport> transport(
      create(&pluginServices(), options.processors));
  LauncherInfo launcher = launcherInfo();
  int started = transport->size();
  if (started == 1 && launcher.size > 1)
    refuseRun(*transport, "the launcher has started " +
                              std::to_string(launcher.size) +
                              " processes, but MPI sees each alone: use the "
                              "mpiexec of MPICH");
  if (options.processors && options.processors != started)
    refuseRun(*transport, "-p" + std::to_string(options.processors) +
                              " was given, but MPI has started " +
                              std::to_string(started) +
                              (started == 1 ? " process" : " processes") +
                              "; their number is that of mpiexec -n");
  return transport;
}

/// Standard input belongs to processor 0: the others find it empty.
void dropInput() {
  int nothing = open("/dev/null", O_RDONLY);
  if (nothing > STDIN_FILENO) {
    dup2(nothing, STDIN_FILENO);
    close(nothing);
  }
}

struct Choice {
  const char *name;
  std::unique_ptr<Transport> (*start)(const LaunchOptions &options);
};
constexpr Choice Choices[] = {
    {"self", launchSelf}, {"shm", launchShm}, {"mpi", launchMpi}};

} // namespace

LauncherInfo zrt::launcherInfo() {
  LauncherInfo info;
  for (EnvVariable variable :
       {EnvVariable::PmiRank, EnvVariable::PmixRank, EnvVariable::OmpiRank})
    if (std::optional<long> rank = envNumber(variable))
      info.rank = static_cast<int>(*rank);
  for (EnvVariable variable : {EnvVariable::PmiSize, EnvVariable::OmpiSize})
    if (std::optional<long> size = envNumber(variable))
      info.size = static_cast<int>(*size);
  return info;
}

std::unique_ptr<Transport> zrt::launch(const LaunchOptions &options) {
  std::string name = chooseTransport(options);
  std::string valid;
  for (const Choice &choice : Choices) {
    if (name == choice.name) {
      std::unique_ptr<Transport> transport = choice.start(options);
      if (transport->rank() != 0)
        dropInput();
      return transport;
    }
    valid += valid.empty() ? "" : ", ";
    valid += choice.name;
  }
  refuse(UsageStatus, "unknown transport '%s'; there are: %s", name.c_str(),
         valid.c_str());
}
