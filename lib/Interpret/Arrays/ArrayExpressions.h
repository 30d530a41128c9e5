//===- ArrayExpressions.h - Array expressions as a whole --------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// An array expression is prepared for a region, then evaluated with eval() at
/// each index that the mask leaves. Prepared::over is set by the caller; the
/// rest of it is filled here. See ArrayExpressions.cpp.
///
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_INTERPRET_ARRAYS_ARRAYEXPRESSIONS_H
#define ZPL_LIB_INTERPRET_ARRAYS_ARRAYEXPRESSIONS_H

#include "Run.h"

namespace zpl::interpreter {

/// Evaluates what of \p expr is evaluated once: scalars, directions, arrays
/// that operators make. Ends the run if a reference is illegal over the region.
void prepare(Run &run, const sema::Expr *expr, Prepared &prepared);

/// The same for all of \p exprs, from left to right. The elements of one are
/// evaluated before its right neighbours if these may change what it reads.
void prepareInOrder(Run &run, llvm::ArrayRef<const sema::Expr *> exprs,
                    Prepared &prepared);

/// Prepares what is written: the reference that \p place starts from is checked
/// as one that writes, and noted for checkTargets().
void prepareTarget(Run &run, const sema::Expr *place, Prepared &prepared);

/// Prepares the subscripts of a place, and what it starts from if that is no
/// name.
void prepareParts(Run &run, const sema::Expr *place, Prepared &prepared);

/// Evaluates the members and directions of all references that \p expr reads
/// element by element, which come before everything else in it. No checks.
void prepareReferences(Run &run, const sema::Expr &expr, Prepared &prepared);

/// Checks the targets again: what was prepared after them may have changed
/// their regions.
void checkTargets(Run &run, const Prepared &prepared);

/// The elements of \p expr where \p over admits them; zeros elsewhere.
std::unique_ptr<ArrayStorage> materialize(Run &run, const sema::Expr *expr,
                                          const Cover &over);

/// The same of an expression that is prepared, over `prepared.over`.
std::unique_ptr<ArrayStorage> materialize(Run &run, const sema::Expr *expr,
                                          const Prepared &prepared);

/// An array of zeros over \p region, without a name.
std::unique_ptr<ArrayStorage>
temporary(Run &run, Type element, const Region &region, SourceRange where);

/// Visits the indices that the mask leaves, in row-major order.
void forEachAdmitted(const Prepared &prepared,
                     llvm::function_ref<void(const At &)> visit);

} // namespace zpl::interpreter

#endif // ZPL_LIB_INTERPRET_ARRAYS_ARRAYEXPRESSIONS_H
