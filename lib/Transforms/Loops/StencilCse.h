//===- StencilCse.h - Partial sums are computed once ------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_TRANSFORMS_LOOPS_STENCILCSE_H
#define ZPL_LIB_TRANSFORMS_LOOPS_STENCILCSE_H

#include "zpl/Transforms/PassContext.h"

namespace zpl::air {

/// Computes what recurs at the next indices of the innermost loop once, and
/// carries it along.
///
///     store @B = add(add(add(%A@(-1,-1), %A@(1,-1)), add(%A@(-1,1),
///     %A@(1,1))),
///                    add(%A@(-1,0), %A@(1,0)))
///   =>
///     let %sum = add(%A@(-1,1), %A@(1,1))
///     let %sum.1 = add(%A@(-1,0), %A@(1,0)) was %sum
///     let %sum.2 = add(%A@(-1,-1), %A@(1,-1)) was %sum.1
///     store @B = add(add(%sum.2, %sum), %sum.1)
///
/// Form: Loop -> Loop.
/// Needs: no walkers and lets yet; loops that have some are left alone.
/// Keeps: every value; trees are reused, never changed.
/// Refuses what reads arrays that the loop stores, what must not be computed
/// where a mask is false, and what costs less than to carry it. Remarks say so.
/// See dissertation 5.3.4 and docs/ArrayIR.md, sections 4 and 8.
void stencilCse(Module &module, PassContext &context);

} // namespace zpl::air

#endif // ZPL_LIB_TRANSFORMS_LOOPS_STENCILCSE_H
