//===- HideLatency.h - Compute while data travel ----------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_TRANSFORMS_COMMUNICATION_HIDELATENCY_H
#define ZPL_LIB_TRANSFORMS_COMMUNICATION_HIDELATENCY_H

#include "zpl/Transforms/PassContext.h"

namespace zpl::air {

/// Moves the four points of each transfer apart, over statements that take
/// time.
///
///     [R] A := ...;               sr: A's elements leave
///     [R] B := C * 2.0;      =>   [R] B := C * 2.0;       while they travel
///     [R] D := A@east;            dn: they are needed
///     [R] E := D;                 [R] D := A@east;  [R] E := D;
///     [R] A := E;                 sv: A is written again
///
/// Form: Loop -> Loop.
/// Needs: every shifted element is preceded by its transfer.
/// Keeps: that property, and the four points in one statement list.
/// Refuses to move a point over what uses the transfer's arrays or region in a
/// way that forbids it, over calls, input, output and timers, and over what may
/// leave the list; each refusal is a remark.
/// See Choi and Snyder, "Quantifying the effects of communication
/// optimizations"; the dissertation's section 4.4; docs/ArrayIR.md,
/// "Transfers".
void hideLatency(Module &module, PassContext &context);

} // namespace zpl::air

#endif // ZPL_LIB_TRANSFORMS_COMMUNICATION_HIDELATENCY_H
