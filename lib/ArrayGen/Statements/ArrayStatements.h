//===- ArrayStatements.h - Array statements in normal form ------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// An array statement of the IR runs index by index in any order; one of ZPL
/// reads its right side first. Here is what stores elements, and what says
/// whether a temporary is needed. See ArrayStatements.cpp.
///
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_ARRAYGEN_STATEMENTS_ARRAYSTATEMENTS_H
#define ZPL_LIB_ARRAYGEN_STATEMENTS_ARRAYSTATEMENTS_H

#include "ProcedureState.h"

namespace zpl::arraygen {

/// `[R] A := e` over the covering region; prepares both sides.
void assignArray(ProcedureState &p, const sema::ArrayAssignStmt *stmt);

/// `[over] target = source`, prepared; \p target is an element or a part of
/// one. \p root: the reference in the target, if a call in the source may
/// change its region, so that it is checked again.
void assign(ProcedureState &p, const air::Expr *target,
            const sema::Expr *source, Cover over, SourceRange range,
            const sema::ArrayExpr *root = nullptr);

/// Appends `[over] target = value` as it is, under the mask of \p over, as a
/// statement or as an operation of the wave that is open.
void storeElements(ProcedureState &p, const air::Expr *target,
                   const air::Expr *value, Cover over, SourceRange range);

/// As value, but a promoted call that writes arrays may be returned as it
/// is: the caller makes a whole statement of it.
const air::Expr *wholeValue(ProcedureState &p, const sema::Expr *expr,
                            Cover over);

/// The elements of a prepared array expression in a new temporary over \p over,
/// which the caller's scope frees.
air::Array *materialize(ProcedureState &p, const sema::Expr *expr, Cover over,
                        air::Fluff fluff = {});

/// An array whose elements over \p over are those of \p expr: an existing
/// one where there is one that shares no storage with those of \p written.
/// Evaluating \p later afterwards does not change them; other statements
/// may. A new one is a temporary of the caller's scope.
air::Array *readable(ProcedureState &p, const sema::Expr *expr, Cover over,
                     llvm::ArrayRef<air::Array *> written = {},
                     llvm::ArrayRef<const sema::Expr *> later = {});

/// A new temporary over \p over with the elements \p value; other temporaries
/// of \p scope are freed.
air::Array *store(ProcedureState &p, const air::Expr *value, Cover over,
                  TemporaryScope &scope, air::Fluff fluff = {});

/// False if the two surely have no memory in common, also by what they are
/// views or floods of.
bool mayShareStorage(const ProcedureState &p, const air::Array *a,
                     const air::Array *b);

/// Whether \p array may share storage with one of \p written.
bool isAnyWritten(const ProcedureState &p, llvm::ArrayRef<air::Array *> written,
                  const air::Array *array);

/// Whether storing to \p target index by index could change what \p value reads
/// later: `A@east` is disturbed by A, A is not.
bool disturbs(const ProcedureState &p, const air::Array *target,
              const air::Expr *value);

} // namespace zpl::arraygen

#endif // ZPL_LIB_ARRAYGEN_STATEMENTS_ARRAYSTATEMENTS_H
