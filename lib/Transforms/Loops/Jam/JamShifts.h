//===- JamShifts.h - Arrays that go round in a loop -------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_TRANSFORMS_LOOPS_JAM_JAMSHIFTS_H
#define ZPL_LIB_TRANSFORMS_LOOPS_JAM_JAMSHIFTS_H

#include "zpl/Transforms/PassContext.h"

namespace zpl::air {

/// Runs sixteen iterations of a `for` loop at a time where each moves whole
/// arrays round by a constant direction: they are read where their elements
/// are, and move once, by sixteen times as much.
///
///     for k := 1 to n do                       Cannon's product of matrices:
///       [RC] C += A * B;                       A and B are copied n / 16 times,
///       [RA] A := A@^[0, 1];                   C is swept over as often once
///       [RB] B := B@^[1, 0];                   fuse-loops has the updates
///     end;
///
/// Form: Block -> Block.
/// Needs: no transfers yet.
/// Keeps: the order in which each element is updated, so every bit.
/// Refuses bodies that are more than such moves, checks, and assignments of
/// other arrays without calls and elements at other indices, and all in a
/// procedure whose arrays may have other names; leaves regions that are small
/// for the directions, which the run knows.
void jamShifts(Module &module, PassContext &context);

} // namespace zpl::air

#endif // ZPL_LIB_TRANSFORMS_LOOPS_JAM_JAMSHIFTS_H
