//===- Waves.h - Checks scan blocks -----------------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_SEMA_STATEMENTS_WAVES_H
#define ZPL_LIB_SEMA_STATEMENTS_WAVES_H

#include "Check/Checking.h"

namespace zpl::sema {

/// `scan begin ... end`: a wave in the order that its primed references ask
/// for. Reports statements other than array assignments and calls of one rank,
/// and directions that no order serves; then an empty statement.
Stmt *checkScanBlock(Checking &c, const ast::ScanBlockStmt &s);

/// Sets `A'@d` in \p e, whose direction is set and stands at \p direction;
/// false after a report: outside of a scan block, not constant, zero.
bool prime(Checking &c, ArrayExpr &e, SourceRange direction);

} // namespace zpl::sema

#endif // ZPL_LIB_SEMA_STATEMENTS_WAVES_H
