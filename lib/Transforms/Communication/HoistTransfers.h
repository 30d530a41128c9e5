//===- HoistTransfers.h - Data sent before the loop -------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_TRANSFORMS_COMMUNICATION_HOISTTRANSFERS_H
#define ZPL_LIB_TRANSFORMS_COMMUNICATION_HOISTTRANSFERS_H

#include "zpl/Transforms/PassContext.h"

namespace zpl::air {

/// Moves transfers of arrays that a loop does not write in front of it.
///
///     for i := 1 to n do                  dr %t  sr %t  dn %t  sv %t
///       [R] B += A@east * i;      =>      for %i = ... {
///     end;                                  [@R] @B = ...
///
/// Form: Block -> Block.
/// Needs: every shifted element is preceded by its transfer.
/// Keeps: that property.
/// Refuses transfers under conditions, and when an array or the region may be
/// written in the loop; the last is a remark.
/// See docs/ArrayIR.md, "The passes".
void hoistTransfers(Module &module, PassContext &context);

} // namespace zpl::air

#endif // ZPL_LIB_TRANSFORMS_COMMUNICATION_HOISTTRANSFERS_H
