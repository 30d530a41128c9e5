//===- Launcher.h - Programs that start processes for us --------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_TRANSPORT_LAUNCHER_H
#define ZRT_TRANSPORT_LAUNCHER_H

#include "Support/Env.h"

#include <string>

namespace zrt {

/// How a process knows that a launcher has started it.
enum class LauncherKind {
  None,
  Pmi,     ///< MPICH's mpiexec, or srun for MPICH
  OpenMpi, ///< mpiexec or oshrun of Open MPI
  Pmix,    ///< another one, srun for Open MPI for example
  Slurm    ///< srun, without anything for MPI
};

/// What a launcher says in the environment of each process it starts.
struct LauncherInfo {
  LauncherKind kind = LauncherKind::None;
  int rank = -1; ///< -1: no launcher has started this process
  int size = 0;  ///< 0: it does not say
};
LauncherInfo launcherInfo();

/// The statuses of a run that did not come about.
inline constexpr int UsageStatus = 2;
inline constexpr int FailureStatus = 1;

/// Ends this process with \p status; of all processes that a launcher has
/// started, one prints the message.
[[noreturn]] void refuseStart(int status, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/// A program that starts processes: `mpiexec -n 4 prog ...`.
struct Launcher {
  const char *name;     ///< for messages
  EnvVariable variable; ///< which says where it is
};

/// Turns this process into \p launcher, which starts this program
/// \p processors times with the same arguments, standard files and
/// environment, and passes its status on. Refuses in a process that has come
/// about in this way, so it cannot go round in circles.
[[noreturn]] void startUnder(const Launcher &launcher, int processors,
                             char *const *arguments);

} // namespace zrt

#endif // ZRT_TRANSPORT_LAUNCHER_H
