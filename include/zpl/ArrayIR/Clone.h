//===- Clone.h - Copies of statements under other names ---------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_ARRAYIR_CLONE_H
#define ZPL_ARRAYIR_CLONE_H

#include "zpl/ArrayIR/Operands.h"
#include "zpl/ArrayIR/Rewrite.h"

namespace zpl::air {

/// What takes the place of a procedure's names; what is not here stays.
struct Renaming {
  /// Expressions that may stand wherever the variable is read or is part of a
  /// place: variables, places, and constants of what is not written.
  llvm::DenseMap<const Variable *, const Expr *> variables;
  llvm::DenseMap<const Array *, Array *> arrays;
  llvm::DenseMap<const Region *, Region *> regions;
};

/// Copies statements, of either form, with all that is nested in them. Copies
/// keep their source ranges; what no renaming touches is shared with the
/// original. Transfers are not renamed, nor the walkers' numbers.
class StmtCloner {
public:
  StmtCloner(Module &module, const Renaming &names);

  /// Copies with the new names, which the module owns.
  StmtList clone(const StmtList &list);
  Stmt *clone(const Stmt &stmt);
  const Expr *clone(const Expr *expr) { return rewriter.rewrite(expr); }

  /// From now on \p expr is left as it is, whatever names it has.
  void keep(const Expr *expr) { rewriter.set(expr, expr); }

  /// The first variable that a statement names as a whole, as its target, and
  /// for which the renaming has no variable: the copies are of no use. Null:
  /// there is none.
  const Variable *failed() const { return misfit; }

private:
  /// What takes the place of a leaf.
  const Expr *leaf(const Expr *expr);
  /// Put the new name, or a copy with new names, in the place of the old one.
  void rename(const Operand &operand);
  void rename(const Expr *&expr);
  void rename(const CallExpr *&call);
  void rename(Array *&array);
  void rename(Region *&region);
  void rename(Variable *&variable);

  Module &module;
  const Renaming &names;
  ExprRewriter rewriter;
  const Variable *misfit = nullptr;
};

} // namespace zpl::air

#endif // ZPL_ARRAYIR_CLONE_H
