//===- Remap.h - Gathers, scatters, boundaries ------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_ARRAYGEN_OPERATORS_REMAP_H
#define ZPL_LIB_ARRAYGEN_OPERATORS_REMAP_H

#include "ProcedureState.h"

namespace zpl::arraygen {

/// The elements of `A#[maps]` over \p over, after a check of the maps: in
/// \p target if that is given and nothing is read from it, else in a new
/// temporary of the caller's scope.
air::Array *gathered(ProcedureState &p, const sema::GatherExpr *expr,
                     Cover over, air::Array *target = nullptr);

/// `A#[maps] := e`, `A#[maps] op= e`: checks the maps, evaluates all values,
/// then appends the scatter. What combines two elements is a procedure that is
/// added to the module.
void scatterStatement(ProcedureState &p, const sema::ScatterStmt *stmt);

/// `wrap A, B` or `reflect A, B`: appends a `boundary` per array, after checks
/// of all arrays if there are several.
void boundaryStatement(ProcedureState &p, const sema::BoundaryStmt *stmt);

} // namespace zpl::arraygen

#endif // ZPL_LIB_ARRAYGEN_OPERATORS_REMAP_H
