//===- Inquiry.h - Region inquiry -------------------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What programs ask of regions: `size(R)`, `lo(R, 1)`, `[i, j] inside R`.
///
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_SEMA_CHECK_INQUIRY_H
#define ZPL_LIB_SEMA_CHECK_INQUIRY_H

#include "Check/Checking.h"
#include "Names/Predeclared.h"

namespace zpl::sema {

/// A call of a function on regions, with the right number of arguments:
/// `size(R)`, `rank(R)`, `lo(R, d)`, `stride(R, d)` ... of type integer.
/// Reports dimensions that are no constants from 1 to the rank. The first four
/// take indexed arrays as well.
const Expr *checkInquiry(Checking &c, const ast::Call &e, Function function);

/// One number that describes dimension \p dim (from 0) of \p region, as it is
/// kept: the constant or config variable if the region was written with it,
/// else read from the region at run time. Requires a dimension with bounds.
const Expr *regionBound(Checking &c, RegionBoundExpr::Which which,
                        const RegionExpr &region, unsigned dim,
                        SourceRange range);

/// The first (\p which: Lo, OwnLo) or last (Hi, OwnHi) index of dimension
/// \p dim that is one of the region's: in a strided dimension, the bound moved
/// to the alignment.
const Expr *memberBound(Checking &c, RegionBoundExpr::Which which,
                        const RegionExpr &region, unsigned dim,
                        SourceRange range);

/// The dimension that \p e, an argument of \p function, names, from 0; none
/// after a report.
std::optional<unsigned> inquiredDim(Checking &c, const ast::Expr &e,
                                    unsigned rank, llvm::StringRef function);

/// `[i, j] inside R` as a boolean, an array if an index is one; any index is
/// inside of a flooded or grid dimension. Reports types that are not integral
/// and a number of indices other than R's rank.
const Expr *checkInside(Checking &c, const ast::Inside &e);

} // namespace zpl::sema

#endif // ZPL_LIB_SEMA_CHECK_INQUIRY_H
