//===- FormulaTest.cpp - Formulas that are put together -------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is equal by adding up has one text, numbers are computed, and texts are
// what Expression reads.
//
//===----------------------------------------------------------------------===//

#include "CostModel/Formula.h"

#include "CostModel/Values.h"
#include "zpl/Cost/Expression.h"

#include <gtest/gtest.h>

using namespace zpl::costmodel;

namespace {

const Formula n = Formula::name("n"), k = Formula::name("k@7");

TEST(Formula, SumsThatAreEqualHaveOneText) {
  EXPECT_EQ((n - (k + 1) + 1).text(), "n - k@7");
  EXPECT_EQ((n + 1 - 0 + 1).text(), "n + 2");
  EXPECT_EQ((n - n).text(), "0");
  EXPECT_EQ((2 * (n + k) - n - 2 * k).text(), "n");
  EXPECT_EQ((0 - n).text(), "-n");
}

TEST(Formula, ProductsCollectNumbers) {
  EXPECT_EQ((8 * n * n).text(), "8*n*n");
  EXPECT_EQ((n * (2 * k) * 3).text(), "6*k@7*n");
  EXPECT_EQ(((n - 1) * k).text(), "k@7*(n - 1)");
  EXPECT_EQ((n * 0).text(), "0");
}

TEST(Formula, QuotientsAreRounded) {
  EXPECT_EQ(quotient(7, 2).text(), "3");
  EXPECT_EQ(quotient(n, 2).text(), "floor(n/2)");
  EXPECT_EQ(quotient(n - 1, 1).text(), "n - 1");
  EXPECT_EQ(quotient(n, k).replace("k@7", 1).text(), "n");
  EXPECT_EQ(quotient(n, 3).replace("n", 10).text(), "3");
}

TEST(Formula, KnowsSignsOfPowers) {
  Formula power = Formula::apply("pow2", {n});
  EXPECT_EQ(power.sign(), 1);
  EXPECT_EQ((0 - power).sign(), -1);
  EXPECT_EQ((3 * power + 1).sign(), 1);
  EXPECT_EQ(n.sign(), 0);
  EXPECT_EQ((power - 1).sign(), 0);
}

TEST(Formula, IsWhatExpressionsRead) {
  Formula f = Formula::apply("max", {n - 1, 0}) * (k + 2) +
              Formula::apply("<", {k, n}) - quotient(n * n, k + 1);
  std::string error;
  auto parsed = zpl::Expression::parse(f.text(), {"n", "k@7"}, error);
  ASSERT_TRUE(parsed) << f.text() << ": " << error;
  for (double x : {1.0, 5.0, 17.0})
    for (double y : {0.0, 3.0, 20.0})
      EXPECT_EQ(parsed->evaluate({x, y}),
                f.replace("n", x).replace("k@7", y).number());
}

TEST(Values, OfALoopHoldForAllIndices) {
  zpl::air::Variable variable;
  Values values;
  values.set({&variable, {Formula(0)}}, 5);
  values.set({&variable, {k}}, n * k);
  values.endLoop("k@7");
  EXPECT_EQ(values.find({&variable, {n + 1}})->text(), "n*(n + 1)");
}

TEST(Values, ThatDependOnALoopAreForgotten) {
  zpl::air::Variable variable;
  Values values;
  values.set({&variable, {}}, k + 1);
  values.endLoop("k@7");
  EXPECT_FALSE(values.find({&variable, {}}));
}

TEST(Values, AreChosenByASubscript) {
  zpl::air::Variable variable;
  Values values;
  values.set({&variable, {Formula(0)}}, 32);
  values.set({&variable, {Formula(1)}}, 128);
  EXPECT_EQ(values.find({&variable, {Formula(1)}})->text(), "128");
  EXPECT_EQ(values.find({&variable, {n}})->replace("n", 0).text(), "32");
  EXPECT_EQ(values.find({&variable, {n}})->replace("n", 1).text(), "128");
}

TEST(Values, BehindAClobberAreUnknown) {
  zpl::air::Variable variable;
  Values values;
  values.set({&variable, {Formula(0)}}, 32);
  values.forget({&variable, {}});
  EXPECT_FALSE(values.find({&variable, {Formula(0)}}));
  values.set({&variable, {Formula(0)}}, 3);
  EXPECT_EQ(values.find({&variable, {Formula(0)}})->text(), "3");
}

} // namespace
