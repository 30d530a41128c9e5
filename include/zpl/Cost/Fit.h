//===- Fit.h - Coefficients from measurements -------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_COST_FIT_H
#define ZPL_COST_FIT_H

#include "zpl/Cost/Model.h"
#include "llvm/ADT/ArrayRef.h"
#include <optional>
#include <string>
#include <vector>

namespace zpl {

/// A measurement: what went in and what it cost.
struct Sample {
  std::vector<double> inputs;
  double cost = 0;
  double spread = 0; ///< standard deviation of the cost, where it was taken
};

/// Which errors count how much.
enum class Weights : uint8_t {
  Relative, ///< a percent of a short time as much as one of a long time
  Absolute, ///< a second as much as a second
  Spread    ///< by the spread of each sample
};

struct FitOptions {
  Weights weights = Weights::Relative;
  double confidence = 0.95; ///< of half-widths, and for terms to stay
  bool dropsTerms = true;   ///< those whose coefficients may as well be 0
};

/// Rows of values of terms, with what they cost: what is left of samples.
struct Equations {
  unsigned terms = 0;
  std::vector<double> values; ///< row by row
  std::vector<double> costs;
  std::vector<double> spreads = {}; ///< for Weights::Spread
};

/// A solution; its lists have an entry for each term.
struct Solution {
  std::vector<double> coefficients; ///< 0 for what was dropped
  std::vector<double> halfWidths;   ///< 0 as well
  std::vector<bool> isKept;
  std::vector<double> residuals; ///< cost less prediction, one for each row
  double explained = 0;          ///< R^2
  double meanRelativeError = 0;  ///< on the rows themselves
  /// Combinations of the kept terms that the rows tell apart; less than terms
  /// where some depend on each other.
  unsigned rank = 0;
};

/// Weighted least squares: coefficients for which the sum of squares of
/// (cost - prediction) / weight is least, by a singular-value decomposition, so
/// terms that depend on each other share their weight. Drops terms one by one,
/// the least sure one first, while a coefficient is smaller than its
/// half-width. Nothing if there are no more rows than terms, or a value is not
/// finite, or (unless absolute) a cost or spread is not positive; then \p error
/// says so.
std::optional<Solution> solve(const Equations &equations,
                              const FitOptions &options, std::string &error);

/// Sets coefficients, half-widths, ranges and the number of samples of \p model
/// from \p samples; models that it calls are those of \p models. Gives the
/// residuals and what else the solution has; nothing, and \p error, where
/// there is no solution. Then the model is unchanged.
std::optional<Solution> fit(Model &model, const ModelSet &models,
                            llvm::ArrayRef<Sample> samples,
                            const FitOptions &options, std::string &error);

/// The mean relative error of \p model on \p samples, which must not be those
/// that it was fitted to: stored in the model. Infinity where a sample cannot be
/// predicted, or there is none.
double verify(Model &model, const ModelSet &models,
              llvm::ArrayRef<Sample> samples);

/// More than this is worth a warning.
inline constexpr double LargeRelativeError = 0.10;

} // namespace zpl

#endif // ZPL_COST_FIT_H
