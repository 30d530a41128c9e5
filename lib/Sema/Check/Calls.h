//===- Calls.h - Parameters and arguments -----------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What the checks of declarations and of calls ask about parameters, and calls
/// of the program's procedures.
///
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_SEMA_CHECK_CALLS_H
#define ZPL_LIB_SEMA_CHECK_CALLS_H

#include "Check/Checking.h"
#include "zpl/Sema/Program.h"

namespace zpl::sema {

/// The parameters as written, without those that hold blank bounds.
llvm::ArrayRef<Symbol *> formalsOf(const Procedure &procedure);

/// The type of a variable, of an array's elements, or of a family.
Type typeOf(const Symbol &symbol);

/// How \p formal, a variable or an array, is passed.
Mode modeOf(const Symbol &formal);

/// Whether a value of type \p argument is, without a conversion, one of type
/// \p formal, whose blank bounds fit any.
bool fitsBlankBounds(Type formal, Type argument);

/// Whether \p argument is an indexed array as \p formal, with elements of any
/// scalar type.
bool fitsGenericArray(Type formal, Type argument);

/// \p e if it is a family without all its subscripts, else null.
const ArrayExpr *unfinishedMember(const Expr *e);

/// Whether \p e is a family without subscripts.
bool isWholeFamily(const Expr *e);

/// The type of parallel arrays for messages: "[ , ] double".
std::string arrayText(unsigned rank, Type element);

/// `f(x)` as a value: of a procedure of the program or a standard function.
/// Reports unknown names, what is no procedure, and calls without a value.
const Expr *checkCall(Checking &c, const ast::Call &e);

/// \p value as what \p formal, by value, gets: converted to its type. Reports
/// what does not fit.
const Expr *valueArgument(Checking &c, const Expr *value, const Symbol &formal);

/// The call of the procedure that fits best, with its arguments converted; the
/// name is known to be a procedure's. Null after a report.
CallExpr *checkProcedureCall(Checking &c, const ast::Call &e);

/// Adds to \p call, whose arguments are complete as written, those for the
/// hidden parameters, in their order: blank bounds, and what the heading
/// evaluates first.
void addBounds(Checking &c, CallExpr &call);

/// Whether \p symbol, used at \p range, can be assigned; reports why not: a
/// constant, a config variable, a `const` parameter, no variable.
/// \p byReference: what is tried is to pass it so.
bool checkWritable(Checking &c, const Symbol &symbol, SourceRange range,
                   bool byReference);

} // namespace zpl::sema

#endif // ZPL_LIB_SEMA_CHECK_CALLS_H
