//===- Values.h - Regions and directions as values --------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Variables, fields and elements of type region or direction. A region in the
/// tree is a RegionExpr, a direction its components; here they become values
/// that can be stored, and back.
///
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_SEMA_CHECK_VALUES_H
#define ZPL_LIB_SEMA_CHECK_VALUES_H

#include "Check/Checking.h"

namespace zpl::sema {

/// The region whose value \p place has, of a type region with a rank; its
/// bounds are read from there. What \p place calls is evaluated first.
const RegionExpr *regionOf(Checking &c, const Expr *place);

/// The components of \p place, which is of type direction: constants where the
/// type says their values.
DirectionExprs directionOf(Checking &c, const Expr *place);

/// The place or call \p e, of type \p kind, Region or Direction; null after a
/// report, also of array-valued and free ones.
const Expr *valuePlace(Checking &c, const ast::Expr &e, Type::Kind kind);

/// The kinds of the dimensions of \p region that are known where it is written:
/// what a caller's region gives counts as a range, and is looked at where the
/// caller is known (Legality.cpp).
Shape knownShape(const RegionExpr &region);

/// Whether a place of type \p type can hold \p region; reports otherwise.
bool fitsRegion(Checking &c, const RegionExpr &region, Type type);

/// \p value, a region or direction, as one of type \p type. Reports dimensions
/// or signs that the type excludes.
const Expr *convertedValue(Checking &c, const Expr *value, Type type);

/// The region or direction \p e as a value of type \p type, which has a rank.
/// Reports what is none or does not fit.
const Expr *typedValue(Checking &c, const ast::Expr &e, Type type);

/// An argument: a value, a whole family, a region or a direction. `[1, 2]` is a
/// direction if that is what a parameter wants.
const Expr *argumentValue(Checking &c, const ast::Expr &e, bool wantsDirection);

/// \p value, if it is neither a region nor a direction; reports those.
const Expr *plainValue(Checking &c, const Expr *value);

/// `target := value` of two regions, in which arrays over \p target keep their
/// elements if \p preserves. \p target has been evaluated but for what is
/// light, and fits.
Stmt *regionAssignment(Checking &c, const Expr *target, const RegionExpr *value,
                       bool preserves, SourceRange range);

/// Adds `R := e`, `R <=# e`, `R <== e` or `d := e` to \p to, whose target is of
/// type \p kind; false after a report.
bool assignValue(Checking &c, const ast::AssignStmt &s, Type::Kind kind,
                 StmtList &to);

/// Declares the names of \p d if they are constants of type region or
/// direction, `constant R: region<..> = [1..n]`: they become named regions or
/// directions. False: \p d is something else.
bool valueConstants(Checking &c, const ast::VariableDecl &d, Type type);

} // namespace zpl::sema

#endif // ZPL_LIB_SEMA_CHECK_VALUES_H
