//===- SplitOperators.h - Floods and scans in two phases --------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_TRANSFORMS_COMMUNICATION_SPLITOPERATORS_H
#define ZPL_LIB_TRANSFORMS_COMMUNICATION_SPLITOPERATORS_H

#include "zpl/Transforms/PassContext.h"

namespace zpl::air {

/// Computes while elements are flooded, or the processors' parts of a scan are
/// on their way.
///
///     B := B * 2;                  the owner of row 1 of A sends it
///     C := (>>[1, ] A) * C;   =>   B := B * 2;
///                                  the row is there; C := row * C;
///
/// Form: Loop -> Loop.
/// Needs: that results are arrays of their own, as ArrayGen makes.
/// Keeps: the order of checks, and what can end a run before what cannot.
/// Refuses panels and scans with an operator of the program, and where nothing
/// that takes time comes between what the operator needs and the first use of
/// its result. Each refusal is a remark.
/// See Bigot, "pC*" (1996), 4.5 (split-phase completion) and docs/ArrayIR.md,
/// "Passes".
void splitOperators(Module &module, PassContext &context);

} // namespace zpl::air

#endif // ZPL_LIB_TRANSFORMS_COMMUNICATION_SPLITOPERATORS_H
