//===- Rewrite.cpp - Expressions with parts replaced ----------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In `add(%A@(0,1), mul(%x, %y))` with elements of A replaced, `add` is made
// anew and `mul` is the old node. A table remembers what became of each node,
// so the work is linear also where nodes are shared.
//
//===----------------------------------------------------------------------===//

#include "zpl/ArrayIR/Rewrite.h"
#include "zpl/ArrayIR/Walk.h"
#include "llvm/Support/ErrorHandling.h"

using namespace llvm;

namespace zpl::air {

const Expr *ExprRewriter::rewrite(const Expr *expr) {
  auto found = done.find(expr);
  if (found != done.end())
    return found->second;
  const Expr *result = rebuild(expr);
  done[expr] = result;
  return result;
}

SmallVector<const Expr *, 2>
ExprRewriter::rewriteAll(ArrayRef<const Expr *> exprs) {
  SmallVector<const Expr *, 2> result;
  for (const Expr *expr : exprs)
    result.push_back(rewrite(expr));
  return result;
}

const Expr *ExprRewriter::rebuildCall(const CallExpr *call) {
  SmallVector<Argument, 4> args(call->args.begin(), call->args.end());
  bool changed = false;
  for (auto [arg, old] : zip(args, call->args)) {
    if (old.value)
      arg.value = rewrite(old.value);
    else if (old.place)
      arg.place = rewrite(old.place);
    changed |= arg.value != old.value || arg.place != old.place;
  }
  if (!changed)
    return call;
  return module.make<CallExpr>(call->callee, call->type, args, call->range);
}

struct ExprRewriter::Rebuilt {
  ExprRewriter &r;

  const Expr *of(const OneOf<ConstExpr, VarExpr, ElementExpr, IndexExpr,
                             BoundExpr> auto &old) {
    return r.replace(&old);
  }
  const Expr *of(const RemapExpr &old) {
    SmallVector<const Expr *, 2> maps = r.rewriteAll(old.maps);
    if (equal(maps, old.maps))
      return r.replace(&old);
    auto *made = r.module.make<RemapExpr>(old);
    made->maps.assign(maps.begin(), maps.end());
    return r.replace(made);
  }
  const Expr *of(const UnaryExpr &old) {
    const Expr *operand = r.rewrite(old.operand);
    if (operand == old.operand)
      return &old;
    return r.module.make<UnaryExpr>(old.op, operand, old.range);
  }
  template <OneOf<BinaryExpr, CompareExpr> T> const Expr *of(const T &old) {
    const Expr *left = r.rewrite(old.left), *right = r.rewrite(old.right);
    if (left == old.left && right == old.right)
      return &old;
    return r.module.make<T>(old.op, left, right, old.range);
  }
  const Expr *of(const FmaExpr &old) {
    const Expr *a = r.rewrite(old.a), *b = r.rewrite(old.b),
               *c = r.rewrite(old.c);
    if (a == old.a && b == old.b && c == old.c)
      return &old;
    return r.module.make<FmaExpr>(a, b, c, old.range);
  }
  const Expr *of(const CastExpr &old) {
    const Expr *operand = r.rewrite(old.operand);
    if (operand == old.operand)
      return &old;
    return r.module.make<CastExpr>(old.type, operand, old.range);
  }
  const Expr *of(const MathExpr &old) {
    SmallVector<const Expr *, 2> args = r.rewriteAll(old.args);
    if (args == old.args)
      return &old;
    return r.module.make<MathExpr>(old.fn, args, old.type, old.range);
  }
  const Expr *of(const CallExpr &old) { return r.rebuildCall(&old); }
  const Expr *of(const FieldExpr &old) {
    const Expr *base = r.rewrite(old.base);
    if (base == old.base)
      return &old;
    return r.module.make<FieldExpr>(base, old.field, old.type, old.range);
  }
  const Expr *of(const SubscriptExpr &old) {
    const Expr *base = r.rewrite(old.base);
    SmallVector<const Expr *, 2> subscripts = r.rewriteAll(old.subscripts);
    if (base == old.base && subscripts == old.subscripts)
      return &old;
    auto *made = r.module.make<SubscriptExpr>(base, subscripts, old.text,
                                              old.type, old.range);
    made->isChecked = old.isChecked;
    return made;
  }
  const Expr *of(const ComplexExpr &old) {
    const Expr *re = r.rewrite(old.re), *im = r.rewrite(old.im);
    if (re == old.re && im == old.im)
      return &old;
    return r.module.make<ComplexExpr>(re, im, old.type, old.range);
  }
};

const Expr *ExprRewriter::rebuild(const Expr *expr) {
  return visitKind(*expr,
                   [&](const auto &known) { return Rebuilt{*this}.of(known); });
}

} // namespace zpl::air
