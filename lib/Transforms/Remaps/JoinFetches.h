//===- JoinFetches.h - Windows of several statements ------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_TRANSFORMS_REMAPS_JOINFETCHES_H
#define ZPL_LIB_TRANSFORMS_REMAPS_JOINFETCHES_H

#include "Remaps/JoinRemaps.h"
#include "zpl/Transforms/PassContext.h"

namespace zpl::air {

/// Lets neighbouring statements of a list that read elements by maps, or combine
/// by maps, through windows send in one message what they need, where data
/// dependences allow it.
///
///     if %c { ... } else { window fetch %W = @A ...; [@R] @V = %W#(...) }
///     if %d { ... } else { window fetch %X = @C ...; [@R] @U = %X#(...) }
///  =>
///     if and(not(%c), not(%d)) {
///       window fetch %W = @A ... with next
///       window fetch %X = @C ... and %W
///       [@R] @V = %W#(...)
///       [@R] @U = %X#(...)
///     } else { if %c ...; if %d ... }
void joinFetches(StmtList &list, const RemapBranches &made, Module &module,
                 const Procedure &procedure, const Effects &effects,
                 PassContext &context);

} // namespace zpl::air

#endif // ZPL_LIB_TRANSFORMS_REMAPS_JOINFETCHES_H
