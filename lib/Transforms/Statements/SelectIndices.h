//===- SelectIndices.h - Patterns of conditions on indices ------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_TRANSFORMS_STATEMENTS_SELECTINDICES_H
#define ZPL_LIB_TRANSFORMS_STATEMENTS_SELECTINDICES_H

#include "zpl/Transforms/PassContext.h"

namespace zpl::air {

/// Makes patterns of conditions on indices without an array over the base.
///
///     alloc %T                          =>   region @S = @R where each
///     [@R] %T = lt(index(0), index(1))         lt(index(0), index(1))
///     region @S = @R where %T
///     free %T
///
/// Form: Block -> Block.
/// Needs: patterns as ArrayGen makes them.
/// Refuses, each with a remark, conditions that name arrays, are stored under a
/// guard or call C; says nothing of sparse bases, which are gone through index by
/// index anyway.
void selectIndices(Module &module, PassContext &context);

} // namespace zpl::air

#endif // ZPL_LIB_TRANSFORMS_STATEMENTS_SELECTINDICES_H
