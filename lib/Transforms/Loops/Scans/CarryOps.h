//===- CarryOps.h - What a scan does at an index ----------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_TRANSFORMS_LOOPS_SCANS_CARRYOPS_H
#define ZPL_LIB_TRANSFORMS_LOOPS_SCANS_CARRYOPS_H

#include "zpl/ArrayIR/ArrayIR.h"

namespace zpl::air {

/// The element of \p array at the index.
const Expr *elementAt(Array *array, Module &module, SourceRange range);

/// `store target = value where guard`; \p guard may be null.
ElementOp storeOf(const Expr *target, const Expr *value, const Expr *guard,
                  SourceRange range);

/// What takes \p element into the carries, `store %C = add(%C, e)`: those are of
/// a scan by Sum to BitXor, of integers, floats or, for And and Or, Bools.
/// Floating Max and Min store a greater or lesser element only, which no NaN is.
ElementOp takeIn(Array *carries, const Expr *element, const Expr *guard,
                 Module &module, SourceRange range);

/// What carries say to others: their element, but no -0 of floating extremes.
const Expr *prefixOf(Array *carries, Module &module, SourceRange range);

} // namespace zpl::air

#endif // ZPL_LIB_TRANSFORMS_LOOPS_SCANS_CARRYOPS_H
