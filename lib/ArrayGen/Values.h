//===- Values.h - Variables of regions and directions -----------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A region or direction as a value is an indexed array of longints: per
/// dimension lo, hi, stride and align, then the level and whether there is a
/// value. See Values.cpp.
///
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_ARRAYGEN_VALUES_H
#define ZPL_LIB_ARRAYGEN_VALUES_H

#include "ProcedureState.h"

namespace zpl::arraygen {

/// A new variable with the value of a region expression.
const air::Expr *regionValue(ProcedureState &p,
                             const sema::RegionValueExpr *expr);

/// A new variable with the value of a direction. Appends a check of each
/// component that is not constant against the type.
const air::Expr *directionValue(ProcedureState &p,
                                const sema::DirectionValueExpr *expr);

/// `R := region`: stores the value and moves the arrays over R. A global
/// declaration also tells the runtime of the region.
void regionAssignment(ProcedureState &p, const sema::RegionAssignStmt *stmt);

/// The region, of \p shape, that is stored at \p place; without its level.
air::RegionExpr storedRegion(ProcedureState &p, const air::Expr *place,
                             const sema::Shape &shape);

/// Tells the runtime the region that a global variable has.
void declareValue(ProcedureState &p, const sema::Variable *variable);

/// Whether the variable at \p place, for regions of \p rank, has a value.
const air::Expr *hasRegion(ProcedureState &p, const air::Expr *place,
                           unsigned rank, SourceRange range);

/// Appends a check that ends the run if the variable that \p expr is the value
/// of has none.
void checkSet(ProcedureState &p, const sema::RegionExpr &expr);

/// The run ends if no pattern is kept in the place that has the value of
/// \p expr, whose type is sparse.
void checkKept(ProcedureState &p, const sema::RegionExpr &expr);

/// Appends a check that ends the run if \p component, number \p number of a
/// direction, is not what \p type says; nothing for what Sema could tell.
void checkComponent(ProcedureState &p, const air::Expr *component,
                    sema::Type type, unsigned number, SourceRange range);

/// Which region of a multi-region \p expr says it is, as i64; null if it says
/// nothing.
const air::Expr *levelOf(ProcedureState &p, const sema::RegionExpr &expr);

/// `level(R)`, after a check that R is a region of a multi-region.
const air::Expr *inheritedLevel(ProcedureState &p,
                                const sema::RegionBoundExpr *expr);

} // namespace zpl::arraygen

#endif // ZPL_LIB_ARRAYGEN_VALUES_H
