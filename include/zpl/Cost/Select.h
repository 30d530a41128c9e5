//===- Select.h - The cheapest of several ways ------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_COST_SELECT_H
#define ZPL_COST_SELECT_H

#include "zpl/Cost/Model.h"
#include <string>
#include <vector>

namespace zpl {

/// One way to do something: a model, with inputs of its own.
struct Alternative {
  std::string name;
  std::string model;
  std::vector<double> inputs;
};

/// What was chosen, and what all of them were predicted to cost.
struct Choice {
  unsigned chosen = 0; ///< its number
  std::vector<Prediction> predictions;
  /// Others whose intervals overlap that of the chosen one: the model cannot
  /// tell them apart, a measurement could.
  std::vector<unsigned> close;
};

/// The cheapest alternative whose prediction can be trusted; the first of equal
/// ones. If none is, the cheapest that is finite; if none of these, the first,
/// which must therefore be able to do everything. \p error is the mean relative
/// error within which predictions count as close, in addition to their
/// half-widths and the models' own errors. Requires an alternative.
Choice select(const ModelSet &models, llvm::ArrayRef<Alternative> alternatives,
              double error = 0);

/// "shifts 12.3 us (chosen), pairs 15 us, gather impossible": for remarks.
std::string describe(llvm::ArrayRef<Alternative> alternatives,
                     const Choice &choice);

/// A time for people: "12.3 us".
std::string secondsText(double seconds);

} // namespace zpl

#endif // ZPL_COST_SELECT_H
