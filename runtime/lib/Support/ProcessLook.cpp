//===- ProcessLook.cpp - What another process is up to --------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Reads /proc, for the watchdog. /proc/PID/stat is one line:
///
///     4711 (jacobi) S 4710 ... utime stime ...
///
/// The name may hold blanks and brackets, so the rest is looked for after the
/// last bracket. State is word 3, utime and stime are words 14 and 15, in ticks
/// of mostly 10 ms, which hide a process that only wakes up now and then. The
/// first word of /proc/PID/schedstat is the time of its first thread in
/// nanoseconds; the system may be without it. /proc/PID/syscall begins with the
/// number of the system call that the process sleeps in and its arguments in
/// hexadecimal, or with "running"; it may be read by who may trace the process.
///
/// Cost: some ten microseconds each.
///
//===----------------------------------------------------------------------===//

#include "Support/ProcessLook.h"

#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <string>
#include <sys/syscall.h>
#include <unistd.h>

using namespace zrt;

/// The beginning of /proc/PID/NAME; empty if it cannot be read.
static std::string readProc(pid_t process, const char *name) {
  char path[64], text[1024];
  snprintf(path, sizeof path, "/proc/%d/%s", static_cast<int>(process), name);
  int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0)
    return "";
  ssize_t length = read(file, text, sizeof text);
  close(file);
  return length > 0 ? std::string(text, length) : "";
}

std::optional<ProcessLook> zrt::lookAt(pid_t process) {
  std::string text = readProc(process, "stat");
  size_t bracket = text.rfind(')');
  ProcessLook look;
  unsigned long user = 0, system = 0;
  if (bracket == text.npos ||
      sscanf(text.c_str() + bracket + 1,
             " %c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu", &look.state,
             &user, &system) != 3)
    return std::nullopt;
  look.used = user + system;
  unsigned long nanoseconds = 0;
  if (sscanf(readProc(process, "schedstat").c_str(), "%lu", &nanoseconds) == 1)
    look.used += nanoseconds;
  return look;
}

std::optional<bool> zrt::waitsForStandardFile(pid_t process) {
  std::string text = readProc(process, "syscall");
  if (text.empty())
    return std::nullopt;
  long call = 0;
  unsigned long file = 0;
  if (sscanf(text.c_str(), "%ld %lx", &call, &file) != 2)
    return false; // "running"
  bool reads = call == SYS_read || call == SYS_readv;
  bool writes = call == SYS_write || call == SYS_writev;
  return (reads && file == STDIN_FILENO) ||
         (writes && (file == STDOUT_FILENO || file == STDERR_FILENO));
}
