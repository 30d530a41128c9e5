//===- BoxConditions.h - What boxes tell of a condition ---------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_ANALYSIS_BOXCONDITIONS_H
#define ZPL_ANALYSIS_BOXCONDITIONS_H

#include "zpl/ArrayIR/Expressions.h"

namespace zpl::air {

/// Whether the condition of a `where each`, over a region whose last dimension is
/// \p last, reads elements of arrays.
bool readsElements(const Expr &condition);

/// Whether boxes or rows of indices tell something of where it is true, without
/// a look at each index, or it reads only arrays with less elements than there
/// are indices.
bool isFoundInBoxes(const Expr &condition, unsigned last);

} // namespace zpl::air

#endif // ZPL_ANALYSIS_BOXCONDITIONS_H
