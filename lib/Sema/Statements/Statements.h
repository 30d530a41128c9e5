//===- Statements.h - Statements, and those made of them --------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_SEMA_STATEMENTS_STATEMENTS_H
#define ZPL_LIB_SEMA_STATEMENTS_STATEMENTS_H

#include "Check/Checking.h"

namespace zpl::sema {

/// Any statement \p s, after what its regions, directions and subscripts
/// evaluate first. Never null: after a report, what is left of it.
Stmt *checkStmt(Checking &c, const ast::Stmt &s);

/// A statement that does nothing: what stands for a wrong one.
Stmt *emptyStmt(Checking &c, SourceRange range);

/// One statement for \p list: its only one, or a block.
Stmt *singleStmt(Checking &c, StmtList list, SourceRange range);

} // namespace zpl::sema

#endif // ZPL_LIB_SEMA_STATEMENTS_STATEMENTS_H
