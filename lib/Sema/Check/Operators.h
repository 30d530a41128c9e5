//===- Operators.h - Types and ranks of operations --------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The rules of operands that expressions of all kinds share: types,
/// conversions, ranks.
///
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_SEMA_CHECK_OPERATORS_H
#define ZPL_LIB_SEMA_CHECK_OPERATORS_H

#include "Check/Checking.h"

namespace zpl::sema {

/// `left op right`, checked operands of any type: converts them to the common
/// type and folds. Reports types and ranks that do not go together; warns of
/// likely mistakes. \p opRange is the operator's.
const Expr *checkBinary(Checking &c, ast::BinaryOp op, SourceRange opRange,
                        const Expr *left, const Expr *right, SourceRange range);

/// Warns that \p value loses in a conversion to \p to, unless it is a constant
/// that keeps its value.
void warnIfNarrowing(Checking &c, const Expr *value, Type to);

/// \p value as a value of type \p to, by the rules of assignment. Reports types
/// that do not convert; warns where that narrows.
const Expr *convert(Checking &c, const Expr *value, Type to);

/// Whether the ranks of two operands go together: equal, or one a scalar or
/// made of `Index1` alone. Reports at \p place otherwise.
bool haveConformingRanks(Checking &c, const Expr *left, const Expr *right,
                         SourceRange place);

/// Whether \p value, an expression of `Index1` ... alone or of rank \p rank,
/// fits \p rank; reports `Index3` in two dimensions.
bool fitsRank(Checking &c, const Expr *value, unsigned rank);

/// Reports that \p value is a parallel array where \p what ("subscript") must
/// be a scalar.
void reportArray(Checking &c, const Expr *value, llvm::StringRef what);

} // namespace zpl::sema

#endif // ZPL_LIB_SEMA_CHECK_OPERATORS_H
