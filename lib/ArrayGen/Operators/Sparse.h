//===- Sparse.h - Sparse regions and their patterns -------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What language 10 has beyond dense regions: patterns, what sets and changes
/// them and asks for them, and the implicitly replicated values of arrays.
///
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_ARRAYGEN_OPERATORS_SPARSE_H
#define ZPL_LIB_ARRAYGEN_OPERATORS_SPARSE_H

#include "ProcedureState.h"

namespace zpl::arraygen {

/// Whether the region is sparse where the covering regions are those of \p p.
bool isSparse(const ProcedureState &p, const sema::RegionExpr &expr);

/// Whether the array or the region is sparse in this instance.
bool isSparse(const ProcedureState &p, const sema::Symbol &symbol);

/// The region, which must have a pattern here if it is sparse: else the run
/// ends with this text (empty: it has one).
void checkPattern(ProcedureState &p, air::Region *region, llvm::StringRef unset,
                  SourceRange range);

/// The region, with or without pattern: what is set, or asked for its bounds
/// only.
air::Region *unchecked(ProcedureState &p, const sema::RegionExpr &expr);

/// The dense region of the same bounds and strides; \p region if it is dense.
air::Region *boundsOf(ProcedureState &p, air::Region *region,
                      SourceRange range);

/// `base where pattern`. Its mask is a temporary of the scope at hand.
air::RegionExpr whereRegion(ProcedureState &p, const sema::RegionExpr &expr);

/// A sparse region with the indices of \p region: itself, or all of a dense
/// one.
air::Region *withPattern(ProcedureState &p, air::Region *region,
                         SourceRange range);

/// The place in the storage of a region value where its pattern is kept.
const air::Expr *patternPlace(ProcedureState &p, const air::Expr *place,
                              unsigned rank, SourceRange range);

/// A region of the default domain, for patterns are kept as those of that, with
/// \p value, whose pattern is kept; to be taken by \p target of another one.
air::Region *keptRegion(ProcedureState &p, const air::Region &target,
                        const air::RegionExpr &value, SourceRange range);

/// Lets the copy of a sparse region value at \p place have its pattern by
/// itself.
void adoptPattern(ProcedureState &p, const air::Expr *place, sema::Type type,
                  SourceRange range);

void patternAssignment(ProcedureState &p, const sema::PatternAssignStmt *stmt);
void modifyStatement(ProcedureState &p, const sema::ModifyStmt *stmt);
void addStatement(ProcedureState &p, const sema::AddStmt *stmt);

/// The region as an array of booleans over \p over: true where it has an index.
const air::Expr *patternValue(ProcedureState &p, const sema::PatternExpr *expr,
                              Cover over);

/// Whether the region has the index, or at each index of \p over that which the
/// operands say there.
const air::Expr *insideValue(ProcedureState &p, const sema::InsideExpr *expr,
                             Cover over);

/// How many indices the region has.
const air::Expr *sizeValue(ProcedureState &p,
                           const sema::RegionBoundExpr *expr);

/// The variable that stands for the implicitly replicated value in this
/// statement. If \p isPlace the array gets it back at the end of the statement.
const air::Expr *irvValue(ProcedureState &p, const sema::IrvExpr *expr,
                          bool isPlace);

/// Gives the arrays the values that the statement may have changed, from
/// \p first on.
void storeIrvs(ProcedureState &p, size_t first, SourceRange range);

/// Sets the implicitly replicated value of \p target to that of \p source.
/// Nothing if one is dense.
void copyIrv(ProcedureState &p, air::Array *target, air::Array *source,
             SourceRange range);

} // namespace zpl::arraygen

#endif // ZPL_LIB_ARRAYGEN_OPERATORS_SPARSE_H
