//===- Growables.h - Variables that resize ----------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// `var list: array [] of integer;` and `resize(list, n)`. That nobody holds an
/// element while its array moves is checked when the program is complete
/// (Program/Resizes.h).
///
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_SEMA_STATEMENTS_GROWABLES_H
#define ZPL_LIB_SEMA_STATEMENTS_GROWABLES_H

#include "Check/Checking.h"

namespace zpl::sema {

/// \p type if it is an indexed array all of whose bounds are blank; else null.
const ast::IndexedArrayType *growableSyntax(const ast::TypeExpr &type);

/// Declares the variables of \p d, whose type \p type is growable, with hidden
/// variables for their upper bounds. Reports constants, config variables, and
/// initializers that are no lists of elements of one dimension.
void growableVariables(Checking &c, const ast::VariableDecl &d,
                       const ast::IndexedArrayType &type);

/// `resize(a, n)`, with at least one length; empty after a report: a is not
/// growable or may not be assigned, the lengths are not one integral scalar per
/// dimension.
Stmt *resizeStmt(Checking &c, const ast::Call &e);

} // namespace zpl::sema

#endif // ZPL_LIB_SEMA_STATEMENTS_GROWABLES_H
