//===- Model.cpp - Predictions of models ----------------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A prediction derives values from the inputs, tests the precondition, and sums
// coefficients times terms: tens of nanoseconds. What could go wrong does so in
// the prediction, never in the program: a formula without a value costs
// infinity and says why; one that falls below what is physically possible, as
// fitted formulas do far outside of their samples, is raised to the bound and
// marked, so that nobody chooses by it. (In the dissertation a model of strips
// becomes negative from 2154^2 elements on, and would always be chosen.)
//
// A model that is called is evaluated in the same way, to a depth that circles
// of calls reach soon.
//
//===----------------------------------------------------------------------===//

#include "zpl/Cost/Model.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"
#include <algorithm>
#include <cmath>
#include <limits>

using namespace llvm;

namespace zpl {

static constexpr double Infinity = std::numeric_limits<double>::infinity();
static constexpr unsigned MostCallsDeep = 16;

std::vector<std::string> Model::names() const {
  std::vector<std::string> all = inputs;
  for (const auto &[name, expression] : derived)
    all.push_back(name);
  return all;
}

void ModelSet::add(Model model) {
  std::string name = model.name;
  models.insert_or_assign(name, std::move(model));
}

const Model *ModelSet::find(StringRef name) const {
  auto found = models.find(name);
  return found == models.end() ? nullptr : &found->second;
}

std::vector<StringRef> ModelSet::names() const {
  std::vector<StringRef> all(models.keys().begin(), models.keys().end());
  llvm::sort(all);
  return all;
}

double ModelSet::call(StringRef name, ArrayRef<double> arguments,
                      std::string *problem, unsigned depth) const {
  const Model *model = find(name);
  Prediction result;
  if (!model)
    result.problem = ("there is no model '" + name + "'").str();
  else if (model->inputs.size() != arguments.size())
    result.problem = ("model '" + name + "' has other inputs").str();
  else if (depth == MostCallsDeep)
    result.problem = ("model '" + name + "' calls itself").str();
  else
    result = predict(*model, arguments, depth + 1);
  if (result.problem.empty())
    return result.cost;
  if (problem)
    *problem = result.problem;
  return std::numeric_limits<double>::quiet_NaN();
}

bool ModelSet::deriveValues(const Model &model, std::vector<double> &values,
                            std::string &problem, unsigned depth) const {
  auto caller = [&](StringRef name, ArrayRef<double> arguments,
                    std::string *why) {
    return call(name, arguments, why, depth);
  };
  for (const auto &[name, expression] : model.derived) {
    double value = expression.evaluate(values, caller, &problem);
    if (std::isnan(value))
      return false;
    values.push_back(value);
  }
  return true;
}

Prediction ModelSet::predict(const Model &model, ArrayRef<double> inputs,
                             unsigned depth) const {
  Prediction result;
  std::vector<double> values = inputs.vec();
  auto caller = [&](StringRef name, ArrayRef<double> arguments,
                    std::string *why) {
    return call(name, arguments, why, depth);
  };
  auto value = [&](const Expression &expression) {
    return expression.evaluate(values, caller, &result.problem);
  };
  bool holds = deriveValues(model, values, result.problem, depth);
  if (holds && model.where)
    holds = value(*model.where) != 0;
  double square = 0;
  if (holds)
    for (const Term &term : model.terms) {
      double x = value(term.expression);
      result.cost += term.coefficient * x;
      square += term.halfWidth * x * term.halfWidth * x;
    }
  double least = holds && model.least ? value(*model.least) : 0;
  if (!result.problem.empty())
    result.problem = "model '" + model.name + "': " + result.problem;
  if (!holds || !result.problem.empty()) {
    result.cost = Infinity;
    return result;
  }
  result.halfWidth = std::sqrt(square);
  result.isRaised = !(result.cost >= least);
  if (result.isRaised)
    result.cost = least;
  for (auto [range, input] : zip(model.ranges, inputs))
    result.isInRange &= range.least <= input && input <= range.most;
  return result;
}

Prediction ModelSet::predict(const Model &model,
                             ArrayRef<double> inputs) const {
  return predict(model, inputs, 0);
}

Prediction ModelSet::predict(StringRef name, ArrayRef<double> inputs) const {
  const Model *model = find(name);
  Prediction none;
  none.cost = Infinity;
  if (!model)
    none.problem = ("there is no model '" + name + "'").str();
  else if (model->inputs.size() != inputs.size())
    none.problem = ("model '" + name + "' has " + Twine(model->inputs.size()) +
                    " inputs, not " + Twine(inputs.size()))
                       .str();
  return none.problem.empty() ? predict(*model, inputs, 0) : none;
}

std::optional<std::vector<double>>
ModelSet::termValues(const Model &model, ArrayRef<double> inputs,
                     std::string &problem) const {
  std::vector<double> values = inputs.vec(), result;
  if (!deriveValues(model, values, problem, 0))
    return std::nullopt;
  auto caller = [&](StringRef name, ArrayRef<double> arguments,
                    std::string *why) { return call(name, arguments, why, 0); };
  for (const Term &term : model.terms) {
    result.push_back(term.expression.evaluate(values, caller, &problem));
    if (!std::isfinite(result.back())) {
      if (problem.empty())
        problem = ("term '" + term.expression.text() + "' is infinite").str();
      return std::nullopt;
    }
  }
  return result;
}

} // namespace zpl
