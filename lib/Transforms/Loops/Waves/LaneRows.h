//===- LaneRows.h - Rows of a recurrence as lanes of vectors ----*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_TRANSFORMS_LOOPS_LANEROWS_H
#define ZPL_LIB_TRANSFORMS_LOOPS_LANEROWS_H

#include "zpl/Transforms/PassContext.h"

namespace zpl::air {

/// Lets a wave work on its rows as the lanes of vectors, each some elements
/// behind the one above it:
///
///     mloop %t levels(0 up, 1 up)          mloop %t levels(0 up, 1 up)
///       rows 8 skew 1 {              =>      rows 8 skew 1 lanes {
///       store @A = max(@A@(-1,0), ...)       store @A = max(@A@(-1,0), ...)
///     }                                    }
///
/// Form: Loop -> Loop.
/// Keeps: what each element is computed from, by which operations, so every
/// bit.
/// Refuses what air::whyNotInLanes says, and waves whose rows are faster one by
/// one, by the model of the .cpp.
void laneRows(Module &module, PassContext &context);

} // namespace zpl::air

#endif // ZPL_LIB_TRANSFORMS_LOOPS_LANEROWS_H
