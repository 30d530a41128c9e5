//===- InterleaveLoops.h - Loops in turn, box by box ------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_TRANSFORMS_LOOPS_INTERLEAVELOOPS_H
#define ZPL_LIB_TRANSFORMS_LOOPS_INTERLEAVELOOPS_H

#include "zpl/Transforms/PassContext.h"

namespace zpl::air {

/// Lets neighbouring M-loops over different regions go through the arrays they
/// share together: each does its part of a box of indices that stays in the
/// cache, then the next box comes.
///
///     [Coarse] begin                      interleave {
///       Fine += C;                          mloop %coarse { ... }
///       Fine@west += (C + C@west) / 2; =>   mloop %target { ... }
///     end;                                }
///
/// Form: Loop -> Loop.
/// Needs: no walkers yet; loops over equal regions have been fused.
/// Keeps: that every shifted element is preceded by its transfer.
/// For regions that share lines of memory: strided ones, and those that are one
/// region moved. What stands between the loops makes way as for fuse-loops.
/// Refuses when a loop reads at another index what another one stores, or does
/// so itself (delayed parts); when one accumulates, or calls procedures; over
/// flooded and grid dimensions; when a statement in between must stay there;
/// and in procedures whose arrays may alias. Each refusal is a remark. How
/// large the boxes are is the runtime's decision; one box is the loops as they
/// were. docs/ArrayIR.md, section 4.
void interleaveLoops(Module &module, PassContext &context);

} // namespace zpl::air

#endif // ZPL_LIB_TRANSFORMS_LOOPS_INTERLEAVELOOPS_H
