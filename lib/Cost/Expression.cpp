//===- Expression.cpp - The value of formulas -----------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Nodes stand in reverse Polish notation, so one loop over them with a stack of
// values evaluates a formula: a few nanoseconds a node. The first node without
// a value ends it, and its place in the text is what a message quotes:
//
//     n / (m - 1)  with m = 1:  "division by zero in 'n / (m - 1)'"
//
//===----------------------------------------------------------------------===//

#include "zpl/Cost/Expression.h"
#include "ParseExpression.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/Twine.h"
#include <algorithm>
#include <cmath>
#include <limits>

using namespace llvm;

namespace zpl {

static constexpr double NoValue = std::numeric_limits<double>::quiet_NaN();

std::optional<Expression> Expression::parse(StringRef text,
                                            ArrayRef<std::string> inputs,
                                            std::string &error) {
  Expression expression;
  expression.source = text.str();
  if (!parseFormula(expression.source, inputs, expression.nodes, error))
    return std::nullopt;
  return expression;
}

std::vector<std::pair<StringRef, unsigned>> Expression::calls() const {
  std::vector<std::pair<StringRef, unsigned>> found;
  for (const Node &node : nodes)
    if (node.op == Op::Call)
      found.emplace_back(node.model, node.operands);
  return found;
}

bool Expression::uses(unsigned input) const {
  return any_of(nodes, [&](const Node &node) {
    return node.op == Op::Input && node.input == input;
  });
}

/// The value of a node without calls; not a number where it has none.
static double valueOf(const Expression::Node &node, ArrayRef<double> inputs,
                      ArrayRef<double> x) {
  using Op = Expression::Op;
  switch (node.op) {
  case Op::Number:
    return node.number;
  case Op::Input:
    return inputs[node.input];
  case Op::Call:
    return NoValue;
  case Op::Negate:
    return -x[0];
  case Op::Add:
    return x[0] + x[1];
  case Op::Subtract:
    return x[0] - x[1];
  case Op::Multiply:
    return x[0] * x[1];
  case Op::Divide:
    return x[1] == 0 ? NoValue : x[0] / x[1];
  case Op::Less:
    return x[0] < x[1];
  case Op::LessEqual:
    return x[0] <= x[1];
  case Op::Equal:
    return x[0] == x[1];
  case Op::NotEqual:
    return x[0] != x[1];
  case Op::And:
    return x[0] != 0 && x[1] != 0;
  case Op::Or:
    return x[0] != 0 || x[1] != 0;
  case Op::Min:
    return *std::min_element(x.begin(), x.end());
  case Op::Max:
    return *std::max_element(x.begin(), x.end());
  case Op::Ceil:
    return std::ceil(x[0]);
  case Op::Floor:
    return std::floor(x[0]);
  case Op::Log2:
    return x[0] > 0 ? std::log2(x[0]) : NoValue;
  case Op::Pow2:
    return std::exp2(x[0]);
  }
  llvm_unreachable("all operations are listed");
}

/// Why a node has no value.
static StringRef reason(const Expression::Node &node) {
  if (node.op == Expression::Op::Divide)
    return "division by zero in '";
  if (node.op == Expression::Op::Log2)
    return "logarithm of what is not positive in '";
  return "no number comes out of '";
}

double Expression::evaluate(ArrayRef<double> inputs, CallModel call,
                            std::string *problem) const {
  SmallVector<double, 16> stack;
  for (const Node &node : nodes) {
    ArrayRef<double> operands = ArrayRef(stack).take_back(node.operands);
    bool isCall = node.op == Op::Call;
    double value = isCall ? call(node.model, operands, problem)
                          : valueOf(node, inputs, operands);
    if (std::isnan(value)) {
      if (problem && problem->empty())
        *problem =
            (reason(node) + StringRef(source).slice(node.begin, node.end) + "'")
                .str();
      return value;
    }
    stack.truncate(stack.size() - node.operands);
    stack.push_back(value);
  }
  return stack.back();
}

double Expression::evaluate(ArrayRef<double> inputs,
                            std::string *problem) const {
  return evaluate(
      inputs,
      [](StringRef model, ArrayRef<double>, std::string *why) {
        if (why)
          *why = ("there is no model '" + Twine(model) + "'").str();
        return NoValue;
      },
      problem);
}

} // namespace zpl
