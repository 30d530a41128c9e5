//===- Launcher.cpp - Programs that start processes for us ----------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A process finds out by its environment whether it is one of several:
///
///     MPICH's mpiexec, srun --mpi=pmi2    PMI_RANK, PMI_SIZE
///     mpiexec and oshrun of Open MPI      OMPI_COMM_WORLD_RANK and _SIZE
///     srun --mpi=pmix                     PMIX_RANK
///     srun                                SLURM_PROCID in a step of tasks
///
/// The first one counts: launchers inside of a Slurm job leave its variables
/// as they are. That a job exists means nothing. A batch script has
/// SLURM_JOB_ID, and also SLURM_PROCID and SLURM_NTASKS, but is no step; the
/// script itself, the shell of `salloc` and the keeper of a job's resources
/// have step numbers from 4294967280 on. A step of one task needs no launcher:
/// that is the shell of `srun --pty bash`.
///
/// The other way round, a program that is to run on four processors but was
/// started alone becomes the launcher:
///
///     ./prog -p4 --transport=mpi   ->   /usr/bin/mpiexec.mpich -n 4 ./prog ...
///
/// A mark in the environment keeps a launcher that starts us without telling
/// from being started again, and again.
///
//===----------------------------------------------------------------------===//

#include "Transport/Launcher.h"

#include "Support/Error.h"
#include "Transport/Guardian.h"

#include <cerrno>
#include <csignal>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

using namespace zrt;

/// The step that srun has started this process in, if there is one and it has
/// several tasks.
static LauncherInfo slurmStep() {
  constexpr long FirstSpecialStep = 0xfffffff0;
  std::optional<long> step = envNumber(EnvVariable::SlurmStep);
  std::optional<long> rank = envNumber(EnvVariable::SlurmRank);
  std::optional<long> size = envNumber(EnvVariable::SlurmStepSize);
  if (!size)
    size = envNumber(EnvVariable::SlurmSize);
  if (!step || *step >= FirstSpecialStep || !rank || !size || *size < 2)
    return {};
  return {LauncherKind::Slurm, static_cast<int>(*rank),
          static_cast<int>(*size)};
}

LauncherInfo zrt::launcherInfo() {
  LauncherInfo step = slurmStep();
  struct {
    LauncherKind kind;
    EnvVariable rank, size;
  } static const launchers[] = {
      {LauncherKind::Pmi, EnvVariable::PmiRank, EnvVariable::PmiSize},
      {LauncherKind::OpenMpi, EnvVariable::OmpiRank, EnvVariable::OmpiSize},
      {LauncherKind::Pmix, EnvVariable::PmixRank, EnvVariable::SlurmStepSize}};
  for (const auto &launcher : launchers)
    if (long rank = envNumber(launcher.rank).value_or(-1); rank >= 0)
      return {launcher.kind, static_cast<int>(rank),
              static_cast<int>(envNumber(launcher.size).value_or(step.size))};
  return step;
}

void zrt::refuseStart(int status, const char *format, ...) {
  va_list offered;
  va_start(offered, format);
  char text[2048];
  int length = snprintf(text, sizeof text, "%s: error: ", errorProgramName());
  vsnprintf(text + length, sizeof text - length - 1, format, offered);
  va_end(offered);
  offerError(std::string(text) + '\n', /*replicated=*/true, status);
  guardianSilence();
  if (launcherInfo().rank > 0) {
    // Not at once: a launcher may end the rest when one has gone.
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

// --- Starting under a launcher ----------------------------------------------

static bool isSameFile(const char *one, const char *other) {
  struct stat first, second;
  return stat(one, &first) == 0 && stat(other, &second) == 0 &&
         first.st_dev == second.st_dev && first.st_ino == second.st_ino;
}

/// How the launcher finds this program: by the name it was called by, which
/// messages mention, if that leads here.
static std::string ownPath(const char *calledAs) {
  constexpr const char *Own = "/proc/self/exe";
  if (strchr(calledAs, '/') && isSameFile(calledAs, Own))
    return calledAs;
  char path[4096] = "";
  ssize_t length = readlink(Own, path, sizeof path - 1);
  return length > 0 ? std::string(path, length) : calledAs;
}

void zrt::startUnder(const Launcher &launcher, int processors,
                     char *const *arguments) {
  const char *variable = envName(launcher.variable);
  std::string path = envText(launcher.variable);
  if (path.empty())
    refuseStart(UsageStatus,
                "-p%d needs the launcher %s, which was not found when the "
                "runtime was built; say where it is in %s",
                processors, launcher.name, variable);
  if (!envText(EnvVariable::Relaunched).empty())
    refuseStart(UsageStatus,
                "'%s' has started this program, but not as one of %d "
                "processes; %s must be %s",
                path.c_str(), processors, variable, launcher.name);

  std::string self = ownPath(arguments[0]), count = std::to_string(processors);
  // execv takes pointers to char, and leaves what they point to as it is.
  std::vector<char *> words = {path.data(), const_cast<char *>("-n"),
                               count.data(), self.data()};
  for (char *const *argument = arguments + 1; *argument; ++argument)
    words.push_back(*argument);
  words.push_back(nullptr);

  setenv(envName(EnvVariable::Relaunched), "1", 1);
  // What we ignore, the launcher would ignore as well.
  signal(SIGPIPE, SIG_DFL);
  signal(SIGXFSZ, SIG_DFL);
  execvp(path.c_str(), words.data());
  refuseStart(UsageStatus,
              "cannot start the launcher '%s': %s; %s says where it is",
              path.c_str(), strerror(errno), variable);
}
