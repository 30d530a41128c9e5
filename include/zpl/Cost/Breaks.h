//===- Breaks.h - Where a cost changes its slope ----------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_COST_BREAKS_H
#define ZPL_COST_BREAKS_H

#include "zpl/Cost/Fit.h"

namespace zpl {

/// Adds terms to \p model where \p samples show that the cost jumps or changes
/// its slope along the input of this number: `x > b`, `max(0, x - b)`, each as
/// it is and, for other inputs, times \p factors (formulas over the model's
/// names; "1" for none). At most \p most terms, of which each lowers a
/// criterion that weighs errors against the number of terms (AICc). The model
/// is not fitted.
void addBreaks(Model &model, const ModelSet &models,
               llvm::ArrayRef<Sample> samples, unsigned input,
               llvm::ArrayRef<std::string> factors, unsigned most);

} // namespace zpl

#endif // ZPL_COST_BREAKS_H
