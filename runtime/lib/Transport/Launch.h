//===- Launch.h - Starting the processors of a run --------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_TRANSPORT_LAUNCH_H
#define ZRT_TRANSPORT_LAUNCH_H

#include "Transport/Transport.h"

#include <string>

namespace zrt {

/// What the command line says about processors and transport.
struct LaunchOptions {
  int processors = 0;              ///< -p; 0: not given
  std::string transport;           ///< --transport=; "": not given
  const char *pluginDir = nullptr; ///< where plug-ins were at compile time
  double watchdog = 0;             ///< --watchdog, in seconds; 0: not given
  /// The program's own arguments, in case it has to start itself under a
  /// launcher; null: it cannot.
  char *const *arguments = nullptr;
  /// Whether a processor that a launcher has started gets a guardian
  /// (Guardian.h), which takes any end for a failure but that of a program that
  /// says so.
  bool isGuarded = false;
  /// Of MPI, for a library of ZPL (PluginServices); null: none.
  const int *communicator = nullptr;
};

/// The transport that the options or the environment name; "": none.
std::string wishedTransport(const LaunchOptions &options);

/// Chooses a transport and starts the processors. Returns in each of them. If
/// this process starts the others, it does not return but exits with the
/// status of the run, or becomes the launcher. Nothing may have been printed
/// and no thread started. Mistakes in the way the program was started end with
/// a message from one process, and status 2; a transport that cannot start,
/// with status 1.
std::unique_ptr<Transport> launch(const LaunchOptions &options);

/// Standard input belongs to processor 0: the others find it empty.
void dropInput();

/// The processors of a library of ZPL, which returns to its caller: those of the
/// communicator, or one, or so many workers beside this process (shm). Mistakes
/// are offered to the taker of errors.
std::unique_ptr<Transport> launchLibrary(const LaunchOptions &options);

} // namespace zrt

#endif // ZRT_TRANSPORT_LAUNCH_H
