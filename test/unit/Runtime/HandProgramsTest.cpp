//===- HandProgramsTest.cpp - Hand-written programs on every transport ----===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The Hand... programs print the same bytes on one processor, on shared memory
// and under mpiexec, for all kinds of grids; errors end whole runs with one
// message and the right status, also those of one processor.
//
//===----------------------------------------------------------------------===//

#include "Shell.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>
#include <string>
#include <vector>

namespace {

const std::string Checks = ZRT_TEST_CHECKS;
const std::string Config = ZRT_TEST_CONFIG;
const std::string Jacobi = ZRT_TEST_JACOBI;
const std::string Operators = ZRT_TEST_OPERATORS;
const std::string Remaps = ZRT_TEST_REMAPS, Scatters = ZRT_TEST_SCATTERS;
const std::string Moves = ZRT_TEST_MOVES;
const std::string SparseProgram = ZRT_TEST_SPARSE;
const std::string Split = ZRT_TEST_SPLIT;
const std::string Transfers = ZRT_TEST_TRANSFERS;
/// Runs a shell command for at most half a minute.
Result run(const std::string &command) {
  return shell("timeout 30 " + command);
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
    std::string program = Transfers + " --seed=" + seed + " 2>/dev/null";
    EXPECT_NE(run(program).output.find("\n0 mistakes\n"), std::string::npos);
    expectSameBytes(program);
  }
}

TEST(HandMoves, ElementsMoveByTheFormulasOnEveryGridAndTransport) {
  for (const char *seed : {"1", "2"}) {
    std::string program = Moves + " --seed=" + seed + " 2>/dev/null";
    EXPECT_EQ(run(program).output, "0 mistakes\n");
    expectSameBytes(program);
  }
}

/// The program agrees with its global model, whatever the seed.
static void expectNoMistakes(const std::string &program) {
  for (const char *seed : {"1", "2", "3"}) {
    std::string command = program + " --seed=" + seed;
    EXPECT_EQ(run(command).output, "0 mistakes\n");
    expectSameBytes(command);
  }
}

TEST(HandOperators, AgreeWithTheGlobalModelOnEveryGridAndTransport) {
  expectNoMistakes(Operators);
}

TEST(HandRemaps, AgreeWithTheGlobalModelOnEveryGridAndTransport) {
  expectNoMistakes(Remaps);
}

TEST(HandScatters, AgreeWithTheGlobalModelOnEveryGridAndTransport) {
  expectNoMistakes(Scatters);
}

TEST(HandSplit, TwoPhasesGiveTheBitsOfOneOnEveryGridAndTransport) {
  expectNoMistakes(Split);
}

TEST(HandOperators, ForcedAlgorithmsGiveTheSameBytes) {
  for (const char *choice :
       {"reduce:binomial,broadcast:pipeline,barrier:binomial",
        "reduce:butterfly,broadcast:scatter,allgather:ring",
        "reduce:pairwise,broadcast:binomial,allgather:dissemination",
        "reduce:ring,barrier:dissemination"})
    for (const std::string &program : {Operators, Split})
      for (const char *grid : {"-p3", "-p6"}) {
        Result result = run("env ZRT_COLLECTIVE=" + std::string(choice) + " " +
                            program + " " + grid);
        EXPECT_EQ(result.output, "0 mistakes\n") << choice << " " << grid;
      }
}

TEST(HandJacobi, AnUnknownAlgorithmIsReportedOnceBeforeTheStart) {
  std::vector<std::string> commands = {Jacobi, Jacobi + " -p3"};
  if (!Mpiexec.empty())
    commands.push_back(Mpiexec + " -n 3 " + Jacobi);
  for (const std::string &command : commands) {
    Result result = run("env ZRT_COLLECTIVE=reduce:rings " + command + " 2>&1");
    EXPECT_EQ(result.status, 2) << command;
    EXPECT_EQ(result.output.substr(result.output.find(": ")),
              ": error: ZRT_COLLECTIVE: 'reduce' has no algorithm 'rings'; "
              "there are: gather, butterfly, binomial, ring, pairwise\n")
        << command;
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

/// The ways to start \p program with \p arguments on one and three processors.
std::vector<std::string> starts(const std::string &program,
                                const std::string &arguments) {
  std::vector<std::string> commands = {program + " " + arguments,
                                       program + " -p3 " + arguments};
  if (!Mpiexec.empty())
    commands.push_back(Mpiexec + " -n 3 " + program + " " + arguments);
  return commands;
}

TEST(HandConfig, DefaultsSeeTheValuesThatWereGiven) {
  const char *rest = " kind=1 origin=1,2,t size=8,16,32 z=0+0i q=0 "
                     "title='none' table=0,0,0,0,0,0\n";
  EXPECT_EQ(run(Config).output, std::string("n=3 half=1") + rest);
  EXPECT_EQ(run(Config + " -shalf=7").output, std::string("n=3 half=7") + rest);
  EXPECT_EQ(run(Config + " -sn=2").output.substr(0, 10), "n=2 half=1");
}

TEST(HandConfig, ValuesAndPartsReachEveryProcessor) {
  std::string arguments =
      "-sn=2 --kind=A --origin.y=-4e0 \"-sorigin.tag=' '\" -ssize[W]=64 "
      "-stable[2,1]=255 --z=1.5-2i -sz.re=3 --q=1e4000 \"--title=a b\"";
  for (const std::string &command : starts(Config, arguments)) {
    Result result = run(command);
    EXPECT_EQ(result.status, 0) << command;
    EXPECT_EQ(result.output,
              "n=2 half=1 kind=2 origin=1,-4,  size=8,64,32 z=3-2i q=1e+4000 "
              "title='a b' table=0,0,0,255\n")
        << command;
  }
}

TEST(HandConfig, FilesAndOptionsCountInTheirOrder) {
  std::string file = testing::TempDir() + "zrt-hand-config-test.conf";
  std::ofstream(file) << "# a comment\nn=1 -- another\n"
                         "title=\"two words\" size[S]=1\n";
  Result result = run(Config + " -sn=9 -f" + file + " --size[S]=2");
  EXPECT_EQ(result.output, "n=1 half=0 kind=1 origin=1,2,t size=2,16,32 z=0+0i "
                           "q=0 title='two words' table=0,0\n");
  std::remove(file.c_str());
}

TEST(HandConfig, MistakesEndWithStatus2AndOneMessage) {
  struct {
    const char *arguments, *message;
  } cases[] = {
      {"-sm=1", "unknown config variable 'm'; this program has: n, half, kind, "
                "origin, size, table, z, q, title"},
      {"-sorigin.z=1", "config variable 'origin' has type point, which has no "
                       "field 'z'; it has: x, y, tag"},
      {"-stable[1,2]=256",
       "config variable 'table[1,2]' has type ubyte: '256' does not fit"},
      // Only known when the declaration is reached:
      {"-sn=4 -stable[5,0]=1", "config variable 'table' has type array [1..4, "
                               "0..1] of ubyte: index 5 is outside 1..4"},
      {"-stable[1,2]=1", "config variable 'table' has type array [1..3, 0..1] "
                         "of ubyte: index 2 is outside 0..1"}};
  for (const auto &[arguments, message] : cases)
    for (const std::string &command : starts(Config, arguments)) {
      Result result = run(command + " 2>&1");
      EXPECT_EQ(result.status, 2) << command;
      EXPECT_EQ(result.output,
                std::string("HandConfig: error: ") + message + "\n")
          << command;
    }
}

TEST(HandConfig, HelpShowsTypesAndDefaults) {
  std::string text = run(Config + " -h").output;
  for (const char *line :
       {"  origin  point                    {1, 2, 't'}\n",
        "  size    array [S..A] of integer  {8, 16, 32}  per class\n",
        "  table   array [.., ..] of ubyte  0\n", "  class = (S, W, A)\n",
        "  point = record x, y: double; tag: char; end\n"})
    EXPECT_NE(text.find(line), std::string::npos) << line << text;
}

TEST(HandChecks, StringsRandomNumbersAndMemoryAgree) {
  std::string expected;
  for (const std::string &command : starts(Checks, "")) {
    Result result = run(command);
    EXPECT_EQ(result.status, 0) << command;
    if (expected.empty())
      expected = result.output;
    EXPECT_EQ(result.output, expected) << command;
    EXPECT_EQ(result.output.find("strings 1 random 1 memory 1 0."), 0u)
        << result.output;
  }
}

TEST(HandChecks, AnErrorOfOneProcessorEndsTheRunWithOneMessage) {
  struct {
    const char *what, *message;
  } cases[] = {
      {"subscript", "index 12 in dimension 1 of table is outside 1..10"},
      {"subscript0", "index 1 in dimension 2 of table, which has no elements"},
      {"division", "integer division by zero"},
      {"conversion", "1e+30 does not fit integer"},
      {"overflow", "2000000 * -2000 does not fit integer"},
      {"shape", "a[] has extent 3 in dimension 2, but b[] has extent 4"},
      {"memory", "out of memory: variable table needs 1152921504606846976 "
                 "bytes"}};
  for (const auto &[what, message] : cases)
    for (int who : {0, 2})
      for (const std::string &command :
           starts(Checks, "--fail=" + std::string(what) +
                              " --who=" + std::to_string(who))) {
        bool alone = command.starts_with(Checks + " --");
        if (alone && who > 0)
          continue;
        Result result = run(command + " 2>&1");
        EXPECT_EQ(result.status, 1) << command;
        std::string rank =
            alone ? "" : " [rank " + std::to_string(who) + " of 3]";
        EXPECT_EQ(result.output, "HandChecks: checks.z:7:3: error: " +
                                     std::string(message) + rank + "\n")
            << command;
      }
}

TEST(HandChecks, AnErrorOfAllProcessorsIsToldOnce) {
  for (const std::string &command : starts(Checks, "--fail=everybody")) {
    Result result = run(command + " 2>&1");
    EXPECT_EQ(result.status, 1) << command;
    EXPECT_EQ(result.output.find("error: integer division by zero"),
              result.output.rfind("error: "))
        << result.output;
  }
}

TEST(HandSparse, AgreesWithTheGlobalModelOnEveryGridAndTransport) {
  for (const char *options :
       {"--seed=1", "--seed=2", "--seed=3", "--seed=1 --scattered=true",
        "--seed=2 --scattered=true"}) {
    std::string program = SparseProgram + " " + options + " 2>/dev/null";
    EXPECT_NE(run(program).output.find("0 mistakes\n"), std::string::npos);
    expectSameBytes(program);
  }
}

TEST(HandSparse, ErrorsNameIndexArrayAndRegionOnce) {
  struct {
    const char *what, *message;
  } cases[] = {
      {"store", "A is written at index (3, 2), which A does not store: its "
                "region S is sparse"},
      {"added", "index (6, 7) is added to region S, whose bounds are [1..6, "
                "1..6]"},
      {"unset", "region S has no pattern yet: it was declared with '?'"},
      {"nested", "region S is being modified already, since sparse.z:1:1"},
      {"outside", "D@east reads outside D: at (6, 6), an index of region S, it "
                  "is (6, 7), and D is declared over [1..6, 1..6]"},
      {"mapped", "D#[, A] reaches outside D: map 2 is 0 at (1, 1), but D is "
                 "declared over [1..6, 1..6]"}};
  for (const auto &[what, message] : cases)
    for (const std::string &command :
         starts(SparseProgram, std::string("--wrong=") + what)) {
      Result result = run(command + " 2>&1");
      EXPECT_EQ(result.status, 1) << command;
      // A second line, of the processor, depends on how many there are.
      std::string first = result.output.substr(0, result.output.find('\n'));
      EXPECT_EQ(first,
                "HandSparse: sparse.z:1:1: error: " + std::string(message))
          << command;
    }
}

} // namespace
