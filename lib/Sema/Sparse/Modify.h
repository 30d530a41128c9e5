//===- Modify.h - Patterns that change ------------------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Statements that give a sparse region another pattern.
///
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_SEMA_SPARSE_MODIFY_H
#define ZPL_LIB_SEMA_SPARSE_MODIFY_H

#include "Check/Checking.h"
#include "zpl/AST/Stmt.h"

namespace zpl::sema {

/// The named region that \p e is, or null.
Region *namedRegionOf(const Checking &c, const ast::Expr &e);

/// The region \p e whose pattern changes; null after a report.
const RegionExpr *patternTarget(Checking &c, const ast::Expr &e);

/// Whether \p s assigns a pattern: its target is a named region, or a region
/// variable whose old pattern takes part or whose new one is a Boolean array.
bool isPatternAssign(const Checking &c, const ast::AssignStmt &s);

/// `S := e`, `S |= e`, `S &= e`.
Stmt *checkPatternAssign(Checking &c, const ast::AssignStmt &s);

/// `V := [ , ] where M` of a region variable \p place: the value, whose blank
/// dimensions are those of the old one; null after a report.
const RegionExpr *assignedRegion(Checking &c, const ast::Expr &e,
                                 const Expr *place);

/// `modify S begin ... end`.
Stmt *checkModify(Checking &c, const ast::ModifyStmt &s);

/// `add [i, j]`.
Stmt *checkAdd(Checking &c, const ast::AddStmt &s);

/// Whether \p word, `exit`, `continue` or `return`, leaves a `modify`; reports
/// it.
bool reportLeavesModify(Checking &c, llvm::StringRef word, SourceRange range);

} // namespace zpl::sema

#endif // ZPL_LIB_SEMA_SPARSE_MODIFY_H
