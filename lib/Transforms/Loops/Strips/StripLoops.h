//===- StripLoops.h - Sweeps in strips of rows ------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The pass `strip-loops`.
///
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_TRANSFORMS_LOOPS_STRIPS_STRIPLOOPS_H
#define ZPL_LIB_TRANSFORMS_LOOPS_STRIPS_STRIPLOOPS_H

#include "zpl/Transforms/PassContext.h"

namespace zpl::air {

/// Lets M-loops that follow each other and share arrays go through them in
/// strips of rows, each loop as many rows behind as dependences ask for, where
/// one processor has all indices:
///
///     [Faces] F := U - U@north;           strips of dim 0 behind (0, 1) {
///     [R] U += F@south - F;                 mloop %faces { ... }
///                                  =>       dr %t  sr %t  dn %t  sv %t
///                                           mloop %r { ... }
///                                         }
///
/// Form: Loop -> Loop.
/// Needs: no walkers yet; loops over equal regions have been fused; transfers
/// are where they stay.
/// Keeps: that every shifted element is preceded by its transfer; what is
/// executed between processors.
/// Refuses loops with an order of their own or delayed parts, that call
/// procedures, add up or reduce to elements; what lies in each other's storage;
/// and statements between them that depend on what they store.
void stripLoops(Module &module, PassContext &context);

} // namespace zpl::air

#endif // ZPL_LIB_TRANSFORMS_LOOPS_STRIPS_STRIPLOOPS_H
