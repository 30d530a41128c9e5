//===- FuseLoops.h - Neighbouring M-loops in one sweep ----------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_TRANSFORMS_LOOPS_FUSELOOPS_H
#define ZPL_LIB_TRANSFORMS_LOOPS_FUSELOOPS_H

#include "zpl/Transforms/PassContext.h"

namespace zpl::air {

/// Puts the body of an M-loop after that of the one before it, so that arrays
/// they share are read from memory once. Where it overwrites what that one
/// reads around each index, loops go in directions in which all of that lies
/// ahead (LoopDirections.h), or it becomes a delayed part.
///
///     [R] New := (A@west + A@east) / 2;      one sweep over A and New
///     [R] delta := max<< fabs(A - New);  =>  instead of three
///     [R] A := New;                          (this one a row behind)
///
/// Form: Loop -> Loop.
/// Needs: no walkers yet; loops that have some are left alone.
/// Keeps: that every shifted element is preceded by its transfer. SV points of
/// arrays that the second loop stores move in front of the fused loop.
/// What stands between the loops and the second one needs moves in front of
/// both if it can: regions, allocations, checks, views, transfers, shifts,
/// floods. Refuses when the second loop reads at another index what the first
/// one stores; when it stores what the first one reads at another index and
/// there are no rows to delay it by (also: strided ones), or the delay would be
/// more than 16; when one of them accumulates into elements, each for many
/// indices, of an array that the other one touches; when a statement in between
/// must stay there; and in procedures whose arrays may alias. Each refusal is a
/// remark. Loops over regions that are not known to be equal, or without an
/// array in common, are no candidates. See dissertation 4.5 and
/// docs/ArrayIR.md, "Passes".
void fuseLoops(Module &module, PassContext &context);

} // namespace zpl::air

#endif // ZPL_LIB_TRANSFORMS_LOOPS_FUSELOOPS_H
