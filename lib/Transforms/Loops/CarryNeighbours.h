//===- CarryNeighbours.h - Elements beside what is stored -------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_TRANSFORMS_LOOPS_CARRYNEIGHBOURS_H
#define ZPL_LIB_TRANSFORMS_LOOPS_CARRYNEIGHBOURS_H

#include "zpl/Transforms/PassContext.h"

namespace zpl::air {

/// Carries elements along that lie right behind those that the innermost loop
/// stores, instead of loading them again.
///
///     store @A = add(@A@(0,1), @A@(0,-1)) where %red
///   =>
///     let %own = @A
///     let %before = @A@(0,-1) was %own where %red
///     store @A = add(@A@(0,1), %before) where %red
///
/// Form: Loop -> Loop.
/// Needs: no walkers yet.
/// Keeps: every value; such an element is none that is stored.
/// Leaves alone what is not kept apart by guards, strided rows, waves, loops in
/// blocks or over several rows at a time, and arrays that others may be.
/// See docs/ArrayIR.md, sections 4 and 8.
void carryNeighbours(Module &module, PassContext &context);

} // namespace zpl::air

#endif // ZPL_LIB_TRANSFORMS_LOOPS_CARRYNEIGHBOURS_H
