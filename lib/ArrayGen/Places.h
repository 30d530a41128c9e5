//===- Places.h - Names with fields and subscripts --------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The parts of a place, `f(i)` in `a[f(i)].x`, are evaluated once or element
/// by element; the place itself is only looked at when it is read or written.
/// See Places.cpp.
///
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_ARRAYGEN_PLACES_H
#define ZPL_LIB_ARRAYGEN_PLACES_H

#include "ProcedureState.h"

namespace zpl::arraygen {

/// Appends to \p parts what evaluating \p place evaluates: its subscripts, from
/// left to right, after what it starts from if that is no name.
void addParts(const sema::Expr *place,
              llvm::SmallVectorImpl<const sema::Expr *> &parts);

/// The parallel array that \p place starts from, or null.
const sema::ArrayExpr *rootArray(const sema::Expr *place);

/// The place, or its value, with its parts evaluated here, which \p later and
/// stores to \p written do not change: `set %t = f(i)`, then `@a[%t].x`. In an
/// array statement over \p over it is prepared, and an element or part of one.
const air::Expr *placeExpr(ProcedureState &p, const sema::Expr *place,
                           Cover over,
                           llvm::ArrayRef<const sema::Expr *> later = {},
                           llvm::ArrayRef<air::Array *> written = {});

/// The same with parts that were evaluated before, in the order of addParts():
/// \p next is the first, and is moved past those of this place.
const air::Expr *placeExpr(ProcedureState &p, const sema::Expr *place,
                           const air::Expr *const *&next, Cover over);

} // namespace zpl::arraygen

#endif // ZPL_LIB_ARRAYGEN_PLACES_H
