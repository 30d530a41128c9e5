//===- Scalarize.h - Array statements to M-loops ----------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_TRANSFORMS_STATEMENTS_SCALARIZE_H
#define ZPL_LIB_TRANSFORMS_STATEMENTS_SCALARIZE_H

#include "zpl/Transforms/PassContext.h"

namespace zpl::air {

/// Turns every array statement into an M-loop in row-major order; a reduction
/// also into the combination of the processors' results. Guards become those of
/// the loop's operations.
///
///     [@R] %x = reduce max @A     =>  mloop @R levels(0 up, 1 up) {
///                                       accumulate max %x.local, @A
///                                     }
///                                     combine max %x.local over @R
///                                     set %x = %x.local
///
/// A partial reduction stores the identity into its target, accumulates into
/// its elements and combines it (`combine-array`) in the dimensions that are
/// reduced.
///
/// Form: Block -> Loop.
/// Needs: no statement reads its target at another index.
/// Refuses nothing.
/// See docs/ArrayIR.md, "Loop form".
void scalarize(Module &module, PassContext &context);

} // namespace zpl::air

#endif // ZPL_LIB_TRANSFORMS_STATEMENTS_SCALARIZE_H
