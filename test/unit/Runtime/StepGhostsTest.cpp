//===- StepGhostsTest.cpp - How many time steps share an exchange ---------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Five points on 800 x 1000 doubles, a block of rows for each processor, most
// often of two: iterations are taken together if messages take longer than what
// is computed twice, or if the arrays come from memory each time.
//
//===----------------------------------------------------------------------===//

#include "Transfer/StepGhosts.h"
#include "Machine/MachineCache.h"
#include "Machine/RunFigures.h"
#include "TestTransport.h"

#include <gtest/gtest.h>

using namespace zrt;

namespace {

struct SeveralProcessors : TestTransport {
  int processors = 2;
  int size() const override { return processors; }
};

class StepsBetween : public testing::Test {
protected:
  void TearDown() override { figures(""); }

  static void figures(const std::string &text) {
    std::string error;
    ASSERT_TRUE(setRunFigures(text, error)) << error;
  }

  int64_t steps(int64_t rows, int64_t lastCache = int64_t(1) << 40) {
    ProcessGrid grid;
    grid.rank = 2;
    grid.extent[0] = transport.processors;
    Range bounds[] = {{0, 801}, {0, 1001}};
    Distribution distribution(grid, makeBox(2, bounds));
    zrt_region region = {};
    region.rank = 2;
    region.dim[0] = {1, rows, 1, 0};
    region.dim[1] = {1, 1000, 1, 0};
    loop.above[0] = loop.above[1] = loop.below[0] = loop.below[1] = 1;
    loop.in_flight = 3;
    loop.lag = 1;
    return stepsBetween({region, loop, &touched, 1}, distribution, transport,
                        RowBytes, {lastCache, lastCache});
  }

  static constexpr int64_t RowBytes = 8000;
  SeveralProcessors transport;
  zrt_time_loop loop = {};
  zrt_shift touched = {};
};

TEST_F(StepsBetween, NeedNothingBehindTheNextBlockWhereTheLoopWraps) {
  loop.forced = 9;
  EXPECT_EQ(steps(4), 9);
  loop.wraps = 1;
  touched.direction[0] = 1;
  EXPECT_EQ(steps(800), 9);
  EXPECT_EQ(steps(4), 4);
  touched.direction[0] = -3;
  EXPECT_EQ(steps(4), 2);
  touched.direction[0] = 5;
  EXPECT_EQ(steps(4), 1);
}

TEST_F(StepsBetween, AreOneWhereMessagesTakeNoTime) {
  figures("wave.other.message=0 collective.other.byte=0");
  EXPECT_EQ(steps(800), 1);
}

TEST_F(StepsBetween, AreAsManyAsThereMayBeWhereMessagesTakeAllTheTime) {
  figures("wave.other.message=1 steps.small=6");
  EXPECT_EQ(steps(800), 6);
}

TEST_F(StepsBetween, WeighMessagesAgainstWhatIsComputedTwice) {
  figures("wave.other.message=1e-7 steps.byte=1e-8 collective.other.byte=0");
  EXPECT_EQ(steps(800), 1);
  figures("wave.other.message=3e-4 steps.byte=1e-8 collective.other.byte=0");
  int64_t several = steps(800);
  EXPECT_GT(several, 1);
  EXPECT_LT(several, 8);
}

TEST_F(StepsBetween, AreSeveralWhereArraysComeFromMemory) {
  figures("wave.other.message=0 collective.other.byte=0 steps.small-bytes=0");
  EXPECT_EQ(steps(800, int64_t(1) << 30), 1);
  EXPECT_GT(steps(800, int64_t(8) << 20), 1);
}

TEST_F(StepsBetween, CountEachBlockThatTheyReach) {
  transport.processors = 134; // four to six rows each
  figures("wave.other.message=1 steps.small=8");
  EXPECT_GE(steps(800), 4);
  EXPECT_LE(steps(800), 6);
}

TEST_F(StepsBetween, AreThoseOfTheOptionWhateverTheModelSays) {
  figures("wave.other.message=0");
  loop.forced = 5;
  EXPECT_EQ(steps(800), 5);
}

TEST_F(StepsBetween, OfAnEmptyRegionAreOne) { EXPECT_EQ(steps(0), 1); }

TEST_F(StepsBetween, FollowFromTheSmallestBlockThatHasIndices) {
  figures("wave.other.message=1 steps.small=6");
  EXPECT_EQ(steps(3), 6);
}

/// Strips of loops on one processor: a cache of 1 MB, a last one of 32 MB.
static const Caches Small = {32 << 20, 1 << 20};

TEST(Strips, HaveTheRowsThatTheInnermostCacheHolds) {
  EXPECT_EQ(stripRows(4096, 1000, 1, Small), 6);
  EXPECT_EQ(stripRows(100 << 10, 1000, 1, Small), 1);
  EXPECT_EQ(stripRows(4096, 12, 1, Small), 0) << "all of it is in the cache";
  EXPECT_EQ(stripRows(4 << 20, 100, 3, Small), 0) << "no cache holds the rows";
}

TEST(Strips, TakeAsManyIterationsAsStayInACache) {
  zrt_time_loop loop = {};
  loop.in_flight = 2;
  loop.lag = 2;
  EXPECT_EQ(stripSteps(4096, 1000, loop, 2, Small), 16);
  EXPECT_EQ(stripSteps(64 << 10, 1000, loop, 2, Small), 4);
  EXPECT_EQ(stripSteps(4096, 200, loop, 2, Small), 1) << "within the caches";
  EXPECT_EQ(stripSteps(4096, 1000, loop, 1, Small), 1)
      << "one sweep, within the last cache";
  EXPECT_EQ(stripSteps(4096, 4000, loop, 1, Small), 16);
}

} // namespace
