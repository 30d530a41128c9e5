//===- ShareViews.h - Views made once ---------------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_TRANSFORMS_COMMUNICATION_SHAREVIEWS_H
#define ZPL_LIB_TRANSFORMS_COMMUNICATION_SHAREVIEWS_H

#include "zpl/Transforms/PassContext.h"

namespace zpl::air {

/// Lets one shift serve several statements and all iterations of a loop, as
/// long as what it shifts is not written: what remove-redundant-transfers,
/// hoist-transfers and combine-transfers do for transfers.
///
///     [R] begin
///       B := A@^west;               shift {%T by (0,-1) wrap,
///       C := A@^west + A@^east; =>         %U by (0,1) wrap} = @A over @R
///     end;                          [@R] @B = %T
///                                   [@R] @C = add(%T, %U)
///
/// Form: Block -> Block.
/// Needs: nothing; after the passes for transfers, to whose results it adds.
/// Refuses shifts whose source is written in between, over another region, or
/// by directions that are not constants and not the same; that is a remark.
/// See docs/ArrayIR.md, "The passes".
void shareViews(Module &module, PassContext &context);

} // namespace zpl::air

#endif // ZPL_LIB_TRANSFORMS_COMMUNICATION_SHAREVIEWS_H
