//===- Regions.h - Checks regions and directions ----------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Regions and directions where the program writes them: in scopes,
/// declarations, arguments, after `@` and `of`.
///
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_SEMA_ARRAYS_REGIONS_H
#define ZPL_LIB_SEMA_ARRAYS_REGIONS_H

#include "Check/Checking.h"

namespace zpl::sema {

/// The region \p e: a name, `[1..n, *]`, `d of R`, `R at d`, a value of type
/// region. \p quoteRank: the rank that the context gives a quote; 0: none. Null
/// after a report.
const RegionExpr *checkRegion(Checking &c, const ast::Expr &e,
                              unsigned quoteRank);

/// A region as it is written at \p range, for messages. The dimensions alone get
/// their bracket: `[1..n` of `[1..n with M]`.
std::string writtenRegion(Checking &c, SourceRange range);

/// `"`, the covering region of rank \p quoteRank; null after a report: the
/// context gives no rank or nothing covers the code.
const RegionExpr *quotedRegion(Checking &c, const ast::Expr &e,
                               unsigned quoteRank);

/// The components of the direction \p e: a name, `[-1, 0]`, `d scaledby k`, a
/// value of type direction. None after a report.
std::optional<DirectionExprs> checkDirection(Checking &c, const ast::Expr &e);

} // namespace zpl::sema

#endif // ZPL_LIB_SEMA_ARRAYS_REGIONS_H
