//===- Breaks.cpp - Where a cost changes its slope ------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Messages change their protocol, sweeps leave a cache, tables of pages are
// full: at sizes that nobody writes down, and that differ from one machine and
// one version of a library to the next.
//
//     bytes    ... 8192      12288 ...
//     us           1.26       4.39        bytes > 9948
//
// So terms are tried at the geometric means of neighbouring values of the
// input, and the one that explains the most is taken, as long as it is worth
// it: with n samples, k terms and weighted errors SSE,
//
//     AICc = n log(SSE / n) + 2 k + 2 k (k + 1) / (n - k - 1)
//
// must fall, with k counting a term twice: for its place and its coefficient. Relative weights, as in the fit. Cost: a least-squares problem for
// each candidate and term taken, some milliseconds for 40 samples; columns are
// made orthogonal to those that are taken once, so a candidate costs one
// product (orthogonal matching).
//
//===----------------------------------------------------------------------===//

#include "zpl/Cost/Breaks.h"
#include "llvm/ADT/STLExtras.h"
#include <Eigen/Core>
#include <cmath>
#include <set>

using namespace llvm;

namespace zpl {

namespace {

/// What is left of costs and candidates once the taken terms are out of them.
struct Candidate {
  Expression expression;
  Eigen::VectorXd column; ///< weighted
  double length = 0;      ///< before anything was taken out
};

} // namespace

static void takeOut(const Eigen::VectorXd &direction, Eigen::VectorXd &from) {
  double square = direction.squaredNorm();
  if (square > 0)
    from -= direction * (direction.dot(from) / square);
}

static double criterion(double squares, double samples, double terms) {
  if (samples - terms - 1 <= 0)
    return INFINITY;
  return samples * std::log(std::max(squares, 1e-300) / samples) + 2 * terms +
         2 * terms * (terms + 1) / (samples - terms - 1);
}

/// The weighted values of an expression; empty where it has none.
static Eigen::VectorXd columnOf(const Expression &expression,
                                const Model &model, const ModelSet &models,
                                ArrayRef<Sample> samples) {
  Model only = model;
  only.terms = {{expression}};
  Eigen::VectorXd column(Eigen::Index(samples.size()));
  for (auto [row, sample] : enumerate(samples)) {
    std::string problem;
    auto values = models.termValues(only, sample.inputs, problem);
    if (!values || !(sample.cost > 0))
      return {};
    column(Eigen::Index(row)) = values->front() / sample.cost;
  }
  return column;
}

/// Terms at all places between values of the input.
static std::vector<Candidate> candidatesOf(const Model &model,
                                           const ModelSet &models,
                                           ArrayRef<Sample> samples,
                                           unsigned input,
                                           ArrayRef<std::string> factors) {
  std::set<double> values;
  for (const Sample &sample : samples)
    values.insert(sample.inputs[input]);
  std::vector<Candidate> candidates;
  const std::string &x = model.inputs[input];
  auto add = [&](const std::string &text) {
    std::string error;
    auto expression = Expression::parse(text, model.names(), error);
    Eigen::VectorXd column = columnOf(*expression, model, models, samples);
    if (column.size() > 0)
      candidates.push_back({*expression, column, column.norm()});
  };
  double before = 0;
  for (double value : values) {
    if (before > 0) {
      std::string at = std::to_string(int64_t(std::sqrt(before * value)));
      for (const std::string &factor : factors) {
        std::string times = factor == "1" ? "" : factor + " * ";
        add(times + "(" + x + " > " + at + ")");
        add(times + "max(0, " + x + " - " + at + ")");
      }
    }
    before = value;
  }
  return candidates;
}

/// The candidate that takes the most from the residual; null if none can.
static Candidate *bestOf(std::vector<Candidate> &candidates,
                         const Eigen::VectorXd &residual) {
  Candidate *best = nullptr;
  double most = 0;
  for (Candidate &candidate : candidates) {
    double rest = candidate.column.norm();
    if (rest <= 1e-6 * candidate.length)
      continue; // the taken terms say it already
    double share = std::abs(candidate.column.dot(residual)) / rest;
    if (share > most) {
      most = share;
      best = &candidate;
    }
  }
  return best;
}

void addBreaks(Model &model, const ModelSet &models, ArrayRef<Sample> samples,
               unsigned input, ArrayRef<std::string> factors, unsigned most) {
  auto rows = Eigen::Index(samples.size());
  Eigen::VectorXd residual = Eigen::VectorXd::Ones(rows); // costs over weights
  auto candidates = candidatesOf(model, models, samples, input, factors);
  auto take = [&](const Eigen::VectorXd &direction) {
    takeOut(direction, residual);
    for (Candidate &candidate : candidates)
      takeOut(direction, candidate.column);
  };
  std::vector<Eigen::VectorXd> taken;
  for (const Term &term : model.terms) {
    auto column = columnOf(term.expression, model, models, samples);
    if (column.size() == 0)
      return;
    double length = column.norm();
    for (const Eigen::VectorXd &direction : taken)
      takeOut(direction, column);
    if (column.norm() <= 1e-9 * length)
      continue; // it depends on the others
    take(column);
    taken.push_back(column);
  }
  auto terms = double(taken.size());
  double value = criterion(residual.squaredNorm(), double(rows), terms);
  for (unsigned count = 0; count < most; ++count) {
    Candidate *best = bestOf(candidates, residual);
    if (!best)
      return;
    Eigen::VectorXd direction = best->column, rest = residual;
    takeOut(direction, rest);
    double next = criterion(rest.squaredNorm(), double(rows), terms + 2);
    if (!(next < value))
      return;
    value = next;
    terms += 2; // its place and its coefficient
    model.terms.push_back({best->expression});
    take(direction);
  }
}

} // namespace zpl
