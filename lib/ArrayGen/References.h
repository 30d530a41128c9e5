//===- References.h - Array references and their checks ---------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Before an array statement all its references are prepared: checked, their
/// directions evaluated, their members bound, so that an illegal statement
/// changes nothing. element() then gives what is read. See References.cpp.
///
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_ARRAYGEN_REFERENCES_H
#define ZPL_LIB_ARRAYGEN_REFERENCES_H

#include "ProcedureState.h"

namespace zpl::arraygen {

/// Prepares all references of \p expr, and the regions of its floods and
/// partial reductions, over \p over; nothing for scalars. Before anything else
/// of the statement.
void prepare(ProcedureState &p, const sema::Expr *expr, Cover over);

/// Prepares what is written: the array of \p place, and the references in its
/// subscripts. \p keepDirection: later statements may change the variables that
/// the direction is made of.
void prepareTarget(ProcedureState &p, const sema::Expr *place, Cover over,
                   bool keepDirection = false);

/// Appends a check that the reference has elements at all indices of \p over,
/// unless Sema has proven it or it was just checked. `@^` is checked as Wrap.
void check(ProcedureState &p, const sema::ArrayExpr *expr,
           air::CheckStmt::Kind kind, air::Region *over);

/// The same once more, if a call since then may have given the array another
/// region.
void checkAgain(ProcedureState &p, const sema::ArrayExpr *expr);

/// What a prepared reference reads at an index of \p over: an element of the
/// array, perhaps at an offset, or one of a shifted view, a temporary of the
/// caller's scope.
const air::Expr *element(ProcedureState &p, const sema::ArrayExpr *expr,
                         Cover over);

/// The element of \p array at the current index.
const air::Expr *elementOf(ProcedureState &p, air::Array *array,
                           SourceRange range);

/// The compile-time components of the direction of \p expr, if all are; zeros
/// for none.
std::optional<air::Offset> constantOffset(const sema::ArrayExpr *expr);

/// Whether element() of a shifted reference is the element of the array
/// itself, another one than the current one.
bool isReadDirectly(const ProcedureState &p, const sema::ArrayExpr *expr);

/// Whether two references read one element, as far as the text shows it.
bool isSameElement(const sema::ArrayExpr *a, const sema::ArrayExpr *b);

} // namespace zpl::arraygen

#endif // ZPL_LIB_ARRAYGEN_REFERENCES_H
