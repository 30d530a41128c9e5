//===- ModelTest.cpp - Predictions and choices ----------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Models that are wrong say so; predictions that cannot be made are infinite
// and have a reason; the choice is the cheapest that can be trusted.
//
//===----------------------------------------------------------------------===//

#include "zpl/Cost/Model.h"
#include "zpl/Cost/Select.h"

#include <gtest/gtest.h>

#include <cmath>

using namespace zpl;

namespace {

Model model(ModelBuilder builder) {
  std::string error;
  auto result = builder.take(error);
  EXPECT_TRUE(result) << error;
  return *result;
}

std::string errorOf(ModelBuilder builder) {
  std::string error;
  EXPECT_FALSE(builder.take(error));
  return error;
}

TEST(ModelBuilder, NamesThePartThatIsWrong) {
  EXPECT_EQ(errorOf(ModelBuilder("copy", {"n"}).term("m")),
            "model 'copy', term 'm': column 1: there is no input 'm'");
  EXPECT_EQ(errorOf(ModelBuilder("copy", {"n"}).where("n >")),
            "model 'copy', where 'n >': column 4: expected a number, a name or "
            "'('");
  EXPECT_EQ(errorOf(ModelBuilder("copy", {"n"}).derive("n", "1")),
            "model 'copy': 'n' is derived twice, or an input");
}

TEST(ModelSet, FindsCallsThatDoNotFit) {
  ModelSet models;
  std::string error;
  models.add(model(ModelBuilder("a", {"n"}).term("b(n)", 1)));
  EXPECT_FALSE(models.check(error));
  EXPECT_EQ(error, "model 'a' calls 'b', which is not there");
  models.add(model(ModelBuilder("b", {"n", "m"}).term("n", 1)));
  EXPECT_FALSE(models.check(error));
  EXPECT_EQ(error, "model 'a' calls 'b' with 1 arguments; it has 2 inputs");
  models.add(model(ModelBuilder("b", {"n"}).derive("x", "a(n)").term("x", 1)));
  EXPECT_FALSE(models.check(error));
  EXPECT_EQ(error, "models call each other in a circle: a -> b -> a");
  // Even so a prediction ends.
  EXPECT_NE(models.predict("a", {1.0}).problem, "");
  models.add(model(ModelBuilder("b", {"n"}).term("n", 1)));
  EXPECT_TRUE(models.check(error));
  EXPECT_EQ(models.predict("a", {3.0}).cost, 3);
}

TEST(ModelSet, PredictionsThatCannotBeMadeAreInfiniteAndSayWhy) {
  ModelSet models;
  models.add(model(ModelBuilder("m", {"n"}).term("1 / (n - 2)", 1)));
  Prediction none = models.predict("m", {2.0});
  EXPECT_TRUE(std::isinf(none.cost));
  EXPECT_EQ(none.problem, "model 'm': division by zero in '1 / (n - 2)'");
  EXPECT_EQ(models.predict("k", {2.0}).problem, "there is no model 'k'");
  EXPECT_EQ(models.predict("m", {2.0, 1.0}).problem,
            "model 'm' has 1 inputs, not 2");
  // A model that calls one without a value has none either.
  models.add(model(ModelBuilder("k", {"n"}).term("m(n)", 1)));
  EXPECT_EQ(models.predict("k", {2.0}).problem,
            "model 'k': model 'm': division by zero in '1 / (n - 2)'");
}

TEST(ModelSet, PreconditionsGoBeforeTerms) {
  ModelSet models;
  models.add(
      model(ModelBuilder("m", {"n"}).term("1 / (n - 2)", 1).where("n != 2")));
  Prediction none = models.predict("m", {2.0});
  EXPECT_TRUE(std::isinf(none.cost));
  EXPECT_EQ(none.problem, "");
}

TEST(ModelSet, KnowsWhatItWasNotFittedFor) {
  Model m = model(ModelBuilder("m", {"n"}).term("n", 2, 0.1));
  m.ranges = {{1, 100}};
  ModelSet models;
  models.add(m);
  EXPECT_TRUE(models.predict("m", {100.0}).isInRange);
  EXPECT_FALSE(models.predict("m", {101.0}).isInRange);
  EXPECT_NEAR(models.predict("m", {10.0}).halfWidth, 1, 1e-12);
}

TEST(Select, TakesTheCheapestAndTheFirstOfEqualOnes) {
  ModelSet models;
  models.add(model(ModelBuilder("line", {"n", "a"}).term("a", 1).term("n", 1)));
  const Alternative ways[] = {{"five", "line", {0, 5}},
                              {"three", "line", {1, 2}},
                              {"also three", "line", {2, 1}}};
  Choice choice = select(models, ways);
  EXPECT_EQ(choice.chosen, 1U);
  ASSERT_EQ(choice.close.size(), 1U);
  EXPECT_EQ(choice.close[0], 2U);
  EXPECT_EQ(describe(ways, choice),
            "five 5 s, three 3 s (chosen), also three 3 s");
}

TEST(Select, TellsWhatTheModelsCannotTellApart) {
  ModelSet models;
  Model m = model(ModelBuilder("m", {"n"}).term("n", 1));
  m.meanRelativeError = 0.1;
  models.add(m);
  const Alternative ways[] = {
      {"a", "m", {100}}, {"b", "m", {119}}, {"c", "m", {130}}};
  Choice choice = select(models, ways);
  EXPECT_EQ(choice.close, std::vector<unsigned>{1}); // 110 and 107.1; 117
}

TEST(Select, FallsBackWhereNothingCanBeTrusted) {
  ModelSet models;
  models.add(model(ModelBuilder("no", {"n"}).term("n", 1).where("n < 0")));
  models.add(model(ModelBuilder("low", {"n"}).term("n", -1).least("7")));
  models.add(model(ModelBuilder("high", {"n"}).term("n", 100)));
  const Alternative ways[] = {
      {"impossible", "no", {1}}, {"raised", "low", {1}}, {"sure", "high", {1}}};
  EXPECT_EQ(select(models, ways).chosen, 2U);
  EXPECT_EQ(select(models, llvm::ArrayRef(ways).take_front(2)).chosen, 1U);
  EXPECT_EQ(select(models, llvm::ArrayRef(ways).take_front(1)).chosen, 0U);
  EXPECT_EQ(describe(ways, select(models, ways)),
            "impossible impossible, raised 7 s, sure 100 s (chosen)");
}

TEST(SecondsText, HasUnits) {
  EXPECT_EQ(secondsText(2.5), "2.5 s");
  EXPECT_EQ(secondsText(0.0123), "12.3 ms");
  EXPECT_EQ(secondsText(1.5e-5), "15 us");
  EXPECT_EQ(secondsText(3e-10), "0.3 ns");
}

} // namespace
