//===- MergedPatterns.h - Conditions that name sparse regions ---*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_ARRAYGEN_OPERATORS_MERGEDPATTERNS_H
#define ZPL_LIB_ARRAYGEN_OPERATORS_MERGEDPATTERNS_H

#include "ProcedureState.h"

namespace zpl::arraygen {

/// A sparse region with the bounds of \p base and those of its indices where
/// \p pattern, a Boolean array expression over it, is true, if sparse regions in
/// the expression say enough of that; else null, and nothing is appended.
air::Region *mergedPattern(ProcedureState &p, const sema::Expr *pattern,
                           air::Region *base);

} // namespace zpl::arraygen

#endif // ZPL_LIB_ARRAYGEN_OPERATORS_MERGEDPATTERNS_H
