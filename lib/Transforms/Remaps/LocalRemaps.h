//===- LocalRemaps.h - Gathers in loops -------------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_TRANSFORMS_REMAPS_LOCALREMAPS_H
#define ZPL_LIB_TRANSFORMS_REMAPS_LOCALREMAPS_H

#include "zpl/Transforms/PassContext.h"

namespace zpl::air {

/// Where one processor has all elements of what a gather reads, lets the
/// statement that uses them read them itself; which it is the run decides.
///
///     [R] B := B + A#[Index2, Index1];
///
///     check maps @A at (index(1), index(0)) over @R "..."
///     alloc %T
///     gather %T = @A at (index(1), index(0)) over @R
///     [@R] @B = add(@B, %T)
///     free %T
///  =>
///     region %whole = declared @A
///     if and(eq(parts(%whole, 0), i64 1), ...) {
///       [@R] @B = add(@B, @A#(i64(index(1)), i64(index(0))))
///     } else {
///       ... as before ...
///     }
///
/// Form: Block -> Block.
/// Needs: no transfers yet.
/// Refuses grid dimensions, and gathers without their check; remarks say what
/// form the maps have.
/// See docs/ArrayIR.md, "The passes".
void localRemaps(Module &module, PassContext &context);

} // namespace zpl::air

#endif // ZPL_LIB_TRANSFORMS_REMAPS_LOCALREMAPS_H
