//===- Solve.cpp - Weighted least squares ---------------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Rows of F (values of terms) and y (costs) are divided by weights w: costs
// over their mean, so that errors count as shares of the cost and the
// confidence intervals keep their meaning. Columns are scaled to length 1,
// since terms such as 1 and n^2 differ by many orders of magnitude. Of the
// decomposition U S V^T, singular values below 1e-10 of the largest are taken
// for zero: terms that depend on each other (length and length * 4) share their
// weight, where normal equations would have no solution.
//
//     b = V S^-1 U^T y      variance of b_i = SSE / (n - r) sum_j (V_ij / s_j)^2
//
// A half-width is Student's t times the root of the variance. While some
// |b_i| is below its half-width, the one with the least quotient goes, and the
// rest is solved again. Cost: n r^2 for each of at most r rounds.
//
//===----------------------------------------------------------------------===//

#include "zpl/Cost/Fit.h"
#include "zpl/Cost/Statistics.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"
#include <Eigen/SVD>
#include <algorithm>
#include <cmath>
#include <numeric>

using namespace llvm;

namespace zpl {

static constexpr double NoSingularValue = 1e-10;

/// One weight for each row; none, and an error, if a cost allows none.
static std::optional<std::vector<double>>
weightsOf(const Equations &equations, Weights kind, std::string &error) {
  if (kind == Weights::Absolute)
    return std::vector<double>(equations.costs.size(), 1);
  bool isRelative = kind == Weights::Relative;
  std::vector<double> weights =
      isRelative ? equations.costs : equations.spreads;
  if (weights.size() != equations.costs.size() ||
      any_of(weights, [](double w) { return !(w > 0); })) {
    error = isRelative ? "a sample costs nothing, so that no error is relative "
                         "to it"
                       : "a sample has no spread";
    return std::nullopt;
  }
  double mean = std::accumulate(weights.begin(), weights.end(), 0.0) /
                double(weights.size());
  for (double &weight : weights)
    weight /= mean;
  return weights;
}

/// Whether the equations can be solved at all.
static bool areSound(const Equations &equations, std::string &error) {
  size_t rows = equations.costs.size();
  assert(equations.values.size() == rows * equations.terms);
  if (equations.terms == 0)
    error = "there are no terms";
  else if (rows <= equations.terms)
    error = (Twine(rows) + " samples for " + Twine(equations.terms) + " terms")
                .str();
  else if (!all_of(equations.values, [](double v) { return std::isfinite(v); }))
    error = "a term has no finite value at a sample";
  else if (!all_of(equations.costs, [](double v) { return std::isfinite(v); }))
    error = "a sample has no finite cost";
  return error.empty();
}

namespace {

/// Least squares over some of the terms.
struct Round {
  Eigen::VectorXd coefficients, variances; ///< the latter per unit of SSE/(n-r)
  double squares = 0;                      ///< SSE, of weighted residuals
  unsigned rank = 0;
};

} // namespace

static Round solveFor(const Equations &equations, ArrayRef<double> weights,
                      ArrayRef<unsigned> kept) {
  auto rows = Eigen::Index(weights.size());
  auto columns = Eigen::Index(kept.size());
  Eigen::MatrixXd matrix(rows, columns);
  Eigen::VectorXd costs(rows);
  for (Eigen::Index row = 0; row < rows; ++row) {
    const double *values = &equations.values[size_t(row) * equations.terms];
    for (Eigen::Index column = 0; column < columns; ++column)
      matrix(row, column) = values[kept[size_t(column)]] / weights[size_t(row)];
    costs(row) = equations.costs[size_t(row)] / weights[size_t(row)];
  }
  Eigen::VectorXd scale = matrix.colwise().norm();
  scale = (scale.array() > 0).select(scale, 1.0);
  Eigen::MatrixXd scaled = matrix * scale.cwiseInverse().asDiagonal();
  Eigen::JacobiSVD<Eigen::MatrixXd> svd(scaled, Eigen::ComputeThinU |
                                                    Eigen::ComputeThinV);
  svd.setThreshold(NoSingularValue);
  Round round;
  round.rank = unsigned(svd.rank());
  auto rank = svd.rank();
  Eigen::MatrixXd inverse =
      svd.matrixV().leftCols(rank) *
      svd.singularValues().head(rank).cwiseInverse().asDiagonal(); // V S^-1
  round.coefficients =
      (inverse * (svd.matrixU().leftCols(rank).transpose() * costs))
          .cwiseQuotient(scale);
  round.variances =
      inverse.rowwise().squaredNorm().cwiseQuotient(scale.cwiseAbs2());
  round.squares = (costs - matrix * round.coefficients).squaredNorm();
  return round;
}

/// Writes what a round has found to the terms of the solution that are kept.
static void takeOver(const Round &round, ArrayRef<unsigned> kept, size_t rows,
                     double confidence, Solution &solution) {
  std::fill(solution.coefficients.begin(), solution.coefficients.end(), 0);
  std::fill(solution.halfWidths.begin(), solution.halfWidths.end(), 0);
  unsigned freedom = unsigned(rows) - round.rank;
  double t = studentT(confidence, freedom);
  for (size_t k = 0; k < kept.size(); ++k) {
    auto at = Eigen::Index(k);
    solution.coefficients[kept[k]] = round.coefficients(at);
    solution.halfWidths[kept[k]] =
        t * std::sqrt(round.squares / freedom * round.variances(at));
  }
  solution.rank = round.rank;
}

/// The place in \p kept of the term that is surest to be nothing; its end if
/// all are relevant.
static unsigned *leastRelevant(std::vector<unsigned> &kept,
                               const Solution &solution) {
  unsigned *least = kept.data() + kept.size();
  double smallest = 1;
  for (unsigned &term : kept) {
    double size = std::abs(solution.coefficients[term]);
    double halfWidth = solution.halfWidths[term];
    // Exact fits have half-widths of nothing but rounding errors.
    double ratio = halfWidth > 0 ? size / halfWidth : size > 0 ? 2 : 0;
    if (ratio <= smallest) {
      smallest = ratio;
      least = &term;
    }
  }
  return least;
}

/// Predictions, residuals and what they say of the whole.
static void judge(const Equations &equations, Solution &solution) {
  std::vector<double> predictions;
  for (size_t row = 0; row < equations.costs.size(); ++row) {
    const double *values = &equations.values[row * equations.terms];
    predictions.push_back(std::inner_product(
        values, values + equations.terms, solution.coefficients.begin(), 0.0));
    solution.residuals.push_back(equations.costs[row] - predictions.back());
  }
  solution.explained = explainedVariance(equations.costs, predictions);
  solution.meanRelativeError = meanRelativeError(equations.costs, predictions);
}

std::optional<Solution> solve(const Equations &equations,
                              const FitOptions &options, std::string &error) {
  error.clear();
  if (!areSound(equations, error))
    return std::nullopt;
  auto weights = weightsOf(equations, options.weights, error);
  if (!weights)
    return std::nullopt;
  Solution solution;
  solution.coefficients.assign(equations.terms, 0);
  solution.halfWidths.assign(equations.terms, 0);
  solution.isKept.assign(equations.terms, true);
  std::vector<unsigned> kept(equations.terms);
  std::iota(kept.begin(), kept.end(), 0);
  while (!kept.empty()) {
    takeOver(solveFor(equations, *weights, kept), kept, equations.costs.size(),
             options.confidence, solution);
    unsigned *least = leastRelevant(kept, solution);
    if (!options.dropsTerms || least == kept.data() + kept.size())
      break;
    solution.isKept[*least] = false;
    solution.coefficients[*least] = solution.halfWidths[*least] = 0;
    kept.erase(kept.begin() + (least - kept.data()));
  }
  judge(equations, solution);
  return solution;
}

} // namespace zpl
