//===- HandProgramsTest.cpp - Hand-written programs on every transport ----===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// HandJacobi and HandTransfers print the same bytes on one processor, on shared
// memory and under mpiexec, for all kinds of grids; errors end whole runs with
// one message and the right status.
//
//===----------------------------------------------------------------------===//

#include <gtest/gtest.h>

#include <cstdio>
#include <string>
#include <sys/wait.h>

namespace {

const std::string Jacobi = ZRT_TEST_JACOBI;
const std::string Transfers = ZRT_TEST_TRANSFERS;
const std::string Mpiexec = ZRT_TEST_MPIEXEC;

struct Result {
  std::string output;
  int status = -1;
};

/// Runs a shell command for at most half a minute.
Result run(const std::string &command) {
  Result result;
  std::FILE *pipe = popen(("timeout 30 " + command).c_str(), "r");
  if (!pipe)
    return result;
  char buffer[4096];
  while (size_t n = std::fread(buffer, 1, sizeof buffer, pipe))
    result.output.append(buffer, n);
  result.status = WEXITSTATUS(pclose(pipe));
  return result;
}

const char *const Grids[] = {"-p2", "-p3 -c3", "-p4",     "-p4 -r4",
                             "-p6", "-g2x3",   "-p6 -r1", "-p12"};

void expectSameBytes(const std::string &program) {
  Result alone = run(program);
  ASSERT_EQ(alone.status, 0) << program;
  ASSERT_FALSE(alone.output.empty());
  for (const char *grid : Grids) {
    Result other = run(program + " " + grid);
    EXPECT_EQ(other.status, 0) << program << " " << grid;
    EXPECT_EQ(other.output, alone.output) << program << " " << grid;
  }
  if (Mpiexec.empty())
    return;
  for (const char *count : {"2", "3"}) {
    Result other = run(Mpiexec + " -n " + count + " " + program);
    EXPECT_EQ(other.status, 0) << program << " on mpi";
    EXPECT_EQ(other.output, alone.output) << program << " on mpi";
  }
}

TEST(HandJacobi, PrintsTheSameBytesOnEveryGridAndTransport) {
  for (const char *n : {"1", "2", "3", "20"})
    expectSameBytes(Jacobi + " --verbose=true --n=" + n + " 2>/dev/null");
}

TEST(HandTransfers, AllElementsArriveOnEveryGridAndTransport) {
  for (const char *seed : {"1", "2"}) {
    std::string program = Transfers + " --seed=" + seed;
    EXPECT_NE(run(program).output.find(" 0 mistakes\n"), std::string::npos);
    expectSameBytes(program);
  }
}

TEST(HandJacobi, UsageErrorsHaveStatus2) {
  for (const char *arguments : {"-p0", "-p7 -r2", "-sm=1", "--n=x", "-x"}) {
    Result result = run(Jacobi + " " + arguments + " 2>&1");
    EXPECT_EQ(result.status, 2) << arguments;
    EXPECT_EQ(result.output.find(": error: "), result.output.rfind(": error: "))
        << "one message: " << result.output;
  }
  EXPECT_EQ(run(Jacobi + " -h").status, 0);
}

TEST(HandJacobi, AnUnusableIndexIsReportedOnceWithItsPlace) {
  for (const char *grid : {"", "-p3"}) {
    Result result = run(Jacobi + " --n=2147483647 " + grid + " 2>&1");
    EXPECT_EQ(result.status, 1);
    EXPECT_EQ(result.output.substr(result.output.find(": ")),
              ": jacobi.z:20:3: error: region BigR [0..2147483648, "
              "0..2147483648]: 2147483648 in dimension 1 does not fit an "
              "integer\n");
  }
}

TEST(HandJacobi, AFullDiskIsAnErrorOnEveryNumberOfProcessors) {
  for (const char *grid : {"", "-p3"}) {
    std::string command = Jacobi + " --n=60 --epsilon=1 " + grid;
    Result result = run(command + " 2>&1 >/dev/full");
    EXPECT_EQ(result.status, 1);
    EXPECT_NE(result.output.find("cannot write to standard output: No space "
                                 "left on device"),
              std::string::npos)
        << result.output;
  }
}

} // namespace
