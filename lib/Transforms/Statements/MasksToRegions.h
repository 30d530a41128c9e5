//===- MasksToRegions.h - Guards on indices as loop bounds ------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_TRANSFORMS_STATEMENTS_MASKSTOREGIONS_H
#define ZPL_LIB_TRANSFORMS_STATEMENTS_MASKSTOREGIONS_H

#include "zpl/Transforms/PassContext.h"

namespace zpl::air {

/// Lets array statements run over the indices that their guards leave, where
/// those are a region, instead of testing at each index.
///
///     [R with Index1 > k & M] A := B;   =>   [k+1..n, ] with M
///
///     region %R.part = [max(lo(@R,0), add(i64(@k), i64 1)) .. hi(@R,0), _]
///       from @R
///     [%R.part where @M] @A = @B
///
/// Masks that are stored for guards only, and read what is still there, are
/// never stored: their expression becomes the guard. Shattered `if`s whose
/// branches are told apart by indices become one such statement for each.
///
/// Form: Block -> Block.
/// Needs: every shifted element is preceded by its transfer.
/// Keeps: that property; what is there for a region is there for its parts.
/// Refuses comparisons with what is no scalar, of two indices, and of sums that
/// might overflow; `!=` in the middle; masks that are used for something else,
/// whose operands change, or that cost more to compute again than to load; each
/// refusal of a comparison or mask that is stored is a remark.
/// See docs/ArrayIR.md, "The passes".
void masksToRegions(Module &module, PassContext &context);

} // namespace zpl::air

#endif // ZPL_LIB_TRANSFORMS_STATEMENTS_MASKSTOREGIONS_H
