//===- JamLoops.h - Several iterations in one sweep -------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_TRANSFORMS_LOOPS_JAM_JAMLOOPS_H
#define ZPL_LIB_TRANSFORMS_LOOPS_JAM_JAMLOOPS_H

#include "zpl/Transforms/PassContext.h"

namespace zpl::air {

/// Runs four iterations of a `for` loop at a time in one M-loop ("unroll and
/// jam"), where each of them updates the same array from floods: the array is
/// read from memory and written back once instead of four times.
///
///     for k := 1 to n do                       a product of matrices (SUMMA)
///       [R] C += (>>[ , k] A) * (>>[k, ] B);   by four columns and rows at a
///     end;                                     time
///
/// Form: Loop -> Loop.
/// Needs: no walkers yet.
/// Keeps: the order in which each element is updated, so every bit.
/// Refuses variables that may have another name, bodies that are more than
/// regions, checks, floods and one M-loop of updates over a region that the
/// loop does not change, loops that do not step up by 1, and those that store
/// what the floods read.
void jamLoops(Module &module, PassContext &context);

} // namespace zpl::air

#endif // ZPL_LIB_TRANSFORMS_LOOPS_JAM_JAMLOOPS_H
