//===- SkewRows.h - Several rows of a recurrence at a time ------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_TRANSFORMS_LOOPS_SKEWROWS_H
#define ZPL_LIB_TRANSFORMS_LOOPS_SKEWROWS_H

#include "zpl/Transforms/PassContext.h"

namespace zpl::air {

/// Lets a wave work on several rows at a time where each element of a row waits
/// for the one before it, every row a few elements behind the one before:
///
///     scan A := A'@north + A'@west; end;
///
///     mloop %t levels(0 up, 1 up) {        mloop %t levels(0 up, 1 up)
///       store @A = add(@A@(-1,0),      =>      rows 4 skew 1 {
///                      @A@(0,-1))            store @A = ...
///     }                                    }
///
/// Form: Loop -> Loop.
/// Keeps: what each element is computed from, so every bit.
/// Refuses M-loops of one loop, with delayed parts, accumulations, calls or
/// stores into grid dimensions, and those whose elements take longer to issue
/// than to wait for. M-loops without a recurrence along their rows are left
/// alone.
/// See docs/ArrayIR.md, "Skewed rows", and the .cpp for the choice of the
/// number of rows.
void skewRows(Module &module, PassContext &context);

} // namespace zpl::air

#endif // ZPL_LIB_TRANSFORMS_LOOPS_SKEWROWS_H
