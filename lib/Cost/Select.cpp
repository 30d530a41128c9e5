//===- Select.cpp - The cheapest of several ways --------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All models are evaluated and the least prediction wins:
//
//     radix with 4 bits 41.6 ms, radix with 10 bits 21.9 ms (chosen), ...
//
// A prediction that had to be raised to a physical bound is one that a model
// makes far from its samples; it wins only if there is no other. Linear in
// alternatives.
//
//===----------------------------------------------------------------------===//

#include "zpl/Cost/Select.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include <cassert>
#include <cmath>

using namespace llvm;

namespace zpl {

/// Half of the width of what a prediction may be.
static double uncertainty(const ModelSet &models, const Alternative &way,
                          const Prediction &prediction, double error) {
  const Model *model = models.find(way.model);
  double relative = error + (model ? model->meanRelativeError : 0);
  return prediction.halfWidth + relative * prediction.cost;
}

Choice select(const ModelSet &models, ArrayRef<Alternative> alternatives,
              double error) {
  assert(!alternatives.empty() && "nothing to choose from");
  Choice choice;
  for (const Alternative &way : alternatives)
    choice.predictions.push_back(models.predict(way.model, way.inputs));
  auto isBetter = [&](unsigned a, unsigned b) {
    const Prediction &first = choice.predictions[a];
    const Prediction &second = choice.predictions[b];
    bool isFirst = first.isTrusted() && std::isfinite(first.cost);
    bool isSecond = second.isTrusted() && std::isfinite(second.cost);
    return isFirst != isSecond ? isFirst : first.cost < second.cost;
  };
  for (unsigned way = 1; way < alternatives.size(); ++way)
    if (isBetter(way, choice.chosen))
      choice.chosen = way;
  const Prediction &best = choice.predictions[choice.chosen];
  double most =
      best.cost + uncertainty(models, alternatives[choice.chosen], best, error);
  for (unsigned way = 0; way < alternatives.size(); ++way) {
    const Prediction &other = choice.predictions[way];
    if (way != choice.chosen && other.isTrusted() &&
        std::isfinite(other.cost) &&
        other.cost - uncertainty(models, alternatives[way], other, error) <=
            most)
      choice.close.push_back(way);
  }
  return choice;
}

std::string secondsText(double seconds) {
  static constexpr struct {
    double unit;
    const char *name;
  } Units[] = {{1, "s"}, {1e-3, "ms"}, {1e-6, "us"}, {1e-9, "ns"}};
  std::string text;
  raw_string_ostream os(text);
  const auto *unit = find_if(
      Units, [&](const auto &u) { return std::abs(seconds) >= u.unit; });
  if (unit == std::end(Units))
    --unit;
  os << format("%.3g %s", seconds / unit->unit, unit->name);
  return text;
}

std::string describe(ArrayRef<Alternative> alternatives, const Choice &choice) {
  std::string text;
  for (auto [number, way] : enumerate(alternatives)) {
    const Prediction &prediction = choice.predictions[number];
    text += (number ? ", " : "") + way.name + " ";
    if (!prediction.problem.empty())
      text += "unknown: " + prediction.problem;
    else
      text += std::isfinite(prediction.cost) ? secondsText(prediction.cost)
                                             : "impossible";
    if (number == choice.chosen)
      text += " (chosen)";
  }
  return text;
}

} // namespace zpl
