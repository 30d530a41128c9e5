//===- Fit.cpp - Models from measurements ---------------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The steps between samples and a model that is worth its name: values of the
// terms at each sample, the solution (Solve.cpp), coefficients and ranges into
// the model; then the error on samples that the fit has not seen. An error on
// its own samples says little: terms enough fit anything.
//
//===----------------------------------------------------------------------===//

#include "zpl/Cost/Fit.h"
#include "zpl/Cost/Statistics.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <cmath>
#include <limits>

using namespace llvm;

namespace zpl {

/// The equations of samples; nothing where a term has no value.
static std::optional<Equations> equationsOf(const Model &model,
                                            const ModelSet &models,
                                            ArrayRef<Sample> samples,
                                            std::string &error) {
  Equations equations;
  equations.terms = unsigned(model.terms.size());
  for (const Sample &sample : samples) {
    std::string problem;
    auto values = models.termValues(model, sample.inputs, problem);
    if (!values) {
      error = "model '" + model.name + "': " + problem;
      return std::nullopt;
    }
    equations.values.insert(equations.values.end(), values->begin(),
                            values->end());
    equations.costs.push_back(sample.cost);
    equations.spreads.push_back(sample.spread);
  }
  return equations;
}

/// The ranges of the inputs of samples.
static std::vector<InputRange> rangesOf(ArrayRef<Sample> samples) {
  std::vector<InputRange> ranges;
  for (double input : samples.front().inputs)
    ranges.push_back({input, input});
  for (const Sample &sample : samples)
    for (auto [range, input] : zip(ranges, sample.inputs))
      range = {std::min(range.least, input), std::max(range.most, input)};
  return ranges;
}

std::optional<Solution> fit(Model &model, const ModelSet &models,
                            ArrayRef<Sample> samples, const FitOptions &options,
                            std::string &error) {
  auto equations = equationsOf(model, models, samples, error);
  if (!equations)
    return std::nullopt;
  auto solution = solve(*equations, options, error);
  if (!solution) {
    error = "model '" + model.name + "': " + error;
    return std::nullopt;
  }
  for (auto [index, term] : enumerate(model.terms)) {
    term.coefficient = solution->coefficients[index];
    term.halfWidth = solution->halfWidths[index];
  }
  model.ranges = rangesOf(samples);
  model.samples = unsigned(samples.size());
  return solution;
}

double verify(Model &model, const ModelSet &models, ArrayRef<Sample> samples) {
  std::vector<double> costs, predictions;
  for (const Sample &sample : samples) {
    Prediction prediction = models.predict(model, sample.inputs);
    costs.push_back(sample.cost);
    predictions.push_back(prediction.cost);
  }
  // What nothing has verified is not verified.
  bool isFinite = !samples.empty() && all_of(predictions, [](double cost) {
    return std::isfinite(cost);
  });
  model.meanRelativeError = isFinite ? meanRelativeError(costs, predictions)
                                     : std::numeric_limits<double>::infinity();
  return model.meanRelativeError;
}

} // namespace zpl
