//===- FirstValues.h - What statements evaluate first -----------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The expressions of regions and directions, and the subscripts that select
/// regions, directions and parallel arrays, are evaluated once, in the order of
/// the text, before the statement that they stand in begins.
///
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_SEMA_CHECK_FIRSTVALUES_H
#define ZPL_LIB_SEMA_CHECK_FIRSTVALUES_H

#include "Check/Checking.h"
#include "zpl/AST/Stmt.h"

namespace zpl::sema {

/// A new variable without a name in the source, of the procedure at hand, else
/// of the program. It is free in free procedures.
Variable *makeHidden(Checking &c, llvm::StringRef name, Type type,
                     SourceRange range);

/// Whether a region, direction or subscript in what \p s itself evaluates (the
/// statements in it aside, but for a scan block) contains a call of something
/// for which \p isProcedure is true.
bool callsInPlaces(const ast::Stmt &s,
                   llvm::function_ref<bool(llvm::StringRef)> isProcedure);

/// \p value, or a hidden variable that has its value from before the statement,
/// declaration or heading at hand on, if evaluating \p value again or later
/// could matter: it calls a procedure, reduces, or is a builtin with effects;
/// or it reads variables, and such calls stand in the statement as well
/// (FirstValues::haveVariables). \p value is a scalar, region or direction.
const Expr *evaluatedFirst(Checking &c, const Expr *value);

/// \p place, of type region or direction, so that it may be read several times:
/// what its subscripts call, or the call that it is, is evaluated first, or
/// all of it is.
const Expr *repeatablePlace(Checking &c, const Expr *place);

/// The same of a place that is assigned: its subscripts are evaluated first.
const Expr *withFirstSubscripts(Checking &c, const Expr *place);

/// What \p make makes, after what it evaluates first. If the statement runs
/// once per index, what its parts evaluate first comes before all of it unless
/// that depends on what the statement assigns.
Stmt *withFirstValues(Checking &c, SourceRange range,
                      llvm::function_ref<Stmt *()> make);

/// `while condition do body end;`: \p first, which may be empty, is evaluated
/// before each test of \p condition.
Stmt *whileLoop(Checking &c, StmtList first, const Expr *condition,
                StmtList body, SourceRange range);

/// `repeat body until condition;`, the same.
Stmt *repeatLoop(Checking &c, StmtList first, const Expr *condition,
                 StmtList body, SourceRange range);

} // namespace zpl::sema

#endif // ZPL_LIB_SEMA_CHECK_FIRSTVALUES_H
