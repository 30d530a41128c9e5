//===- OneSidedTest.cpp - What only transports by puts promise ------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// On `put`, data come straight into the destination while the receiver makes no
// call; destinations that nobody else can write are filled all the same; and
// memory that is not there is refused without harm to what is.
//
//===----------------------------------------------------------------------===//

#include "../Shell.h"

#include <gtest/gtest.h>

#include <string>

namespace {

/// Runs a shell command for at most a minute.
Result run(const std::string &command) {
  return shell("timeout 60 sh -c '" + command + "' 2>&1");
}

std::string puts(int processors, const std::string &what) {
  return std::string(ZRT_TEST_MPIEXEC) + " -n " + std::to_string(processors) +
         " " + ZRT_TEST_PUTS + " put " + what;
}

void expectOk(const std::string &command) {
  Result result = run(command);
  EXPECT_EQ(result.output, "ok\n") << command;
  EXPECT_EQ(result.status, 0) << command;
}

TEST(Put, DataArriveWithoutACallOfTheReceiver) {
  for (int processors : {2, 3})
    expectOk(puts(processors, "straight"));
}

TEST(Put, PrivateDestinationsAreFilled) {
  for (int processors : {2, 3})
    expectOk(puts(processors, "private"));
}

TEST(Put, BetweenMachinesDataArriveAsWell) {
  // MPICH takes each process for a machine of its own.
  expectOk("MPIR_CVAR_NOLOCAL=1 " + puts(2, "private"));
}

TEST(Put, MemoryThatIsNotThereIsRefused) {
  if (UnderAddressSanitizer)
    GTEST_SKIP() << "which reserves more addresses than the limit";
  expectOk("ulimit -v 3000000; " + puts(2, "memory"));
}

} // namespace
