//===- KeepWays.h - What is left to the run to choose -----------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_TRANSFORMS_LOOPS_KEEPWAYS_H
#define ZPL_LIB_TRANSFORMS_LOOPS_KEEPWAYS_H

#include "zpl/Transforms/PassContext.h"

namespace zpl::air {

/// Gives M-loops that stand in loops the ways (LoopWay) which the models cannot
/// tell from what they have chosen: the run measures and takes the best.
///
/// Form: Loop -> Loop. Does nothing without PassContext::tunes.
/// Needs: no walkers yet; M-loops otherwise in their final shape.
/// Refuses waves, joined loops, sparse regions, several rows at a time, and
/// code that would grow beyond `tune.code`.
void keepWays(Module &module, PassContext &context);

} // namespace zpl::air

#endif // ZPL_LIB_TRANSFORMS_LOOPS_KEEPWAYS_H
