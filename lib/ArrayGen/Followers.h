//===- Followers.h - Arrays over region variables ---------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The region of `var A: [R] double`, where R is a region variable, changes
/// whenever R is assigned. These functions make such arrays, and others, and
/// move them. See Followers.cpp.
///
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_ARRAYGEN_FOLLOWERS_H
#define ZPL_LIB_ARRAYGEN_FOLLOWERS_H

#include "ProcedureState.h"

namespace zpl::arraygen {

/// `region target = ...`: the region over which \p array is made. If the array
/// follows a variable, that need not have a value yet: no check.
void setDeclared(ProcedureState &p, air::Region *target,
                 const sema::Array *array);

/// `region target = of (direction) declared`: the border that \p border adds
/// to an array over \p declared.
void setBorder(ProcedureState &p, air::Region *target,
               const sema::RegionExpr &border, air::Region *declared);

/// Appends `alloc made`, where \p made is \p array or a member of it. Adds the
/// borders that \p made has not yet, and notes that it follows a variable.
void allocate(ProcedureState &p, const sema::Array *array, air::Array *made);

/// Appends `realloc` of the arrays over the region variable \p variable, of
/// type \p type, after it was set. \p preserves: elements at indices of both
/// regions are kept.
void reallocate(ProcedureState &p, const air::Expr *variable, sema::Type type,
                bool preserves, SourceRange range);

/// The same, preserving, for each region variable in \p place, which is of type
/// \p type and was assigned as a whole; nothing if there is none.
void reallocateParts(ProcedureState &p, const air::Expr *place, sema::Type type,
                     SourceRange range);

/// Lets the copies of sparse region values in \p place, of this type, keep their
/// patterns by themselves.
void adoptPatterns(ProcedureState &p, const air::Expr *place, sema::Type type,
                   SourceRange range);

} // namespace zpl::arraygen

#endif // ZPL_LIB_ARRAYGEN_FOLLOWERS_H
