//===- SplitCombines.h - Reductions in two phases ---------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_TRANSFORMS_COMMUNICATION_SPLITCOMBINES_H
#define ZPL_LIB_TRANSFORMS_COMMUNICATION_SPLITCOMBINES_H

#include "zpl/Transforms/PassContext.h"

namespace zpl::air {

/// Computes while the processors' parts of a reduction are on their way.
///
///     s := +<< A;             each adds up its part; the parts leave
///     B := A * 2;        =>   B := A * 2;
///     writeln(s);             the sum of the parts; writeln(s)
///
/// Form: Loop -> Loop.
/// Needs: that reductions have accumulators of their own, as scalarize makes.
/// Keeps: the order in which combinations begin, and that in which they end.
/// Refuses what is combined by an operator of the program, and when nothing is
/// computed before the result is used. What ends the search for that: the
/// result's use, calls, input and output, control flow, another reduction's
/// end. Each refusal is a remark.
/// See Bigot, "pC*" (1996), 4.5 (split-phase completion) and docs/ArrayIR.md,
/// "Passes".
void splitCombines(Module &module, PassContext &context);

} // namespace zpl::air

#endif // ZPL_LIB_TRANSFORMS_COMMUNICATION_SPLITCOMBINES_H
