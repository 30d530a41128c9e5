//===- LowerSelection.h - Patterns of conditions on indices -----*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_CODEGEN_SPARSE_LOWERSELECTION_H
#define ZPL_LIB_CODEGEN_SPARSE_LOWERSELECTION_H

#include "Function/FunctionState.h"

namespace zpl::codegen {

/// What `@S = @R where each e` and its kin say. The values are addresses: of the
/// zrt_pattern pointer, of zrt_regions.
struct Selection {
  llvm::Value *place, *target;
  zrt_pattern_operator op;
  llvm::Value *from; ///< dense
  unsigned rank;
  const air::Expr *condition;
  SourceRange range;
};

/// Gives the region at \p selection.target, whose bounds are stored, the indices
/// where the condition is true.
void lowerSelection(FunctionState &fn, const Selection &selection);

/// The element at the index that is looked at, in its condition.
llvm::Value *readBesideIndices(FunctionState &fn,
                               const air::ElementExpr *element);

} // namespace zpl::codegen

#endif // ZPL_LIB_CODEGEN_SPARSE_LOWERSELECTION_H
