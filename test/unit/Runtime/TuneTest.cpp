//===- TuneTest.cpp - Ways that the run chooses among ---------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Entry/Tune/Trials.h"
#include "Entry/Tune/TuneFile.h"
#include "gtest/gtest.h"

#include <cmath>
#include <limits>

using namespace zrt;

namespace {

constexpr double Infinite = std::numeric_limits<double>::infinity();

/// Executions of way w take `seconds[w]` for an index; how many it takes until
/// the trials are settled.
int executionsUntilSettled(Trials &trials, const std::vector<double> &seconds,
                           double indices) {
  for (int count = 0; count < 100000; ++count) {
    if (trials.isSettled())
      return count;
    double one = seconds[static_cast<size_t>(trials.way())];
    trials.taken(one * indices, indices);
  }
  return -1;
}

TEST(Tune, TheFastestWayIsTaken) {
  Trials trials(3);
  EXPECT_GT(executionsUntilSettled(trials, {1e-9, 1.1e-9, 0.8e-9}, 1e5), 0);
  EXPECT_EQ(trials.way(), 2);
  EXPECT_NEAR(trials.seconds()[2], 0.8e-9, 1e-15);
}

TEST(Tune, TheModelsChoiceStaysUnlessAnotherOneIsClearlyFaster) {
  Trials trials(2);
  executionsUntilSettled(trials, {1e-9, 0.98e-9}, 1e6);
  EXPECT_EQ(trials.way(), 0);
  EXPECT_EQ(bestWay({1, 0.96}), 1);
  EXPECT_EQ(bestWay({1, Infinite}), 0);
}

TEST(Tune, TheFirstExecutionDoesNotCount) {
  Trials trials(2);
  trials.taken(1e-3, 1e9); // what it took would be the least
  executionsUntilSettled(trials, {1e-9, 0.5e-9}, 1e6);
  EXPECT_GT(trials.seconds()[0], 0.9e-9);
  EXPECT_EQ(trials.way(), 1);
}

TEST(Tune, TheLeastOfSeveralTurnsCounts) {
  Trials trials(2);
  int turn = 0;
  while (!trials.isSettled()) {
    // Every second round is disturbed, the slower way being lucky once.
    bool isDisturbed = turn++ / 2 % 2 == 0;
    double one = trials.way() == 1 ? 0.5e-9 : 1e-9;
    trials.taken((isDisturbed && trials.way() == 1 ? 1.25e-9 : one) * 1e6, 1e6);
  }
  EXPECT_EQ(trials.way(), 1);
}

TEST(Tune, RoundsGoOnWhileTimesDoNotAgree) {
  Trials trials(2);
  double noise = 3;
  int count = 0;
  for (; !trials.isSettled(); ++count) {
    noise *= 0.9; // the machine becomes quieter
    trials.taken((trials.way() ? 0.9e-9 : 1e-9) * (1 + noise) * 1e6, 1e6);
  }
  EXPECT_GT(count, 1 + 2 * 3);
  EXPECT_LE(count, 1 + 2 * 12);
  Trials quiet(2);
  EXPECT_EQ(executionsUntilSettled(quiet, {1e-9, 0.9e-9}, 1e6), 1 + 2 * 3);
}

TEST(Tune, ShortLoopsAreLeftToTheModels) {
  Trials trials(2);
  int count = executionsUntilSettled(trials, {1e-9, 1e-10}, 50);
  EXPECT_EQ(count, 257);
  EXPECT_EQ(trials.way(), 0);
  EXPECT_TRUE(std::isinf(trials.seconds()[0]));
}

TEST(Tune, AWayFarBehindIsTriedOnce) {
  Trials trials(2);
  int tried = 0;
  while (!trials.isSettled()) {
    tried += trials.way();
    trials.taken((trials.way() ? 5e-9 : 1e-9) * 1e6, 1e6);
  }
  EXPECT_EQ(tried, 1);
}

/// A program with a loop at p.z:7 and one at p.z:9.
class TuneFile : public testing::Test {
protected:
  zrt_loc first{"dir/p.z", 7, 1}, second{"dir/p.z", 9, 1};
  zrt_ways a{&first, "ahead afresh", 3, {}}, b{&second, "one-step", 2, {}};
  zrt_ways *table[2] = {&a, &b};
  zrt_program program{};
  MeasuredWays measured;
  std::string error;

  TuneFile() {
    program.name = "p";
    program.identity = "12ab";
    program.ways = table;
    program.way_count = 2;
  }
  bool read(const std::string &text) {
    return readTuneText(text, program, "m", measured, error);
  }
  static std::string head() {
    return "zpl-tune 1\nprogram p 12ab\nmachine m\n";
  }
};

TEST_F(TuneFile, WhatIsWrittenIsRead) {
  MeasuredWays all;
  all[{0, 2, 20}] = {0.5e-9, 0.25e-9, Infinite};
  all[{1, 1, 63}] = {3e-9, 4e-9};
  std::string text = tuneText(all, program, "m");
  EXPECT_EQ(text, head() +
                      "loop 0 p.z:7 processors 2 size 20 ns models 0.5 ahead "
                      "0.25\n"
                      "loop 1 p.z:9 processors 1 size 63 ns models 3 one-step "
                      "4\n");
  ASSERT_TRUE(read(text)) << error;
  EXPECT_EQ(tuneText(measured, program, "m"), text);
}

TEST_F(TuneFile, ForeignAndBrokenOnesAreRefusedAsAWhole) {
  std::string good = "loop 0 p.z:7 processors 1 size 20 ns models 1\n";
  auto refused = [&](const std::string &text) {
    EXPECT_FALSE(read(text));
    EXPECT_TRUE(measured.empty());
    return error;
  };
  EXPECT_EQ(refused(""), "it does not begin with 'zpl-tune 1'");
  EXPECT_EQ(refused("zpl-tune 2\n"), "it does not begin with 'zpl-tune 1'");
  EXPECT_EQ(refused("zpl-tune 1\nprogram p 12ac\nmachine m\n" + good),
            "it is of another program");
  EXPECT_EQ(refused("zpl-tune 1\nprogram p 12ab\nmachine n\n" + good),
            "it is of another machine; this one is m");
  EXPECT_EQ(refused(head() + good + "loop 2 p.z:7\n"),
            "line 5: a loop's number and place are missing");
  EXPECT_EQ(refused(head() + good + "loop 1 p.z:8 processors 1 size 1 ns\n"),
            "line 5: loop 1 is at p.z:9, not p.z:8");
  EXPECT_EQ(refused(head() + "loop 0 p.z:7 processors 1 size 64 ns models 1\n"),
            "line 4: expected 'processors P size S ns' and times");
  EXPECT_EQ(refused(head() + "loop 0 p.z:7 processors 1 size 1 ns models 1 "
                             "ahaed 2\n"),
            "line 4: there is no way 'ahaed'");
  EXPECT_EQ(refused(head() + "loop 0 p.z:7 processors 1 size 1 ns models -1\n"),
            "line 4: the way 'models' has no time");
  EXPECT_EQ(refused(head() + "loop 0 p.z:7 processors 1 size 1 ns ahead 1\n"),
            "line 4: the way 'models' has no time");
}

TEST_F(TuneFile, TheSlowestProcessorCounts) {
  measured[{0, 2, 20}] = {1, 2, Infinite};
  mergeMeasured(measured, {{{0, 2, 20}, {2, 1, 3}}, {{0, 2, 21}, {1, 1, 1}}});
  EXPECT_EQ((measured[{0, 2, 20}]), (std::vector<double>{2, 2, 3}));
  EXPECT_EQ(measured.size(), 2u);
}

} // namespace
