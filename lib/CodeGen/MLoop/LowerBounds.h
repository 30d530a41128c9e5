//===- LowerBounds.h - M-loops: before the nest -----------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Which indices an M-loop runs over, and what it reads before it starts.
/// Except hoisted, all emit in front of the nest, in the order in which they
/// stand here; indices and steps are i64.
///
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_CODEGEN_MLOOP_LOWERBOUNDS_H
#define ZPL_LIB_CODEGEN_MLOOP_LOWERBOUNDS_H

#include "MLoop/MLoopState.h"

namespace zpl::codegen {

/// Reads the region's bounds into `regionLow` and `regionHigh`, in front of all
/// tiles. Only for loops in tiles, once.
void readRegion(MLoopState &m);

/// Sets `lo` and `hi` to the region's part of `own`, by default this
/// processor's block; in tiles also `stepsBefore`. An i1, whether there is one;
/// null if there is whatever this processor owns.
llvm::Value *clipBounds(MLoopState &m);

/// Moves `hi` of Strided dimensions to the last index, and sets `steps`,
/// `first` and, if the innermost loop counts, `lastCount`, the number of its
/// last step. The part has an index.
void countSteps(MLoopState &m);

/// Reads what the body reads and no index changes: bounds, variables, parts of
/// variables; tests subscripts. Scalars are not hoisted if the body passes a
/// variable by reference, which may be any of them; nor are C's if it calls
/// anything, for that may call C.
void hoistScalars(MLoopState &m);

/// A bound that hoistScalars has read; null if it has not.
llvm::Value *hoisted(const MLoopState &m, const air::Region *region,
                     unsigned dim, air::BoundExpr::Which which);

} // namespace zpl::codegen

#endif // ZPL_LIB_CODEGEN_MLOOP_LOWERBOUNDS_H
