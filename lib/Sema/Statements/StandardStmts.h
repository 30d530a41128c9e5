//===- StandardStmts.h - Standard calls with effects ------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Standard procedures and functions with effects: files, timers,
/// `bind_write_func`.
///
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_SEMA_STATEMENTS_STANDARDSTMTS_H
#define ZPL_LIB_SEMA_STATEMENTS_STANDARDSTMTS_H

#include "Check/Checking.h"
#include "Names/Predeclared.h"

namespace zpl::sema {

/// `open(name, mode)`, `picture(name, ...)`, `eof(file)`, `shape(file, d)` ...
/// with the checked arguments \p args. Reports arrays, free values and wrong
/// types.
const Expr *fileFunction(Checking &c, Function function, const ast::Call &e,
                         llvm::ArrayRef<const Expr *> args);

/// `environment(name)` or `argument(k)`: a string, the same on all processors;
/// reports an argument that is free, an array or of another type.
const Expr *runFunction(Checking &c, Function function, const ast::Call &e,
                        const Expr *arg);

/// `ReadTimer(t)`; reports what is no timer.
const Expr *readTimer(Checking &c, const ast::Call &e);

/// A call of the predeclared \p entry as a statement, whose value, if any, is
/// dropped; empty after a report, and where it has no effect.
Stmt *checkStandardStmt(Checking &c, const ast::Call &e,
                        const Predeclared &entry);

/// `close(file)`, for a checked value of type file.
Stmt *closeOf(Checking &c, const Expr *file, SourceRange range);

/// `sort(A, B, ..., order)`: the first array and those that go with it; the
/// order is the word `ascending` or `descending`, or a procedure; it may be left
/// out. Empty after a report.
Stmt *sortStmt(Checking &c, const ast::Call &e);

} // namespace zpl::sema

#endif // ZPL_LIB_SEMA_STATEMENTS_STANDARDSTMTS_H
