//===- ForwardCopies.h - Temporaries that copy elements ---------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_TRANSFORMS_STATEMENTS_FORWARDCOPIES_H
#define ZPL_LIB_TRANSFORMS_STATEMENTS_FORWARDCOPIES_H

#include "zpl/Transforms/PassContext.h"

namespace zpl::air {

/// Lets statements read an array itself instead of a temporary that its
/// elements are copied to, if it is not written between.
///
///     [@R] %T = @F
///     [@R] %W = ...                           [@R] %W = ...
///     [@R] @U = div(add(%T, %W), f64 6.0)  => [@R] @U = div(add(@F, %W), ...)
///
/// Form: Block -> Block.
/// Needs: no transfers yet.
/// Takes temporaries of one assignment, in a list, that is followed there by
/// all that reads them, at its own index.
void forwardCopies(Module &module, PassContext &context);

} // namespace zpl::air

#endif // ZPL_LIB_TRANSFORMS_STATEMENTS_FORWARDCOPIES_H
