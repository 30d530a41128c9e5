//===- Launch.cpp - Starting the processors of a run ----------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// One executable, many ways to run it:
///
///     ./prog                         self   one processor
///     ./prog -p4                     shm    four processes that we start
///     mpiexec.mpich -n 4 ./prog      mpi    four that were started for us
///     oshrun -n 4 ./prog             shmem  the same
///     ./prog -p4 --transport=put     put    we become the launcher first
///     ./prog -p4 --transport=sim     sim    four in this process, in turns
///
/// The choice, first match: `--transport=`; ZRT_TRANSPORT; shmem or mpi if a
/// launcher has given this process a rank; shm for more than one processor;
/// self.
///
/// Under a launcher every process comes here and finds the same mistakes, so
/// only the launcher's rank 0 speaks and the others leave with the same
/// status.
///
//===----------------------------------------------------------------------===//

#include "Transport/Launch.h"

#include "Support/Env.h"
#include "Support/Error.h"
#include "Transport/Guardian.h"
#include "Transport/Launcher.h"
#include "Transport/PluginLoader.h"
#include "Transport/hybrid/HybridTransport.h"
#include "Transport/self/SelfTransport.h"
#include "Transport/shm/Segment.h"
#include "Transport/shm/Supervisor.h"
#include "Transport/shm/Workers.h"

#include <algorithm>
#include <cstdlib>
#include <fcntl.h>
#include <unistd.h>

using namespace zrt;

namespace {

/// A transport by its name.
struct Choice {
  const char *name;
  std::unique_ptr<Transport> (*start)(const Choice &choice,
                                      const LaunchOptions &options);
  const char *plugin = nullptr; ///< whose library carries it; null: none
  Launcher launcher = {};       ///< of those with a plug-in
};

// --- Transports that start their own processors -----------------------------

/// They make no sense in each of several processes of a launcher.
void refuseLauncher(const Choice &choice) {
  int size = launcherInfo().size;
  if (size > 1)
    refuseStart(UsageStatus,
                "the transport '%s' does not work with the %d processes of an "
                "MPI launcher; start the program without it",
                choice.name, size);
}

std::unique_ptr<Transport> startSelf(const Choice &choice,
                                     const LaunchOptions &options) {
  refuseLauncher(choice);
  if (options.processors > 1)
    refuseStart(UsageStatus,
                "the transport 'self' has one processor, but -p%d was given",
                options.processors);
  return makeSelfTransport();
}

std::unique_ptr<Transport> startShm(const Choice &choice,
                                    const LaunchOptions &options) {
  refuseLauncher(choice);
  if (options.processors > shm::MaxProcessors)
    refuseStart(UsageStatus,
                "the transport 'shm' has at most %d processors, but -p%d was "
                "given",
                shm::MaxProcessors, options.processors);
  return startShmProcessors(options.processors ? options.processors : 1,
                            options.watchdog);
}

/// Its processors are in this process, so nothing can return in each of them:
/// Entry starts them (Entry/Simulation/Simulated.h). Others have no use for it.
std::unique_ptr<Transport> startSim(const Choice &choice,
                                    const LaunchOptions &) {
  refuseLauncher(choice);
  refuseStart(UsageStatus, "the transport 'sim' runs compiled programs only");
}

// --- Transports that a launcher starts --------------------------------------

/// Ends a run whose processors are up but not as wanted.
[[noreturn]] void refuseRun(Transport &transport, const std::string &message) {
  if (transport.claimReport(true) && launcherInfo().rank <= 0)
    printError("%s", message.c_str());
  guardianSilence();
  transport.abort(UsageStatus);
  __builtin_unreachable(); // GCC forgets that a virtual call does not return.
}

std::string processes(int count) {
  return std::to_string(count) + (count == 1 ? " process" : " processes");
}

/// Holds the number of processors against what was asked for, and what the
/// launcher says.
void checkNumber(Transport &transport, const Choice &choice, int asked) {
  int started = transport.size(), launched = launcherInfo().size;
  LauncherKind kind = launcherInfo().kind;
  bool isSlurm = kind == LauncherKind::Slurm || kind == LauncherKind::Pmix;
  std::string launcher = choice.launcher.name;
  if (started == 1 && launched > 1)
    refuseRun(
        transport,
        "the launcher has started " + processes(launched) +
            ", but the transport '" + choice.name + "' sees each alone: use " +
            (isSlurm ? "srun --mpi=pmi2 or " : "") + launcher +
            (kind == LauncherKind::Pmix && choice.name != std::string("shmem")
                 ? "; PMIx fits the transport 'shmem'"
                 : ""));
  if (asked && asked != started)
    refuseRun(transport, "-p" + std::to_string(asked) +
                             " was given, but the launcher has started " +
                             processes(started) + "; their number is that of " +
                             launcher + " -n");
}

std::unique_ptr<Transport> startLaunched(const Choice &choice,
                                         const LaunchOptions &options) {
  bool isLaunched = launcherInfo().rank >= 0;
  checkPlugin(choice.plugin, options.pluginDir);
  if (!isLaunched && options.processors > 1 && options.arguments)
    startUnder(choice.launcher, options.processors, options.arguments);
  unsetenv(envName(EnvVariable::Relaunched)); // Programs that we start may.
  if (isLaunched && options.isGuarded)
    startGuardian(errorProgramName());
  std::unique_ptr<Transport> transport = startPlugin(choice.plugin, options);
  checkNumber(*transport, choice, options.processors);
  return transport;
}

std::unique_ptr<Transport> startHybrid(const Choice &choice,
                                       const LaunchOptions &options) {
  if (envNumber(EnvVariable::NodeSize).value_or(1) < 1)
    refuseStart(UsageStatus, "a node of %s processors has none",
                envText(EnvVariable::NodeSize).c_str());
  return makeHybridTransport(startLaunched(choice, options));
}

// --- Transports that we do not know -----------------------------------------

/// Whether \p name is that of a plug-in that somebody has put beside ours.
bool isForeign(const std::string &name, const LaunchOptions &options) {
  bool isWord = !name.empty() && name.find('/') == std::string::npos;
  return isWord &&
         access(pluginFile(name, options.pluginDir).c_str(), F_OK) == 0;
}

/// Such a plug-in starts its processors itself or knows its launcher.
std::unique_ptr<Transport> startForeign(const std::string &name,
                                        const LaunchOptions &options) {
  std::unique_ptr<Transport> transport = startPlugin(name, options);
  int asked = options.processors, started = transport->size();
  if (asked && asked != started)
    refuseRun(*transport, "-p" + std::to_string(asked) +
                              " was given, but the transport '" + name +
                              "' has started " + processes(started));
  return transport;
}

// --- The choice -------------------------------------------------------------

constexpr Launcher Mpiexec = {"mpiexec.mpich", EnvVariable::Mpiexec};
constexpr Launcher Oshrun = {"oshrun", EnvVariable::Oshrun};

constexpr Choice Choices[] = {
    {"self", startSelf},
    {"shm", startShm},
    {"mpi", startLaunched, "mpi", Mpiexec},
    {"put", startLaunched, "put", Mpiexec},
    {"hybrid", startHybrid, "mpi", Mpiexec},
    {"shmem", startLaunched, "shmem", Oshrun},
    {"sim", startSim},
};

std::string chooseTransport(const LaunchOptions &options) {
  if (std::string wish = wishedTransport(options); !wish.empty())
    return wish;
  LauncherInfo launcher = launcherInfo();
  if (launcher.rank < 0)
    return options.processors > 1 ? "shm" : "self";
  // Open MPI, with which OpenSHMEM comes, takes part in PMIx; MPICH does not.
  bool fitsShmem = launcher.kind == LauncherKind::OpenMpi ||
                   launcher.kind == LauncherKind::Pmix;
  bool hasShmem =
      access(pluginFile("shmem", options.pluginDir).c_str(), F_OK) == 0;
  return fitsShmem && hasShmem ? "shmem" : "mpi";
}

/// A launcher that gives a process a rank beyond its size is none.
void checkLauncher() {
  LauncherInfo launcher = launcherInfo();
  if (launcher.size == 0 || launcher.rank < launcher.size)
    return;
  printError("the environment names process %d of %d of a launcher; the first "
             "is 0",
             launcher.rank, launcher.size);
  _exit(UsageStatus);
}

} // namespace

void zrt::dropInput() {
  int nothing = open("/dev/null", O_RDONLY);
  if (nothing > STDIN_FILENO) {
    dup2(nothing, STDIN_FILENO);
    close(nothing);
  }
}

namespace {

[[noreturn]] void refuseName(const LaunchOptions &options,
                             const std::string &name) {
  std::string valid, origin;
  for (const Choice &choice : Choices)
    valid += (valid.empty() ? "" : ", ") + std::string(choice.name);
  if (options.transport.empty())
    origin = std::string(" in ") + envName(EnvVariable::Transport);
  refuseStart(UsageStatus, "unknown transport '%s'%s; there are: %s",
              name.c_str(), origin.c_str(), valid.c_str());
}

} // namespace

std::string zrt::wishedTransport(const LaunchOptions &options) {
  return options.transport.empty() ? envText(EnvVariable::Transport)
                                   : options.transport;
}

std::unique_ptr<Transport> zrt::launch(const LaunchOptions &options) {
  checkLauncher();
  std::string name = chooseTransport(options);
  std::unique_ptr<Transport> transport;
  for (const Choice &choice : Choices)
    if (name == choice.name)
      transport = choice.start(choice, options);
  if (!transport && !isForeign(name, options))
    refuseName(options, name);
  if (!transport)
    transport = startForeign(name, options);
  if (transport->rank() != 0)
    dropInput();
  return transport;
}

std::unique_ptr<Transport> zrt::launchLibrary(const LaunchOptions &options) {
  std::string wish = options.transport;
  if (options.communicator) {
    if (!wish.empty() && wish != "mpi")
      refuseStart(UsageStatus,
                  "a library over a communicator has the transport 'mpi'");
    checkPlugin("mpi", options.pluginDir);
    std::unique_ptr<Transport> transport = startPlugin("mpi", options);
    int asked = options.processors, size = transport->size();
    if (asked && asked != size)
      refuseStart(UsageStatus,
                  "-p%d was given, but the communicator has %d processes",
                  asked, size);
    return transport;
  }
  if (wish.empty())
    wish = options.processors > 1 ? "shm" : "self";
  if (wish == "self" && options.processors <= 1)
    return makeSelfTransport();
  if (wish != "shm")
    refuseStart(UsageStatus,
                "a library has the transports self and shm, and mpi with a "
                "communicator; not '%s' with %d processors",
                wish.c_str(), std::max(options.processors, 1));
  if (options.processors > shm::MaxProcessors)
    refuseStart(UsageStatus, "the transport 'shm' has at most %d processors",
                shm::MaxProcessors);
  return startShmWorkers(std::max(options.processors, 1));
}
