//===- Masks.h - Masks and scopes -------------------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A mask is an array of booleans over the region of its scope. See Masks.cpp.
///
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_ARRAYGEN_OPERATORS_MASKS_H
#define ZPL_LIB_ARRAYGEN_OPERATORS_MASKS_H

#include "ProcedureState.h"

namespace zpl::arraygen {

/// The condition under which an operation over \p over is executed at an index:
/// the element of its mask, or `not` that. Null if there is no mask.
const air::Expr *guardExpr(ProcedureState &p, Cover over, SourceRange range);

/// Appends the checks of what evaluate() evaluates, over \p region.
void prepareMask(ProcedureState &p, const sema::Mask &mask,
                 air::Region *region);

/// The prepared mask over \p region, which covers. It is a temporary of the
/// caller's scope unless \p mayBeArrayItself, which says that nobody writes the
/// mask's array while it is used, or it quotes the mask outside.
air::Mask evaluate(ProcedureState &p, const sema::Mask &mask,
                   air::Region *region, bool mayBeArrayItself);

/// `[R with M] body`: evaluates region and mask, generates the body under them
/// and frees the mask wherever control leaves the body.
void scopeStatement(ProcedureState &p, const sema::ScopeStmt *stmt);

/// Whether the mask that an instance gets with \p region, which covers it, is a
/// sparse array.
bool hasSparseMask(const ProcedureState &p, const sema::Instance &instance,
                   const air::Region &region);

/// The mask of the covering region of \p rank as an argument that has the shape
/// \p callee wants; perhaps a copy, a temporary of the caller's scope.
air::Array *maskArgument(ProcedureState &p, const sema::Instance &callee,
                         unsigned rank, SourceRange range);

} // namespace zpl::arraygen

#endif // ZPL_LIB_ARRAYGEN_OPERATORS_MASKS_H
