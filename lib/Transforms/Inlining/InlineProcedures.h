//===- InlineProcedures.h - Bodies in the place of calls --------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_TRANSFORMS_INLINING_INLINEPROCEDURES_H
#define ZPL_LIB_TRANSFORMS_INLINING_INLINEPROCEDURES_H

#include "zpl/Transforms/PassContext.h"

namespace zpl::air {

/// Puts the bodies of small parallel procedures in the place of their calls, so
/// that later passes see across them.
///
///     procedure relax(A, inout B: ...);     for %i = ... {
///     begin                                   [@R] @B = div(add(@A@(0,1),
///       B := (A@east + A@west) / 2.0;                           @A@(0,-1)),
///     end;                              =>                  f64 2.0)
///                                             [@R] @A = @B
///     for i := 1 to n do                    }
///       relax(A, B); A := B;
///     end;
///
/// Form: Block -> Block.
/// Needs: no transfers in what is inlined.
/// Keeps: the source ranges of all statements, what each of them computes, and
/// the order of all effects. A procedure all of whose calls have gone, goes.
/// Refuses, with a remark: recursive procedures, large ones, those that return
/// in the middle or have no array statements, arguments that no name can stand
/// for, and arrays that are one for the caller but not for the procedure.
/// See docs/ArrayIR.md, "The passes".
void inlineProcedures(Module &module, PassContext &context);

} // namespace zpl::air

#endif // ZPL_LIB_TRANSFORMS_INLINING_INLINEPROCEDURES_H
