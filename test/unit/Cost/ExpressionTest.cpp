//===- ExpressionTest.cpp - Formulas and their values ---------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Formulas have the values that they have in mathematics; what is no formula,
// or has no value, is told with its place.
//
//===----------------------------------------------------------------------===//

#include "zpl/Cost/Expression.h"

#include <gtest/gtest.h>

#include <cmath>

using zpl::Expression;

namespace {

const std::vector<std::string> Names = {"n", "p", "width"};

double value(const char *text, std::vector<double> inputs = {10, 4, 28}) {
  std::string error;
  auto expression = Expression::parse(text, Names, error);
  EXPECT_TRUE(expression) << text << ": " << error;
  return expression ? expression->evaluate(inputs) : NAN;
}

std::string errorOf(const std::string &text) {
  std::string error;
  EXPECT_FALSE(Expression::parse(text, Names, error)) << text;
  return error;
}

std::string problemOf(const char *text, std::vector<double> inputs) {
  std::string error, problem;
  auto expression = Expression::parse(text, Names, error);
  EXPECT_TRUE(std::isnan(expression->evaluate(inputs, &problem)));
  return problem;
}

TEST(Expression, OperatorsBindAsInMathematics) {
  EXPECT_EQ(value("2 + 3 * 4"), 14);
  EXPECT_EQ(value("(2 + 3) * 4"), 20);
  EXPECT_EQ(value("20 - 5 - 3"), 12);
  EXPECT_EQ(value("20 / 5 / 2"), 2);
  EXPECT_EQ(value("-2 * -3"), 6);
  EXPECT_EQ(value("2 - -n"), 12);
  EXPECT_EQ(value("1.5e2 + .5"), 150.5);
}

TEST(Expression, FunctionsRoundAndSelect) {
  EXPECT_EQ(value("ceil(width / 8) + floor(width / 8)"), 7);
  EXPECT_EQ(value("log2(p) + pow2(p)"), 18);
  EXPECT_EQ(value("min(n, p, width) + max(n, p, width)"), 32);
}

TEST(Expression, ComparisonsAreOneOrZero) {
  EXPECT_EQ(value("n > p"), 1);
  EXPECT_EQ(value("p > n"), 0);
  EXPECT_EQ(value("n >= 10"), 1);
  EXPECT_EQ(value("n < 10"), 0);
  EXPECT_EQ(value("n <= 9"), 0);
  EXPECT_EQ(value("n == 10"), 1);
  EXPECT_EQ(value("n != 10"), 0);
  EXPECT_EQ(value("(n > 8) * 5 + (n > 12) * 7"), 5);
  EXPECT_EQ(value("n > 8 and p > 8"), 0);
  EXPECT_EQ(value("n > 8 or p > 8 and width < 0"), 1);
  EXPECT_EQ(value("n - 10 >= p - 4 - 0 * width"), 1);
}

TEST(Expression, MistakesAreToldWithTheirColumn) {
  EXPECT_EQ(errorOf("n + m"), "column 5: there is no input 'm'");
  EXPECT_EQ(errorOf("n +"), "column 4: expected a number, a name or '('");
  EXPECT_EQ(errorOf(""), "column 1: expected a number, a name or '('");
  EXPECT_EQ(errorOf("(n"), "column 3: expected ')'");
  EXPECT_EQ(errorOf("min(n p)"), "column 7: expected ',' or ')'");
  EXPECT_EQ(errorOf("n p"),
            "column 3: expected an operator or the end, not 'p'");
  EXPECT_EQ(errorOf("min(n)"), "column 1: 'min' needs two operands or more");
  EXPECT_EQ(errorOf("ceil(n, p)"), "column 1: 'ceil' has one operand");
  EXPECT_EQ(errorOf("1e999"), "column 1: '1e999' is not a number");
  EXPECT_EQ(errorOf("1e"), "column 1: '1e' is not a number");
}

TEST(Expression, DeepNestingIsRefusedNotACrash) {
  std::string deep(100000, '(');
  EXPECT_NE(errorOf(deep).find("too many parentheses"), std::string::npos);
  std::string signs(100000, '-');
  EXPECT_NE(errorOf(signs + "n").find("too many"), std::string::npos);
}

TEST(Expression, WhatHasNoValueSaysWhere) {
  EXPECT_EQ(problemOf("1 + n / (p - 4)", {10, 4, 0}),
            "division by zero in 'n / (p - 4)'");
  EXPECT_EQ(problemOf("log2(n - 10)", {10, 4, 0}),
            "logarithm of what is not positive in 'log2(n - 10)'");
  EXPECT_EQ(problemOf("radix(n)", {10, 4, 0}), "there is no model 'radix'");
}

TEST(Expression, KnowsWhatItUses) {
  std::string error;
  auto expression = Expression::parse("n + radix(64, width)", Names, error);
  EXPECT_TRUE(expression->uses(0));
  EXPECT_FALSE(expression->uses(1));
  EXPECT_TRUE(expression->uses(2));
  auto calls = expression->calls();
  ASSERT_EQ(calls.size(), 1U);
  EXPECT_EQ(calls[0].first, "radix");
  EXPECT_EQ(calls[0].second, 2U);
}

} // namespace
