//===- StoreMaps.h - Maps into arrays ---------------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_TRANSFORMS_REMAPS_STOREMAPS_H
#define ZPL_LIB_TRANSFORMS_REMAPS_STOREMAPS_H

#include "zpl/Transforms/PassContext.h"

namespace zpl::air {

/// Stores the maps of gathers, scatters and their checks that are expressions
/// in arrays, once for all statements that name the same expression: the
/// runtime takes arrays, scalars, indices and, without a mask, what it can
/// compute itself (linearMap).
///
///     check maps @A at (add(@P, i32 1)) over @R "A#[P + 1]"
///     gather @B = @A at (add(@P, i32 1)) over @R
///
///     alloc %map                              (over @R)
///     [@R] %map = add(@P, i32 1)
///     check maps @A at (%map) over @R "A#[P + 1]"
///     gather @B = @A at (%map) over @R
///     free %map
///
/// Form: Block -> Block.
/// Cost: linear in the statements.
void storeMaps(Module &module, PassContext &context);

} // namespace zpl::air

#endif // ZPL_LIB_TRANSFORMS_REMAPS_STOREMAPS_H
