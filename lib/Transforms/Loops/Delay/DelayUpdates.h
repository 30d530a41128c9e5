//===- DelayUpdates.h - Updates of a matrix that wait -----------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_TRANSFORMS_LOOPS_DELAY_DELAYUPDATES_H
#define ZPL_LIB_TRANSFORMS_LOOPS_DELAY_DELAYUPDATES_H

#include "zpl/ArrayIR/ArrayIR.h"
#include "zpl/Transforms/PassContext.h"

namespace zpl::air {

/// Lets updates of a matrix by a row and a column of itself wait until there
/// are many, which one sweep does:
///
///     for k := 1 to n do
///       [k+1..n, k] A /= >>[k, k] A;
///       [k+1..n, k+1..n] A -= (>>[ , k] A) * (>>[k, ] A);
///     end;
///
/// Rows and columns that the loop reads or writes meanwhile are brought up to
/// date before.
///
/// Form: Loop -> Loop.
/// Needs: no walkers yet.
/// Keeps: the order in which each element is updated, so every bit.
/// Refuses loops that read or write more of the matrix than rows and columns,
/// by shifts, calls or files, those that are left by `exit` or `return`, and
/// regions of the update that change otherwise than from k, or k + 1, on.
void delayUpdates(Module &module, PassContext &context);

} // namespace zpl::air

#endif // ZPL_LIB_TRANSFORMS_LOOPS_DELAY_DELAYUPDATES_H
