//===- ForwardFloods.h - Flood arrays that are only read --------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_TRANSFORMS_STATEMENTS_FORWARDFLOODS_H
#define ZPL_LIB_TRANSFORMS_STATEMENTS_FORWARDFLOODS_H

#include "zpl/Transforms/PassContext.h"

namespace zpl::air {

/// Lets statements read what a flood makes instead of an array that it is only
/// assigned to.
///
///     flood %T = @A from %S                 flood %T = @A from %S
///     [@Col] @V = %T                    =>
///     free %T
///     [@R] @C = fma(@V, @W, @C)             [@R] @C = fma(%T, @W, @C)
///                                           free %T
///
/// Form: Block -> Block.
/// Needs: no transfers yet; temporaries of floods are made, read and freed in
/// one list.
/// Refuses arrays that any statement of the program uses otherwise than to read
/// them at its own index after such an assignment, or that are not surely
/// assigned whole; and sources that are written before the last of these reads.
/// Both are remarks.
void forwardFloods(Module &module, PassContext &context);

} // namespace zpl::air

#endif // ZPL_LIB_TRANSFORMS_STATEMENTS_FORWARDFLOODS_H
