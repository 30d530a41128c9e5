//===- RemapTiles.h - Transposes in tiles -----------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_TRANSFORMS_LOOPS_REMAPTILES_H
#define ZPL_LIB_TRANSFORMS_LOOPS_REMAPTILES_H

#include "zpl/Transforms/PassContext.h"

namespace zpl::air {

/// Tiles a loop that reads an array by maps across its rows.
///
///     mloop @R levels(0 up, 1 up) {
///       store @B, @A#(i64(index(1)), i64(index(0)))
///     }                                =>  levels(0 up tile 32, 1 up tile 32)
///
/// A row of A, which the innermost loop crosses, is then read again while it is
/// still in the cache.
///
/// Form: Loop -> Loop; part of block-loops.
/// Refuses, with a remark, loops whose indices have an order, or that do more
/// than to store elements at each index.
void tileRemaps(MLoopStmt &loop, PassContext &context);

} // namespace zpl::air

#endif // ZPL_LIB_TRANSFORMS_LOOPS_REMAPTILES_H
