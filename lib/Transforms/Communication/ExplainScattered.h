//===- ExplainScattered.h - What scattered domains cost ---------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_TRANSFORMS_COMMUNICATION_EXPLAINSCATTERED_H
#define ZPL_LIB_TRANSFORMS_COMMUNICATION_EXPLAINSCATTERED_H

#include "zpl/Transforms/PassContext.h"

namespace zpl::air {

/// Says in remarks which statements over scattered domains are as fast as over
/// blocks, and what the others copy. Changes nothing.
///
///     shift {%T by (i64 -1)} = @A over @R
///
///     missed: A is copied in 1 direction, each time all of it: in domain D,
///     which is scattered, no neighbour is on the same processor
///
/// Form: Block -> Block.
/// Cost: linear in the statements.
void explainScattered(Module &module, PassContext &context);

} // namespace zpl::air

#endif // ZPL_LIB_TRANSFORMS_COMMUNICATION_EXPLAINSCATTERED_H
