//===- Model.h - What something costs, as a formula -------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A model predicts a cost, mostly a time in seconds, as a linear combination
/// of terms:
///
///     radix(keys, bits, width, logp)
///       iter = ceil(width / bits)                  what is derived first
///       481 + 5.45 * iter + 6.41 * (keys * iter)   coefficients and terms
///       where keys >= 1                            else it costs infinity
///
/// Only the coefficients belong to a machine; Fit.h finds them.
///
//===----------------------------------------------------------------------===//

#ifndef ZPL_COST_MODEL_H
#define ZPL_COST_MODEL_H

#include "zpl/Cost/Expression.h"
#include "llvm/ADT/StringMap.h"
#include <optional>
#include <string>
#include <vector>

namespace zpl {

/// A term with what was fitted for it.
struct Term {
  Expression expression;  ///< over inputs and what is derived
  double coefficient = 0; ///< cost per unit of the expression
  double halfWidth = 0;   ///< of the 95 % confidence interval; 0: not fitted
};

/// The least and largest value of an input that a model was fitted for.
struct InputRange {
  double least = 0;
  double most = 0;
};

/// See \file.
struct Model {
  std::string name;
  std::vector<std::string> inputs;
  /// Names with their values; each may use the inputs and those before it.
  std::vector<std::pair<std::string, Expression>> derived;
  std::vector<Term> terms;
  std::optional<Expression> where; ///< false: it costs infinity
  std::optional<Expression> least; ///< what it costs at least
  std::vector<InputRange> ranges;  ///< one for each input, or empty: unknown
  double meanRelativeError = 0;    ///< on verification samples; 0.05: 5 %
  unsigned samples = 0;            ///< that it was fitted to

  /// Inputs, then the names of what is derived: what terms may use.
  std::vector<std::string> names() const;
};

/// Makes models from text, part by part, with one place for what is wrong.
class ModelBuilder {
public:
  ModelBuilder(llvm::StringRef name, std::vector<std::string> inputs);

  /// A name for the value of an expression.
  ModelBuilder &derive(llvm::StringRef name, llvm::StringRef expression);
  /// A term; its coefficient is in the unit of the model.
  ModelBuilder &term(llvm::StringRef expression, double coefficient = 0,
                     double halfWidth = 0);
  /// The precondition.
  ModelBuilder &where(llvm::StringRef expression);
  /// The physical bound below the predictions.
  ModelBuilder &least(llvm::StringRef expression);

  /// The model; nothing if a part of it was wrong: \p error says which one.
  std::optional<Model> take(std::string &error);

private:
  std::optional<Expression> parse(llvm::StringRef what,
                                  llvm::StringRef expression);
  Model model;
  std::string error;
};

/// What a model predicts.
struct Prediction {
  double cost = 0; ///< infinity: its precondition does not hold
  /// How far the true value of the fitted formula may be away, at 95 %.
  double halfWidth = 0;
  /// The inputs lie in the ranges that the model was fitted for.
  bool isInRange = true;
  /// The formula gave less than is possible; the cost is the bound.
  bool isRaised = false;
  /// Why it could not be evaluated; then the cost is infinity.
  std::string problem;

  /// Whether it is a number that one may choose by.
  bool isTrusted() const { return problem.empty() && !isRaised; }
};

/// Models by name, which may call each other.
class ModelSet {
public:
  /// Adds one, or replaces the one of its name.
  void add(Model model);

  /// The model, or null.
  const Model *find(llvm::StringRef name) const;

  /// The names of all of them, sorted.
  std::vector<llvm::StringRef> names() const;

  /// Whether every call is one of a model that is there, with as many arguments
  /// as it has inputs, and none leads back to its own model; else \p error
  /// says which one is not.
  bool check(std::string &error) const;

  /// The prediction of a model for inputs in its order. A set that check() has
  /// refused gives predictions with a problem, too.
  Prediction predict(llvm::StringRef name, llvm::ArrayRef<double> inputs) const;
  Prediction predict(const Model &model, llvm::ArrayRef<double> inputs) const;

  /// The values of a model's terms, without coefficients, and whether its
  /// precondition holds; nothing, with \p problem, where one has no value.
  std::optional<std::vector<double>> termValues(const Model &model,
                                                llvm::ArrayRef<double> inputs,
                                                std::string &problem) const;

private:
  Prediction predict(const Model &model, llvm::ArrayRef<double> inputs,
                     unsigned depth) const;
  double call(llvm::StringRef name, llvm::ArrayRef<double> arguments,
              std::string *problem, unsigned depth) const;
  bool deriveValues(const Model &model, std::vector<double> &values,
                    std::string &problem, unsigned depth) const;
  llvm::StringMap<Model> models;
};

} // namespace zpl

#endif // ZPL_COST_MODEL_H
