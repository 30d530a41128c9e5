//===- Initializers.h - What declarations start with ------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// `var a: array [1..2] of T = {1, 2}`: an initializer is checked against the
/// type first (checkInitializer), then the declaration sets up its variables
/// from it (setUp), each for itself.
///
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_SEMA_STATEMENTS_INITIALIZERS_H
#define ZPL_LIB_SEMA_STATEMENTS_INITIALIZERS_H

#include "Check/Checking.h"
#include "zpl/AST/Expr.h"
#include "zpl/Sema/Program.h"
#include <memory>

namespace zpl::sema {

/// An initializer after its check: one value, or a value for every element that
/// is promoted, or parts.
struct Initializer {
  struct Part {
    unsigned field = 0;                    ///< of a record or union
    llvm::SmallVector<int64_t, 4> offsets; ///< of an array: from its low bounds
    std::unique_ptr<Initializer> init;
  };
  /// A number of values that the run compares with an extent.
  struct Extent {
    size_t dim;
    int64_t count;
    SourceRange range;
  };
  SourceRange range;
  bool isFree = false; ///< the values may differ between processors
  const Expr *value = nullptr;
  const ast::Expr *promoted = nullptr;
  std::vector<Part> parts;
  std::vector<Extent> extents;
  llvm::SmallVector<int64_t, 4> prefix; ///< while a list is read: its place
};

/// Checks \p e as the initializer of a variable of type \p type (\p rank 0) or
/// of a parallel array of that rank whose elements have it; \p isFree: of a
/// free variable. Null after a report: a type, rank or number of values that
/// does not fit.
std::unique_ptr<Initializer> checkInitializer(Checking &c, const ast::Expr &e,
                                              Type type, unsigned rank,
                                              bool isFree);

/// \p e as a value for all elements of an array of rank \p rank. Reports free
/// values and other ranks.
const Expr *elementValue(Checking &c, const ast::Expr &e, unsigned rank);

/// The same for a declared array, `var A: [R] double = Index1`: its declared
/// region covers the initializer.
const Expr *initialElements(Checking &c, const ast::Expr &e, unsigned rank);

/// The value of \p bound as an expression of type longint: a constant or the
/// hidden variable that has it.
const Expr *boundExpr(Checking &c, TypeBound bound, SourceRange range);

/// Adds to \p to the statements that give \p place, a variable or a whole
/// array, the value of \p init, and the comparisons of extents.
void setUp(Checking &c, const Expr *place, const Initializer &init,
           StmtList &to);

} // namespace zpl::sema

#endif // ZPL_LIB_SEMA_STATEMENTS_INITIALIZERS_H
