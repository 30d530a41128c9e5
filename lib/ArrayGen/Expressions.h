//===- Expressions.h - Expressions ------------------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// An expression becomes one of the array IR, after statements for what that
/// cannot say. The result is valid at the end of the current statement list;
/// save() makes it valid after later statements too. See Expressions.cpp.
///
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_ARRAYGEN_EXPRESSIONS_H
#define ZPL_LIB_ARRAYGEN_EXPRESSIONS_H

#include "ProcedureState.h"

namespace zpl::arraygen {

/// The value of \p expr: of a scalar, or element by element over \p over, for
/// which it was prepared (References.h). Appends what must be executed before.
/// Array temporaries that the result reads are freed by the caller's scope.
const air::Expr *value(ProcedureState &p, const sema::Expr *expr,
                       Cover over = {});

/// The values of \p exprs, evaluated from left to right and all valid after the
/// last. None of them reads an array of \p written at another index; evaluating
/// \p later afterwards does not change them.
ExprList operands(ProcedureState &p, llvm::ArrayRef<const sema::Expr *> exprs,
                  Cover over = {}, llvm::ArrayRef<air::Array *> written = {},
                  llvm::ArrayRef<const sema::Expr *> later = {});

/// The same value, but evaluated here and now: \p value itself if it is stable,
/// else a temporary, which is an array over \p over if the value depends on the
/// index. Other array temporaries of \p scope are freed then.
const air::Expr *save(ProcedureState &p, const air::Expr *value, Cover over,
                      TemporaryScope &scope);

/// Whether no later statement changes \p value: it is made of constants,
/// indices, bounds, constants of the program and temporaries.
bool isStable(const ProcedureState &p, const air::Expr *value);

/// \p integer in \p type, which may be a floating one.
const air::Expr *constant(ProcedureState &p, air::Type type, int64_t integer,
                          SourceRange range);

/// The value, or the place, that \p variable is: `@x`.
const air::Expr *variableExpr(ProcedureState &p, air::Variable *variable,
                              SourceRange range);

/// \p value converted to \p type; itself if it has that type.
const air::Expr *castTo(ProcedureState &p, air::Type type,
                        const air::Expr *value);

/// `x := e` for an e that needs a statement of its own anyway, which then sets
/// x itself: `set x = reduce ...`. False, with nothing appended, if \p expr is
/// another expression, or if \p target could be read while it is written.
bool assignDirectly(ProcedureState &p, const sema::Variable *target,
                    const sema::Expr *expr);

/// A new variable with the value of \p expr, which is a full reduction, timer,
/// function of the runtime, or call that must be a statement of its own.
const air::Expr *computed(ProcedureState &p, const sema::Expr *expr);

} // namespace zpl::arraygen

#endif // ZPL_LIB_ARRAYGEN_EXPRESSIONS_H
