//===- DistributionValues.h - Those in records and arrays -------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Grids and distributions that are fields of records or elements of indexed
/// arrays: values that say which one of the program's is meant. Nothing is bound
/// to them. Each function reports what is wrong.
///
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_SEMA_DISTRIBUTIONS_DISTRIBUTIONVALUES_H
#define ZPL_LIB_SEMA_DISTRIBUTIONS_DISTRIBUTIONVALUES_H

#include "Check/Checking.h"

namespace zpl::sema {

/// The type of a field or an element that is written \p type, a GridType or a
/// DistributionType.
Type distributionPart(Checking &c, const ast::TypeExpr &type);

/// The same of a parameter, in an instance whose argument is a value; such a
/// type stands in no other place.
Type distributionParameter(Checking &c, const ast::TypeExpr &type);

/// What the grid or distribution \p symbol, read at \p range, is as a value.
/// Null, with nothing done: it is none, or the program has no place that takes
/// it.
const Expr *distributionNamed(Checking &c, Symbol &symbol, SourceRange range);

/// The value in a place that \p e designates; null: it designates none.
const Expr *distributionPlaced(Checking &c, const ast::Expr &e);

/// `D <=# place.d`, the value of which is \p value, written \p e: D becomes the
/// one that it names.
Stmt *chooseDistribution(Checking &c, Symbol &target, const Expr *value,
                         const ast::Expr &e, bool preserves, SourceRange range);

/// Must be told of each variable when it is declared, and of each statement
/// that gives one a value, which then stands in what is returned.
void trackVariable(Checking &c, Symbol &variable);
Stmt *trackedRedistribution(Checking &c, RedistributeStmt *stmt);

/// Completes all that depends on which values there are. Once, when all bodies
/// have been checked.
void settleDistributionValues(Checking &c);

} // namespace zpl::sema

#endif // ZPL_LIB_SEMA_DISTRIBUTIONS_DISTRIBUTIONVALUES_H
