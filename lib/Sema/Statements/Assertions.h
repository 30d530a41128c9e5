//===- Assertions.h - Conditions that must hold -----------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// `assert condition, "text"`.
///
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_SEMA_STATEMENTS_ASSERTIONS_H
#define ZPL_LIB_SEMA_STATEMENTS_ASSERTIONS_H

#include "Check/Checking.h"
#include "zpl/AST/Stmt.h"

namespace zpl::sema {

/// The statement that ends the run unless the condition holds, for all elements
/// or on all processors; or the call that it is where the program has a
/// procedure of this name.
Stmt *checkAssert(Checking &c, const ast::AssertStmt &s);

/// Ends the run unless \p condition, a boolean of rank \p rank whose arithmetic
/// is arranged, holds for all elements or on all processors. The message has the
/// place of \p range, \p what, \p items, and if \p namesPlace the first index or
/// processor for which it does not.
Stmt *assertion(Checking &c, const Expr *condition, unsigned rank,
                bool namesPlace, llvm::StringRef what,
                llvm::ArrayRef<ast::Item> items, SourceRange range);

} // namespace zpl::sema

#endif // ZPL_LIB_SEMA_STATEMENTS_ASSERTIONS_H
