//===- Operators.h - Flood, gather, scatter, wrap, reflect ------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The operators that move whole elements. What the language forbids ends the
/// run before anything is changed. See Operators.cpp.
///
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_INTERPRET_ARRAYS_OPERATORS_H
#define ZPL_LIB_INTERPRET_ARRAYS_OPERATORS_H

#include "Run.h"

namespace zpl::interpreter {

/// `>>[S] e`: an array over S with its singletons flooded, which serves all
/// indices of \p over.
std::unique_ptr<ArrayStorage> flood(Run &run, const sema::FloodExpr *expr,
                                    const Cover &over);

/// `A#[maps]` at the indices of `prepared.over`, zeros where the mask is not.
/// Prepares the maps.
std::unique_ptr<ArrayStorage> gather(Run &run, const sema::GatherExpr *expr,
                                     Prepared &prepared);

/// `A#[maps] := e` or `A#[maps] op= e` over the covering region: all maps and
/// values first, then one element after the other in row-major order.
void scatter(Run &run, const sema::ScatterStmt *stmt);

/// `wrap A, B` or `reflect A, B`.
void fillBoundary(Run &run, const sema::BoundaryStmt *stmt);

} // namespace zpl::interpreter

#endif // ZPL_LIB_INTERPRET_ARRAYS_OPERATORS_H
