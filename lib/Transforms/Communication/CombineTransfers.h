//===- CombineTransfers.h - One message for several arrays ------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_TRANSFORMS_COMMUNICATION_COMBINETRANSFERS_H
#define ZPL_LIB_TRANSFORMS_COMMUNICATION_COMBINETRANSFERS_H

#include "zpl/Transforms/PassContext.h"

namespace zpl::air {

/// Merges a transfer into an earlier one of the same statement list, so that
/// each neighbour gets one message instead of two.
///
///     [R] C := A@east;                transfer of A, east and B, east
///     [R] D := B@east;        =>      (the transfer of B before D is gone)
///
/// Form: Block -> Block.
/// Needs: every shifted element is preceded by its transfer.
/// Keeps: that property.
/// Refuses when an array of the later transfer may be written between the two,
/// and when their regions have different values; each refusal is a remark.
/// See docs/ArrayIR.md, "Transfers".
void combineTransfers(Module &module, PassContext &context);

} // namespace zpl::air

#endif // ZPL_LIB_TRANSFORMS_COMMUNICATION_COMBINETRANSFERS_H
