//===- LiftTransfers.h - Data sent by the callers ---------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_TRANSFORMS_COMMUNICATION_LIFTTRANSFERS_H
#define ZPL_LIB_TRANSFORMS_COMMUNICATION_LIFTTRANSFERS_H

#include "zpl/Transforms/PassContext.h"

namespace zpl::air {

/// Moves transfers of what a procedure gets from a caller, with which it
/// begins, in front of its calls, if that saves one of them the transfer.
///
///     for i := 1 to n do                  for %i = ... {
///       [R] step(A, B);             =>      dr %t  sr %t  dn %t  sv %t
///     end;                                  call @step(region @R, ...)
///
/// Form: Block -> Block.
/// Needs: every shifted element is preceded by its transfer.
/// Keeps: that property.
/// Refuses transfers after writes or returns, of what is no parameter, and
/// where no call gains; the last is a remark.
/// See docs/ArrayIR.md, "The passes".
void liftTransfers(Module &module, PassContext &context);

} // namespace zpl::air

#endif // ZPL_LIB_TRANSFORMS_COMMUNICATION_LIFTTRANSFERS_H
