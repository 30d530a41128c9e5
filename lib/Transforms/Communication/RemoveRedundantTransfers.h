//===- RemoveRedundantTransfers.h - Data sent once --------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_TRANSFORMS_COMMUNICATION_REMOVEREDUNDANTTRANSFERS_H
#define ZPL_LIB_TRANSFORMS_COMMUNICATION_REMOVEREDUNDANTTRANSFERS_H

#include "zpl/Transforms/PassContext.h"

namespace zpl::air {

/// Removes items of transfers whose data are already present at the receiver,
/// and transfers that have no items left.
///
///     [R] B := A@east;                transfer of A, east
///     [R] C := A@east;        =>      (the second transfer of A, east is gone)
///
/// Form: Block -> Block.
/// Needs: every shifted element is preceded by its transfer.
/// Keeps: that property.
/// Refuses when the array may be written in between, on some path only or in
/// the loop around, and when the earlier transfer is for a region that does
/// not cover this one; each refusal is a remark.
/// See docs/ArrayIR.md, "Available data".
void removeRedundantTransfers(Module &module, PassContext &context);

} // namespace zpl::air

#endif // ZPL_LIB_TRANSFORMS_COMMUNICATION_REMOVEREDUNDANTTRANSFERS_H
