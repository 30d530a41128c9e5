//===- ReduceToTargets.h - Partial reductions in place ----------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_TRANSFORMS_STATEMENTS_REDUCETOTARGETS_H
#define ZPL_LIB_TRANSFORMS_STATEMENTS_REDUCETOTARGETS_H

#include "zpl/Transforms/PassContext.h"

namespace zpl::air {

/// Lets a partial reduction go straight to the array that its result is
/// assigned to, instead of a temporary.
///
///     alloc %T
///     [@Box] %T = reduce sum mul(@A, @B)    =>  [@Box] @C = reduce sum ...
///     [@CF] @C = %T
///     free %T
///
/// Form: Block -> Block.
/// Needs: no transfers yet.
/// Refuses results that are used otherwise, targets that the operand reads, and
/// those whose declared region is not known to be the whole one of the result;
/// the last two are remarks.
void reduceToTargets(Module &module, PassContext &context);

} // namespace zpl::air

#endif // ZPL_LIB_TRANSFORMS_STATEMENTS_REDUCETOTARGETS_H
