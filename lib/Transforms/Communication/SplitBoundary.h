//===- SplitBoundary.h - The interior first ---------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_TRANSFORMS_COMMUNICATION_SPLITBOUNDARY_H
#define ZPL_LIB_TRANSFORMS_COMMUNICATION_SPLITBOUNDARY_H

#include "zpl/Transforms/PassContext.h"

namespace zpl::air {

/// Lets M-loops wait for what they read themselves, so that they can compute
/// first what needs nothing of the neighbours.
///
///     dn %t
///     mloop @R levels(...) { ... @A@(0,1) ... }
///                  =>   mloop @R awaits(%t) levels(...) { ... @A@(0,1) ... }
///
/// Form: Loop -> Loop.
/// Needs: that waits stand directly before what they are for (hide-latency).
/// Keeps: every shifted element is preceded by its transfer.
/// Refuses loops with an order: delayed parts, values that one index stores and
/// another one reads, elements that take in many indices in turn, calls; loops
/// over regions of another shape than the transfer's; and procedures in which
/// arrays may be the same. Each refusal is a remark.
/// Whether a loop then computes its interior first is decided at run time: the
/// runtime knows where the neighbours are and whether data travel by
/// themselves (docs/Runtime.md, "Transfers").
void splitBoundary(Module &module, PassContext &context);

} // namespace zpl::air

#endif // ZPL_LIB_TRANSFORMS_COMMUNICATION_SPLITBOUNDARY_H
