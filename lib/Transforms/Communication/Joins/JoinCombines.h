//===- JoinCombines.h - One message for several reductions ------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_TRANSFORMS_COMMUNICATION_JOINS_JOINCOMBINES_H
#define ZPL_LIB_TRANSFORMS_COMMUNICATION_JOINS_JOINCOMBINES_H

#include "zpl/Transforms/PassContext.h"

namespace zpl::air {

/// Lets the values of several full reductions travel in one message.
///
///     [R] s := +<< A;               one message with a sum
///     [R] m := max<< (A * B);  =>   (none of its own: the maximum goes along)
///
/// Form: Loop -> Loop.
/// Needs: that reductions have accumulators of their own, as scalarize makes.
/// Keeps: each value, bit by bit; the order of errors and of output.
/// Refuses where what stands in between uses the result or may change what goes
/// into it, writes, reads or leaves; where other processors contribute; and
/// operators of the program that may fail or have to do with its variables.
/// Each refusal is a remark.
/// See docs/ArrayIR.md, "Passes".
void joinCombines(Module &module, PassContext &context);

} // namespace zpl::air

#endif // ZPL_LIB_TRANSFORMS_COMMUNICATION_JOINS_JOINCOMBINES_H
