//===- Locations.h - Reductions that say where ------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// `mean minloc maxloc argmin argmax`: reductions that are made of others.
///
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_SEMA_ARITHMETIC_LOCATIONS_H
#define ZPL_LIB_SEMA_ARITHMETIC_LOCATIONS_H

#include "Check/Checking.h"
#include "Names/Predeclared.h"

namespace zpl::sema {

/// Makes the reduction of a value over what the reduction at hand is over.
using MakeReduction =
    llvm::function_ref<const Expr *(Reduction, const Expr *value)>;

/// The reduction \p function of \p value, of rank \p rank (0: over processors),
/// which it is defined for.
const Expr *madeReduction(Checking &c, Function function, const Expr *value,
                          unsigned rank, MakeReduction make, SourceRange range);

/// Where the first element, in row-major order, is for which something holds.
struct FirstElement {
  llvm::SmallVector<const Expr *, 6> index; ///< an integer per dimension
  const Expr
      *processor; ///< that has it; of rank 0 the first for which it holds
};

/// The first element of rank \p rank for which \p condition is true; MAXINT
/// stands for all numbers if there is none. \p keep makes values of scalars
/// that may be used more than once.
FirstElement
firstElement(Checking &c, const Expr *condition, unsigned rank,
             MakeReduction make,
             llvm::function_ref<const Expr *(const Expr *key)> keep);

} // namespace zpl::sema

#endif // ZPL_LIB_SEMA_ARITHMETIC_LOCATIONS_H
