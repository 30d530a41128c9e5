//===- FitTest.cpp - Coefficients from measurements -----------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The examples of Brewer's chapters 2 and 3 come out as he has them (or as
// they are, where a note says that he is wrong).
//
//===----------------------------------------------------------------------===//

#include "zpl/Cost/Fit.h"
#include "zpl/Cost/Breaks.h"
#include "zpl/Cost/Statistics.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

using namespace zpl;

namespace {

struct Points {
  std::vector<double> x, y;
};

/// Table 2-2: weight in 1000 lb, gallons per 100 miles.
const Points Mileage = {{3.4, 3.8, 4.1, 2.2, 2.6, 2.9, 2.0, 2.7, 1.9, 3.4},
                        {5.5, 5.9, 6.5, 3.3, 3.6, 4.6, 2.9, 3.6, 3.1, 4.9}};

Equations equationsOf(const Points &points, bool hasIntercept) {
  Equations equations;
  equations.terms = hasIntercept ? 2 : 1;
  for (double x : points.x) {
    if (hasIntercept)
      equations.values.push_back(1);
    equations.values.push_back(x);
  }
  equations.costs = points.y;
  return equations;
}

Solution solved(const Equations &equations, FitOptions options) {
  std::string error;
  auto solution = solve(equations, options, error);
  EXPECT_TRUE(solution) << error;
  return solution.value_or(Solution());
}

const FitOptions Absolute = {Weights::Absolute, 0.95, false};
const FitOptions Relative = {Weights::Relative, 0.95, false};

TEST(StudentT, AgreesWithTables) {
  EXPECT_NEAR(studentT(0.95, 1), 12.7062, 1e-4);
  EXPECT_NEAR(studentT(0.95, 2), 4.3027, 1e-4);
  EXPECT_NEAR(studentT(0.95, 8), 2.3060, 1e-4);
  EXPECT_NEAR(studentT(0.95, 9), 2.2622, 1e-4);
  EXPECT_NEAR(studentT(0.90, 8), 1.8595, 1e-4);
  EXPECT_NEAR(studentT(0.99, 30), 2.7500, 1e-4);
  EXPECT_NEAR(studentT(0.95, 100000), 1.9600, 1e-4);
}

TEST(Solve, FindsTheMileageLine) {
  Solution line = solved(equationsOf(Mileage, true), Absolute);
  EXPECT_NEAR(line.coefficients[0], -0.3631, 1e-4);
  EXPECT_NEAR(line.coefficients[1], 1.6390, 1e-4);
  EXPECT_NEAR(line.explained, 0.9538, 1e-4);
  EXPECT_NEAR(line.meanRelativeError, 0.0528, 1e-4);
}

TEST(Solve, HasTheHalfWidthsOfNinetyPercent) {
  FitOptions options = {Weights::Absolute, 0.90, false};
  Solution line = solved(equationsOf(Mileage, true), options);
  EXPECT_NEAR(line.halfWidths[0], 0.709, 1e-3);
  EXPECT_NEAR(line.halfWidths[1], 0.237, 1e-3);
}

TEST(Solve, DropsTheInterceptThatMayBeNothing) {
  FitOptions options = {Weights::Absolute, 0.95, true};
  Solution line = solved(equationsOf(Mileage, true), options);
  EXPECT_FALSE(line.isKept[0]);
  EXPECT_EQ(line.coefficients[0], 0);
  EXPECT_EQ(line.halfWidths[0], 0);
  EXPECT_TRUE(line.isKept[1]);
  EXPECT_NEAR(line.coefficients[1], 1.5211, 1e-4);
  EXPECT_NEAR(line.meanRelativeError, 0.0581, 1e-4);
}

TEST(Solve, WeighsRelativeErrors) {
  Solution line = solved(equationsOf(Mileage, false), Relative);
  EXPECT_NEAR(line.coefficients[0], 1.4952, 1e-4);
  EXPECT_NEAR(line.meanRelativeError, 0.0579, 1e-4);
}

TEST(Solve, FitsAnscombesSetsAlikeButNotTheirErrors) {
  const std::vector<double> x = {10, 8, 13, 9, 11, 14, 6, 4, 12, 7, 5};
  const Points sets[] = {
      {x, {8.04, 6.95, 7.58, 8.81, 8.33, 9.96, 7.24, 4.26, 10.84, 4.82, 5.68}},
      {x, {9.14, 8.14, 8.74, 8.77, 9.26, 8.10, 6.13, 3.10, 9.13, 7.26, 4.74}},
      {x, {7.46, 6.77, 12.74, 7.11, 7.81, 8.84, 6.08, 5.39, 8.15, 6.42, 5.73}},
      {{8, 8, 8, 8, 8, 8, 8, 19, 8, 8, 8},
       {6.58, 5.76, 7.71, 8.84, 8.47, 7.04, 5.25, 12.50, 5.56, 7.91, 6.89}}};
  const double errors[] = {0.116, 0.148, 0.078, 0.130};
  for (int set = 0; set < 4; ++set) {
    Solution line = solved(equationsOf(sets[set], true), Absolute);
    EXPECT_NEAR(line.coefficients[0], 3.00, 0.01) << set;
    EXPECT_NEAR(line.coefficients[1], 0.500, 0.001) << set;
    EXPECT_NEAR(line.explained, 0.67, 0.01) << set;
    EXPECT_NEAR(line.meanRelativeError, errors[set], 5e-4) << set;
  }
}

/// Figure 3-7: seconds of CombineVector by length, on 16 processors.
const Points Lengths = {{1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048},
                        {.00005784, .00006927, .00008853, .00013707, .00023070,
                         .00042423, .00084327, .00167703, .00335283, .00669810,
                         .01339074, .02677662}};

Model lengthModel() {
  std::string error;
  auto model = ModelBuilder("combine", {"length", "logp"})
                   .term("1")
                   .term("length")
                   .term("logp")
                   .term("length * logp")
                   .take(error);
  EXPECT_TRUE(model) << error;
  return *model;
}

std::vector<Sample> samplesOf(const Points &points) {
  std::vector<Sample> samples;
  for (size_t k = 0; k < points.x.size(); ++k)
    samples.push_back({{points.x[k], 4}, points.y[k]});
  return samples;
}

TEST(Fit, SharesTheWeightOfTermsThatDependOnEachOther) {
  Model model = lengthModel();
  ModelSet none;
  std::string error;
  auto solution = fit(model, none, samplesOf(Lengths), {}, error);
  ASSERT_TRUE(solution) << error;
  EXPECT_EQ(solution->rank, 2U);
  for (const Term &term : model.terms)
    EXPECT_TRUE(std::isfinite(term.coefficient));
  EXPECT_LT(solution->meanRelativeError, 0.05);
  EXPECT_NEAR(none.predict(model, {{100, 4}}).cost, 100 * 13.07e-6 + 45e-6,
              1e-4);
  EXPECT_EQ(model.samples, 12U);
  EXPECT_EQ(model.ranges[0].least, 1);
  EXPECT_EQ(model.ranges[0].most, 2048);
}

TEST(Verify, FailsOnSamplesThatTheModelDoesNotDescribe) {
  Model model = lengthModel();
  ModelSet none;
  std::string error;
  ASSERT_TRUE(fit(model, none, samplesOf(Lengths), {}, error));
  EXPECT_LT(verify(model, none, samplesOf(Lengths)), LargeRelativeError);
  const Points printed = {
      {431, 71, 11252, 9383, 13144},
      {.00061532, .00010412, .01598114, .01332716, .01866778}};
  double mre = verify(model, none, samplesOf(printed));
  EXPECT_GT(mre, 7);
  EXPECT_LT(mre, 9);
  EXPECT_EQ(model.meanRelativeError, mre);
}

TEST(Fit, DropsTermsThatHaveNothingToDoWithTheCost) {
  std::mt19937_64 random(7);
  std::normal_distribution<double> noise(1, 0.01);
  std::string error;
  auto model = ModelBuilder("m", {"n", "p"})
                   .term("1")
                   .term("n")
                   .term("p")
                   .term("n * p")
                   .term("log2(p)")
                   .take(error);
  std::vector<Sample> training, others;
  for (double n : {1, 10, 100, 1000, 10000})
    for (double p : {1, 2, 4, 8, 16, 32})
      for (int repeat = 0; repeat < 2; ++repeat)
        training.push_back({{n, p}, (5 + 0.3 * n) * noise(random)});
  for (double n : {3, 70, 4000})
    others.push_back({{n, 5}, 5 + 0.3 * n});
  ModelSet none;
  auto solution = fit(*model, none, training, {}, error);
  ASSERT_TRUE(solution) << error;
  EXPECT_NEAR(model->terms[0].coefficient, 5, 0.05);
  EXPECT_NEAR(model->terms[1].coefficient, 0.3, 0.003);
  EXPECT_FALSE(solution->isKept[3]);
  EXPECT_LT(verify(*model, none, others), 0.01);
  EXPECT_GT(model->terms[1].halfWidth, 0);
  EXPECT_LT(model->terms[1].halfWidth, 0.003);
}

TEST(Solve, FitsBySpread) {
  // The point of a large spread hardly counts.
  Equations equations = equationsOf({{1, 2, 3, 4}, {2, 4, 6, 80}}, false);
  equations.spreads = {0.01, 0.01, 0.01, 100};
  FitOptions options = {Weights::Spread, 0.95, false};
  EXPECT_NEAR(solved(equations, options).coefficients[0], 2, 1e-4);
}

TEST(Solve, RefusesWhatHasNoSolution) {
  std::string error;
  EXPECT_FALSE(solve(equationsOf({{1, 2}, {1, 2}}, true), {}, error));
  EXPECT_EQ(error, "2 samples for 2 terms");
  EXPECT_FALSE(solve(equationsOf({{1, 2, 3}, {1, 0, 2}}, false), {}, error));
  EXPECT_EQ(error, "a sample costs nothing, so that no error is relative to "
                   "it");
  EXPECT_FALSE(solve(equationsOf({{1, NAN, 3}, {1, 1, 2}}, false), {}, error));
  EXPECT_EQ(error, "a term has no finite value at a sample");
  EXPECT_FALSE(
      solve(equationsOf({{1, 2, 3}, {1, INFINITY, 2}}, false), {}, error));
  EXPECT_EQ(error, "a sample has no finite cost");
}

/// A message whose protocol changes at 10000 bytes, and whose slope does at
/// 200000; with some noise.
double protocolCost(double bytes) {
  return 1e-6 + 1e-10 * bytes + (bytes > 10000 ? 3e-6 : 0) +
         (bytes > 200000 ? 2e-10 * (bytes - 200000) : 0);
}

TEST(AddBreaks, FindsJumpsAndSlopes) {
  std::mt19937_64 random(3);
  std::normal_distribution<double> noise(1, 0.01);
  std::string error;
  Model model =
      *ModelBuilder("message", {"bytes"}).term("1").term("bytes").take(error);
  ModelSet none;
  std::vector<Sample> training, others;
  for (double bytes = 1; bytes < 4e6; bytes *= 1.4)
    training.push_back({{bytes}, protocolCost(bytes) * noise(random)});
  for (double bytes = 3; bytes < 4e6; bytes *= 1.9)
    others.push_back({{bytes}, protocolCost(bytes)});
  Model plain = model;
  ASSERT_TRUE(fit(plain, none, training, {}, error)) << error;
  EXPECT_GT(verify(plain, none, others), 0.1);
  addBreaks(model, none, training, 0, {"1"}, 8);
  ASSERT_TRUE(fit(model, none, training, {}, error)) << error;
  EXPECT_LT(verify(model, none, others), 0.03);
  EXPECT_LE(model.terms.size(), 7U);
}

TEST(AddBreaks, LeavesStraightLinesAlone) {
  std::mt19937_64 random(3);
  std::normal_distribution<double> noise(1, 0.01);
  std::string error;
  Model model = *ModelBuilder("line", {"n"}).term("1").term("n").take(error);
  ModelSet none;
  std::vector<Sample> samples;
  for (double n = 1; n < 1e6; n *= 1.5)
    samples.push_back({{n}, (5 + 2 * n) * noise(random)});
  addBreaks(model, none, samples, 0, {"1"}, 8);
  EXPECT_LE(model.terms.size(), 4U); // a few at most, of noise
}

TEST(Fit, NamesTheModelWhoseTermsHaveNoValue) {
  std::string error;
  auto model = ModelBuilder("m", {"n"}).term("1 / n").take(error);
  ModelSet none;
  std::vector<Sample> samples = {{{1}, 1}, {{0}, 1}, {{2}, 1}};
  EXPECT_FALSE(fit(*model, none, samples, {}, error));
  EXPECT_EQ(error, "model 'm': division by zero in '1 / n'");
}

TEST(MeanRelativeError, IsAGeometricMean) {
  EXPECT_NEAR(meanRelativeError({1.0, 1.0}, {1.1, 0.8}),
              std::sqrt(1.1 * 1.2) - 1, 1e-12);
  EXPECT_EQ(meanRelativeError({}, {}), 0);
}

} // namespace
