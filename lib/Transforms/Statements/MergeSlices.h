//===- MergeSlices.h - Slices of a few indices in one region ----*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_TRANSFORMS_STATEMENTS_MERGESLICES_H
#define ZPL_LIB_TRANSFORMS_STATEMENTS_MERGESLICES_H

#include "zpl/Transforms/PassContext.h"

namespace zpl::air {

/// Lets statements over slices of one region, each at one of a few known
/// indices of a dimension, run over that region with a guard, so that they
/// share their transfers and their sweep.
///
///     region Pent = [1..n, -2..2];
///     [Pent] begin
///       [ , -1] C := A * B@ne;        =>   [@Pent where eq(index(1), i32 -1)]
///       [ ,  0] C := A + B;                [@Pent where eq(index(1), i32 0)]
///     end;
///
/// Form: Block -> Block.
/// Needs: no transfers yet.
/// Refuses slices alone in their list, regions whose bounds are not known, and
/// arrays that have no range there; the last is a remark.
/// See docs/ArrayIR.md, "The passes".
void mergeSlices(Module &module, PassContext &context);

} // namespace zpl::air

#endif // ZPL_LIB_TRANSFORMS_STATEMENTS_MERGESLICES_H
