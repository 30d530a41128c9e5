//===- Scopes.h - Checks region scopes and masks ----------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Scopes are `[R] S` and `[R with m] S`; a mask is written where a region is,
/// in a scope or in the source of a partial reduction.
///
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_SEMA_ARRAYS_SCOPES_H
#define ZPL_LIB_SEMA_ARRAYS_SCOPES_H

#include "Check/Checking.h"

namespace zpl::sema {

/// The region of a scope or (\p isSource) of the source of a partial
/// reduction, with the masks written there as one, over that region; after a
/// report about a mask without it. A flood has no masks: region() checks its
/// source. \p quoteRank as there; 0: that of the masks, if there are any.
/// \p maskFirsts gets what the masks evaluate first, unless they inherit one;
/// null: it comes before the statement.
const RegionExpr *scopeRegion(Checking &c, const ast::Expr &e,
                              unsigned quoteRank, bool isSource, Mask &mask,
                              StmtList *maskFirsts = nullptr);

/// \p value as a mask: a parallel array of boolean or of 8-bit integers,
/// converted to boolean. Null after a report: scalar, free, another type.
const Expr *maskValue(Checking &c, const Expr *value);

/// `[R with m] S`: opens the region while S is checked. Never null: where the
/// region or a mask is wrong, what S becomes without the scope. `["] S` alone
/// changes nothing and gives S itself.
Stmt *checkScope(Checking &c, const ast::ScopeStmt &s);

/// The rank of the innermost visible scope of at least rank \p least; reports
/// and returns 0 if there is none.
unsigned visibleRank(Checking &c, unsigned least, SourceRange range);

} // namespace zpl::sema

#endif // ZPL_LIB_SEMA_ARRAYS_SCOPES_H
