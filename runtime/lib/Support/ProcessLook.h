//===- ProcessLook.h - What another process is up to ------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_SUPPORT_PROCESSLOOK_H
#define ZRT_SUPPORT_PROCESSLOOK_H

#include <cstdint>
#include <optional>
#include <sys/types.h>

namespace zrt {

/// What the system says of a process.
struct ProcessLook {
  char state;    ///< as in /proc/PID/stat: R, S, D, T, t, Z ...
  uint64_t used; ///< a number that grows when it uses processor time
  bool isStopped() const { return state == 'T'; }
  bool isRunnable() const { return state == 'R'; }
  bool isTraced() const { return state == 't'; } ///< stopped by a debugger
};

/// Looks at \p process of this machine; nothing if there is none, or no /proc.
std::optional<ProcessLook> lookAt(pid_t process);

/// True if \p process is in a system call that reads standard input or writes
/// standard output or error: it waits for a user, or for the other end of a
/// pipe. Nothing if the system does not say.
std::optional<bool> waitsForStandardFile(pid_t process);

} // namespace zrt

#endif // ZRT_SUPPORT_PROCESSLOOK_H
