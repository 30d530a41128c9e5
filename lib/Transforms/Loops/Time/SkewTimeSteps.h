//===- SkewTimeSteps.h - Several time steps in one sweep --------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_TRANSFORMS_LOOPS_TIME_SKEWTIMESTEPS_H
#define ZPL_LIB_TRANSFORMS_LOOPS_TIME_SKEWTIMESTEPS_H

#include "zpl/Transforms/PassContext.h"

namespace zpl::air {

/// Lets an M-loop execute several iterations of the `for` around it in one
/// sweep over memory, each some rows behind the one before ("time skewing").
///
///     for t := 1 to n do               arrays beyond the caches are read and
///       [R] New := (A@n + A@s) / 2;    written once for as many iterations as
///       [R] A := New;                  have their rows in the caches
///     end;
///
/// Form: Loop -> Loop.
/// Needs: no walkers yet; fused loops and contracted arrays.
/// Keeps: what each element is computed from, so every bit.
/// Refuses bodies that are more than regions, checks, transfers and one M-loop,
/// M-loops that reduce, call procedures with elements or read by maps, loops
/// whose variable is no integer of up to 32 bits or is a subscript in the
/// M-loop, and procedures whose arrays may alias. Each refusal of a stencil is
/// a remark. How many iterations it is the run decides, by the caches and, where
/// there are other processors, by what messages and computing beside the blocks
/// take. Transfers of what the M-loop reads become part of it: one exchange
/// serves all of these iterations.
/// See docs/ArrayIR.md, "Time steps".
void skewTimeSteps(Module &module, PassContext &context);

} // namespace zpl::air

#endif // ZPL_LIB_TRANSFORMS_LOOPS_TIME_SKEWTIMESTEPS_H
