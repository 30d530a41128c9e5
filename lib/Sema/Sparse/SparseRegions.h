//===- SparseRegions.h - Regions with patterns ----------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Regions that have some of the indices within their bounds: `R where e`, the
/// array that such a region is, and which regions and types may be sparse.
///
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_SEMA_SPARSE_SPARSEREGIONS_H
#define ZPL_LIB_SEMA_SPARSE_SPARSEREGIONS_H

#include "Check/Checking.h"

namespace zpl::sema {

/// `R where e`, `R where ?`, with \p quoteRank as checkRegion has it; null after
/// a report.
const RegionExpr *whereRegion(Checking &c, const ast::Where &e,
                              unsigned quoteRank);

/// All indices of \p base at which \p pattern is true; null: `?`.
RegionExpr *whereNode(Checking &c, const RegionExpr *base, const Expr *pattern,
                      SourceRange range);

/// The indices within the bounds of \p region, whatever its pattern.
const RegionExpr *boundsOf(Checking &c, const RegionExpr *region);

/// \p value as a pattern of rank \p rank: a Boolean array, settled; null after a
/// report.
const Expr *patternValue(Checking &c, const Expr *value, unsigned rank);

/// Whether \p region may be sparse in some instance. Values of variables may be
/// wherever the program has sparse regions.
bool mayBeSparse(const Checking &c, const RegionExpr &region);

/// Whether \p region is surely sparse: by its own `where` or that of what it is
/// made of; not by what it inherits.
bool isSurelySparse(const RegionExpr &region);

/// The named region or region variable \p region as a Boolean array. Reports a
/// dense one.
const Expr *patternOf(Checking &c, const RegionExpr *region,
                      llvm::StringRef name);

/// Notes that values of \p type may have the pattern of \p region.
void takesPattern(Checking &c, Type type, const RegionExpr &region);

/// Says of all types of regions whether their values may be sparse, once the
/// module has been checked.
void settleSparseTypes(Checking &c);

/// What the run says where \p region, `where ?`, is read before it was set.
std::string unsetPatternText(const Region &region);

} // namespace zpl::sema

#endif // ZPL_LIB_SEMA_SPARSE_SPARSEREGIONS_H
