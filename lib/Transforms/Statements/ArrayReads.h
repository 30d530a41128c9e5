//===- ArrayReads.h - What statements do with an array ----------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_TRANSFORMS_STATEMENTS_ARRAYREADS_H
#define ZPL_LIB_TRANSFORMS_STATEMENTS_ARRAYREADS_H

#include "zpl/ArrayIR/ArrayIR.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace zpl::air {

/// The element of a whole array at the statement's own index; null: it is
/// something else, or null.
const ElementExpr *plainElement(const Expr *expr);

/// Whether a statement itself, not those nested in it, does nothing with the
/// array but to read elements at its own index.
bool onlyReads(const Stmt &stmt, const Array &array);

/// Whether a statement itself, not those nested in it, names the array.
bool names(const Stmt &stmt, const Array &array);

/// Calls \p visit with a statement and all that are nested in it.
void forEachInside(Stmt &stmt, llvm::function_ref<void(Stmt &)> visit);

/// Lets a statement and all that are nested in it read \p value where they read
/// elements of \p array at their own index.
void replaceReads(Module &module, Stmt &stmt, const Array &array,
                  const Expr *value);

} // namespace zpl::air

#endif // ZPL_LIB_TRANSFORMS_STATEMENTS_ARRAYREADS_H
