//===- Shell.h - Commands that tests run ------------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_TEST_SHELL_H
#define ZRT_TEST_SHELL_H

#include <cstdio>
#include <string>
#include <sys/wait.h>

/// Whether this was built with AddressSanitizer, for tests that measure or
/// limit memory.
#if defined(__SANITIZE_ADDRESS__)
inline constexpr bool UnderAddressSanitizer = true;
#else
inline constexpr bool UnderAddressSanitizer = false;
#endif

/// MPI's launcher; empty: none.
#ifdef ZRT_TEST_MPIEXEC
inline const std::string Mpiexec = ZRT_TEST_MPIEXEC;
#endif

/// What a command has written to standard output, and its status; -1 if it did
/// not start.
struct Result {
  std::string output;
  int status = -1;
};

/// Runs a shell command to its end.
inline Result shell(const std::string &command) {
  Result result;
  std::FILE *pipe = popen(command.c_str(), "r");
  if (!pipe)
    return result;
  char buffer[4096];
  while (size_t n = std::fread(buffer, 1, sizeof buffer, pipe))
    result.output.append(buffer, n);
  result.status = WEXITSTATUS(pclose(pipe));
  return result;
}

#endif // ZRT_TEST_SHELL_H
