//===- Rewrite.h - Expressions with parts replaced --------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_ARRAYIR_REWRITE_H
#define ZPL_ARRAYIR_REWRITE_H

#include "zpl/ArrayIR/ArrayIR.h"
#include "llvm/ADT/DenseMap.h"
#include <functional>

namespace zpl::air {

/// Rebuilds expressions with leaves replaced. Expressions are immutable and
/// may be shared, so a changed leaf gives new nodes up to the root; unchanged
/// parts are kept, and what was shared before is shared after.
class ExprRewriter {
public:
  /// \p replace gives the new expression for a leaf (an expression without
  /// operands, or a RemapExpr over maps that have been rewritten), the same
  /// pointer to keep it. What starts a place must go on
  /// doing so.
  ExprRewriter(Module &module,
               std::function<const Expr *(const Expr *)> replace)
      : module(module), replace(std::move(replace)) {}

  /// The expression with its leaves replaced; itself if none is.
  const Expr *rewrite(const Expr *expr);

  /// From now on \p made takes the place of \p expr, a leaf or not.
  void set(const Expr *expr, const Expr *made) { done[expr] = made; }

private:
  /// rebuild() of each kind of expression.
  struct Rebuilt;
  /// A new node over rewritten operands; \p expr if they are what they were.
  const Expr *rebuild(const Expr *expr);
  const Expr *rebuildCall(const CallExpr *call);
  /// Each of them, rewritten.
  llvm::SmallVector<const Expr *, 2>
  rewriteAll(llvm::ArrayRef<const Expr *> exprs);

  Module &module;
  std::function<const Expr *(const Expr *)> replace;
  llvm::DenseMap<const Expr *, const Expr *> done;
};

} // namespace zpl::air

#endif // ZPL_ARRAYIR_REWRITE_H
