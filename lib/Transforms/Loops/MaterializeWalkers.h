//===- MaterializeWalkers.h - Pointers for arrays ---------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_TRANSFORMS_LOOPS_MATERIALIZEWALKERS_H
#define ZPL_LIB_TRANSFORMS_LOOPS_MATERIALIZEWALKERS_H

#include "zpl/Transforms/PassContext.h"

namespace zpl::air {

/// Gives each distinct array of an M-loop one walker with a bump per loop
/// level, and makes every element name its walker.
///
///     mloop @R levels(0 up, 1 up) {         mloop @R levels(0 up, 1 up)
///       store @B = add(@A@(0,1), @A)  =>        walkers(@B[0,1], @A[0,1]) {
///     }                                       store @B#0 = add(@A#1@(0,1),
///                                                              @A#1)
///                                           }
///
/// Form: Loop -> Loop.
/// Establishes: no element needs index arithmetic of its own.
/// Refuses nothing; M-loops that have walkers are left alone.
/// See docs/ArrayIR.md, "Walkers".
void materializeWalkers(Module &module, PassContext &context);

} // namespace zpl::air

#endif // ZPL_LIB_TRANSFORMS_LOOPS_MATERIALIZEWALKERS_H
