//===- GuardClasses.h - Indices that guards keep apart ----------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_ARRAYIR_GUARDCLASSES_H
#define ZPL_ARRAYIR_GUARDCLASSES_H

#include "zpl/ArrayIR/LoopStatements.h"

namespace zpl::air {

/// Whether the element of \p array at \p offset from an index where \p reader
/// is true is never one at an index where \p writer is: the colours of
/// red-black relaxation. A null guard is true everywhere.
bool guardsKeepApart(const Expr *reader, const Expr *writer, const Array &array,
                     const Offset &offset);

/// Calls \p visit with each element that an operation names, and the guard that
/// is true where it is evaluated: those in the guard itself are everywhere.
void forEachElement(
    const ElementOp &op,
    llvm::function_ref<void(const ElementExpr &, const Expr *guard)> visit);

} // namespace zpl::air

#endif // ZPL_ARRAYIR_GUARDCLASSES_H
