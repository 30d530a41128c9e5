//===- PredictTest.cpp - Models in numbers --------------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Counts of transfers agree with closed forms, loops count as often as they run,
// and times follow LogGP.
//
//===----------------------------------------------------------------------===//

#include "Time.h"

#include <gtest/gtest.h>

#include <cmath>

using namespace predict;

namespace {

/// A model of a body; its config variables are n and verbose, its input is
/// iterations@3.
Model modelOf(const std::string &body) {
  std::string error;
  auto model = parseModel(R"({"format": "zpl-cost-model", "version": 1,
    "program": "p", "configs": [{"name": "n", "value": "8"},
    {"name": "verbose", "value": "0"}],
    "inputs": [{"name": "iterations@3", "value": "10"}], "derived": [],
    "ranks": [{"rank": 2, "waves": []}], "notes": [], "body": [
    {"kind": "region", "place": "p.z:1", "rank": 2,
     "region": [["1", "n"], ["1", "n"]]},)" +
                              body + "]}",
                          "p.cost", error);
  EXPECT_TRUE(model) << error;
  return model ? std::move(*model) : Model();
}

std::string transfer(const std::string &down, const std::string &along) {
  return R"({"kind": "transfer", "place": "p.z:5", "rank": 2,
    "region": [["1", "n"], ["1", "n"]], "items": [{"array": "A", "bytes": 8,
    "offset": [")" +
         down + "\", \"" + along +
         R"("], "declared": [["0", "n + 1"], ["0", "n + 1"]]}]})";
}

const char *const MLoop = R"({"kind": "m-loop", "place": "p.z:6", "rank": 2,
    "region": [["1", "n"], ["1", "n"]], "operations": 13, "bytes": 16})";

Evaluation evaluated(const Model &model, int processors,
                     std::map<std::string, double> values = {}) {
  Question question;
  question.processors = processors;
  question.values = std::move(values);
  std::string error;
  auto result = evaluate(model, question, {1000, 0.1}, error);
  EXPECT_TRUE(result) << error;
  return result ? std::move(*result) : Evaluation();
}

TEST(Evaluate, CountsNeighboursAsTheClosedFormDoes) {
  Model model = modelOf(transfer("-1", "0"));
  for (int p : {1, 2, 4, 6, 9, 16})
    for (double n : {20.0, 33.0}) {
      Evaluation e = evaluated(model, p, {{"n", n}});
      zrt::ProcessGrid grid;
      std::string error;
      ASSERT_TRUE(zrt::makeGrid({}, 2, p, grid, error));
      double rows = grid.extent[0], columns = grid.extent[1];
      EXPECT_EQ(e.messages, (rows - 1) * columns);
      EXPECT_EQ(e.bytes, 8 * n * (rows - 1));
    }
}

TEST(Evaluate, CountsCornersByThemselves) {
  // Two by two: above, beside, and one corner.
  Evaluation e = evaluated(modelOf(transfer("-1", "-1")), 4, {{"n", 10}});
  EXPECT_EQ(e.messages, 2 + 2 + 1);
}

TEST(Evaluate, LoopsCountAsOftenAsTheyRun) {
  std::string loop = R"({"kind": "repeat", "place": "p.z:3",
      "repeat": "iterations@3", "body": [)";
  Model model = modelOf(loop + transfer("1", "0") + "]}");
  EXPECT_EQ(evaluated(model, 2).messages, 10);
  EXPECT_EQ(evaluated(model, 2, {{"iterations@3", 500}}).messages, 500);
  EXPECT_EQ(evaluated(model, 2, {{"iterations@3", 0}}).messages, 0);
  Model branch = modelOf(R"({"kind": "if", "place": "p.z:3", "if": "verbose",
      "body": [)" + transfer("1", "0") +
                         "]}");
  EXPECT_EQ(evaluated(branch, 2).messages, 0);
  EXPECT_EQ(evaluated(branch, 2, {{"verbose", 1}}).messages, 1);
}

TEST(Evaluate, SumsOverIndicesThatRegionsDependOn) {
  // Rows k .. n of an n x n array: n + (n-1) + ... + 1 rows of n.
  Model model = modelOf(R"({"kind": "for", "place": "p.z:3", "for": "k@3",
      "from": "1", "to": "n", "step": "1", "body": [{"kind": "m-loop",
      "place": "p.z:4", "rank": 2, "region": [["k@3", "n"], ["1", "n"]],
      "operations": 1, "bytes": 8}]})");
  EXPECT_EQ(evaluated(model, 1, {{"n", 9}}).lines[0].operations, 9 * 45);
  // Of two processors the one with the last rows has most: all those of k <= 5
  // have 5 of it, the others n - k + 1.
  EXPECT_EQ(evaluated(model, 2, {{"n", 10}}).lines[0].operations,
            10 * (5 * 6 + 4 + 3 + 2 + 1));
}

TEST(Evaluate, LongLoopsAreSampledWell) {
  Model model = modelOf(R"({"kind": "for", "place": "p.z:3", "for": "k@3",
      "from": "1", "to": "n", "step": "1", "body": [{"kind": "m-loop",
      "place": "p.z:4", "rank": 2, "region": [["k@3", "n"], ["1", "n"]],
      "operations": 1, "bytes": 8}]})");
  Evaluation e = evaluated(model, 1, {{"n", 1e6}});
  EXPECT_TRUE(e.isSampled);
  double exact = 1e6 * (1e6 * (1e6 + 1) / 2);
  EXPECT_NEAR(e.lines[0].operations / exact, 1, 0.001);
}

TEST(Evaluate, RefusesWhatHasNoValue) {
  std::string error;
  Question question;
  Model model = modelOf(R"({"kind": "repeat", "place": "p.z:3",
      "repeat": "n/verbose", "body": [)" +
                        std::string(MLoop) + "]}");
  EXPECT_FALSE(evaluate(model, question, {1000, 0.1}, error));
  EXPECT_NE(error.find("p.z:3: 'n/verbose' has no value"), error.npos) << error;
  error.clear();
  question.processors = 1 << 20;
  EXPECT_FALSE(evaluate(model, question, {1000, 0.1}, error));
  EXPECT_NE(error.find("1 to 65536 processors"), error.npos) << error;
}

zrt::sim::Machine machine() {
  zrt::sim::Machine m;
  m.latency = 1e-6;
  m.send = 2e-6;
  m.receive = 3e-6;
  m.gap = 0;
  m.byte = 1e-9;
  m.hasProcessor = true;
  m.operation = 1e-9;
  m.memoryByte = 1e-10;
  return m;
}

TEST(Time, OfOneMessageIsThatOfLogGP) {
  // 2 x 1: one message of 8 n bytes goes down.
  Evaluation e = evaluated(modelOf(transfer("-1", "0")), 2, {{"n", 100}});
  ProgramTime time = timeOf(e, machine());
  EXPECT_NEAR(time.communicating, 1e-6 + 2e-6 + 3e-6 + 800e-9, 1e-12);
  EXPECT_EQ(time.computing, 0);
}

TEST(Time, OfComputingIsThatOfTheLargestBlock) {
  Evaluation e = evaluated(modelOf(MLoop), 3, {{"n", 10}});
  ProgramTime time = timeOf(e, machine());
  EXPECT_NEAR(time.computing, 4 * 10 * (13e-9 + 1.6e-9), 1e-15);
  EXPECT_NEAR(time.imbalance, 4 / (10 / 3.0), 1e-9);
}

TEST(Time, OfReductionsGrowsWithTheLogarithm) {
  Model model = modelOf(R"({"kind": "reduction", "place": "p.z:7",
      "members": "p", "payload": "8"})");
  double previous = 0;
  for (int p = 2; p <= 4096; p *= 2) {
    double now = timeOf(evaluated(model, p), machine()).communicating;
    if (previous > 0 && p > 4) {
      EXPECT_NEAR(now - previous, 6.012e-6, 1e-8) << p;
    }
    previous = now;
  }
}

} // namespace
