//===- LikelyBounds.h - Loops over a few known indices ----------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_TRANSFORMS_LOOPS_LIKELYBOUNDS_H
#define ZPL_LIB_TRANSFORMS_LOOPS_LIKELYBOUNDS_H

#include "zpl/Transforms/PassContext.h"

namespace zpl::air {

/// Says of M-loops whose innermost loop has at most eight indices, by constant
/// bounds, or by one config variable, which these are. CodeGen then has a copy
/// of the body for each of them, without a loop, where the processor owns them
/// all.
///
///     region Pent = [1..n, -2..2];
///     [Pent] if Index2 = -2 then     =>   mloop @Pent levels(0 up,
///            ...                              1 up likely -2 .. 2) { ... }
///
/// If another loop has them, and guards ask for its index, it becomes the
/// innermost one where order does not matter.
///
/// Form: Loop -> Loop.
/// Needs: no walkers yet.
/// Refuses bodies that are long already; that is a remark.
/// See docs/ArrayIR.md, "The two forms".
void likelyBounds(Module &module, PassContext &context);

} // namespace zpl::air

#endif // ZPL_LIB_TRANSFORMS_LOOPS_LIKELYBOUNDS_H
