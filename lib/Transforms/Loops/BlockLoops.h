//===- BlockLoops.h - M-loops in blocks -------------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_TRANSFORMS_LOOPS_BLOCKLOOPS_H
#define ZPL_LIB_TRANSFORMS_LOOPS_BLOCKLOOPS_H

#include "zpl/ArrayIR/LoopStatements.h"
#include "zpl/Transforms/PassContext.h"
#include <string>

namespace zpl::air {

/// Unrolls and tiles M-loops that take many values into each element, so that
/// elements stay in registers, and what is read for them in the caches:
///
///     [C] T := +<<[Box] (A * B);     sums along one dimension of three: four
///                                    rows of T by four terms at a time, of
///                                    parts of B that fit the second cache
///
/// Form: Loop -> Loop.
/// Keeps: the order in which each element is updated, so every bit.
/// Refuses loops in which no outer level leaves all targets where they are,
/// with parts, reductions to scalars, masks or calls, over strided rows, and
/// those that read another index of what they store; waves.
void blockLoops(Module &module, PassContext &context);

/// Why levels of the loop, which is in no wave or procedure with aliases, may
/// not be unrolled, tiled or repeated; empty if they may. Upward levels that
/// are not strided, that is: the others never may.
std::string obstacleToBlocks(const MLoopStmt &loop, const Module &module);

} // namespace zpl::air

#endif // ZPL_LIB_TRANSFORMS_LOOPS_BLOCKLOOPS_H
