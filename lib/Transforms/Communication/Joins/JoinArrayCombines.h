//===- JoinArrayCombines.h - One message for partial reductions -*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_TRANSFORMS_COMMUNICATION_JOINS_JOINARRAYCOMBINES_H
#define ZPL_LIB_TRANSFORMS_COMMUNICATION_JOINS_JOINARRAYCOMBINES_H

#include "Communication/Joins/GlobalUses.h"
#include "zpl/Analysis/Effects.h"
#include "zpl/Transforms/PassContext.h"

namespace zpl::air {

/// The part of join-combines for partial reductions:
///
///     [Row] S := +<<[R] A;             one message with both rows, where the
///     [Row] T := max<<[R] B;      =>   run finds few elements
void joinArrayCombines(Module &module, const Effects &effects,
                       const GlobalUses &globals, PassContext &context);

} // namespace zpl::air

#endif // ZPL_LIB_TRANSFORMS_COMMUNICATION_JOINS_JOINARRAYCOMBINES_H
