//===- RegionExpressions.h - Regions, masks and legality --------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Regions, directions and covers are evaluated here, and references checked
/// against them. An error ends the run with a message at the source. See
/// RegionExpressions.cpp.
///
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_INTERPRET_REGIONS_REGIONEXPRESSIONS_H
#define ZPL_LIB_INTERPRET_REGIONS_REGIONEXPRESSIONS_H

#include "Run.h"

namespace zpl::interpreter {

/// The value of a region expression, with its level. Ends the run if a bound
/// does not fit an integer, a region variable has no value, or a sparse region
/// no pattern, unless it \p mayBeUnset.
Region evaluate(Run &run, const sema::RegionExpr &expr,
                bool mayBeUnset = false);

/// The same without the level that it may say; a variable need not have a
/// value.
Region unleveled(Run &run, const sema::RegionExpr &expr);

/// The place of a named region.
std::shared_ptr<const Region> &find(Run &run, const sema::RegionExpr &named);

/// As evaluate, to be kept by several.
std::shared_ptr<const Region> share(Run &run, const sema::RegionExpr &expr);

/// The components of a direction, from left to right.
Components evaluate(Run &run, llvm::ArrayRef<const sema::Expr *> direction);

/// The innermost scope of the rank; if there is none, the run ends.
const Cover &cover(Run &run, unsigned rank, SourceRange where);

/// The region with the mask that is written with it, evaluated now. A quote in
/// the mask is the mask of the scope that is open.
Cover masked(Run &run, std::shared_ptr<const Region> region,
             const sema::Mask &mask);

/// Checks that every bound is an index: it fits 32 bits.
void checkBounds(Run &run, const Region &region, SourceRange where);

/// Checks that every index of \p region, moved by \p direction, is one of the
/// array's or of its borders'. \p verb, "reads" or "writes", is for the
/// message.
void checkInside(Run &run, const sema::ArrayExpr *expr,
                 const ArrayStorage &array, const Region &region,
                 const Components &direction, const char *verb);

/// What the run says where \p what writes an index that \p array does not store.
std::string unstoredText(const std::string &what, const Index &index,
                         const ArrayStorage &array);

/// Checks that a sparse \p array stores every index that is written: those that
/// \p prepared admits, shifted as \p expr says.
void checkStored(Run &run, const sema::ArrayExpr *expr,
                 const ArrayStorage &array, const Prepared &prepared);

/// "(2, 4)", of the rank \p rank.
std::string indexText(const Index &index, unsigned rank);

/// Checks `A@^d`: in each dimension the moved indices have the alignment of the
/// array, which is not empty.
void checkWraps(Run &run, const sema::ArrayExpr *expr,
                const ArrayStorage &array, const Region &region,
                const Components &direction);

/// Checks a flood or partial reduction, \p what: where both regions have
/// ranges, these are equal.
void checkConforms(Run &run, const Region &source, const Region &over,
                   const std::string &what, SourceRange where);

} // namespace zpl::interpreter

#endif // ZPL_LIB_INTERPRET_REGIONS_REGIONEXPRESSIONS_H
