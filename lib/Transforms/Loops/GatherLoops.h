//===- GatherLoops.h - M-loops beside whose values they read ----*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_TRANSFORMS_LOOPS_GATHERLOOPS_H
#define ZPL_LIB_TRANSFORMS_LOOPS_GATHERLOOPS_H

#include "zpl/Transforms/PassContext.h"

namespace zpl::air {

/// Moves M-loops up to the loop over an equal region that stores what they
/// read, where other loops or combinations stand between that have nothing to
/// do with them.
///
///     mloop @R { store @F = ... }           mloop %V { store %T = f64 0.0 }
///     mloop %V { store %T = f64 0.0 }       mloop @R { store @F = ... }
///     mloop @R {                         => mloop @R {
///       accumulate sum %T, @F                 accumulate sum %T, @F
///     }                                     }
///
/// Form: Loop -> Loop.
/// Needs: no walkers, no delays yet.
/// Keeps: the order of all statements that depend on each other, and of all
/// that communicate.
/// Refuses where a transfer, a call, control flow or a dependence stands
/// between.
void gatherLoops(Module &module, PassContext &context);

} // namespace zpl::air

#endif // ZPL_LIB_TRANSFORMS_LOOPS_GATHERLOOPS_H
