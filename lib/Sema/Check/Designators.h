//===- Designators.h - Names with fields and subscripts ---------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A designator is a name with fields and subscripts, `P.x[i]`, as a place or
/// as a value.
///
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_SEMA_CHECK_DESIGNATORS_H
#define ZPL_LIB_SEMA_CHECK_DESIGNATORS_H

#include "Check/Checking.h"

namespace zpl::sema {

/// What a designator means, without putting values in the place of constants; a
/// call is its value. Never null.
const Expr *checkPlace(Checking &c, const ast::Expr &e);

/// The designator \p e as something to assign. Null after a report, which may
/// be that it is a constant, a timer or no variable; or an IRV, unless it
/// \p takesIrv.
const Expr *checkTarget(Checking &c, const ast::Expr &e, bool takesIrv = false);

/// `A@d` as something to assign, `[R] A@d := B`. Null after a report.
const Expr *shiftedTarget(Checking &c, const ast::At &e);

/// The designator \p e below its last field or subscript. \p levels goes up by
/// the blank references `[]` in it, whose end the caller reports
/// (endDesignator).
const Expr *checkDesignator(Checking &c, const ast::Expr &e, unsigned &levels);

/// A name as a place: variables and families as they are, all else as a value
/// (nameValue).
const Expr *namedPlace(Checking &c, const ast::NameRef &e);

/// Whether \p base, or its elements of type \p type, have elements themselves;
/// reports at \p range otherwise. An Error is no news.
bool isIndexed(Checking &c, const Expr *base, Type type, SourceRange range);

/// The subscript \p e in a dimension whose index has type \p index, an
/// enumeration or integers; those become integer or longint. Reports other
/// types; \p array is the array as written. It may be an array.
const Expr *subscriptValue(Checking &c, const ast::Expr &e, Type index,
                           llvm::StringRef array);

/// False after a report that \p value is a constant outside of the constant
/// bounds of dimension \p dim of \p base, which is \p written so.
bool checkBounds(Checking &c, const Expr *value, const Expr &base, unsigned dim,
                 llvm::StringRef written);

} // namespace zpl::sema

#endif // ZPL_LIB_SEMA_CHECK_DESIGNATORS_H
