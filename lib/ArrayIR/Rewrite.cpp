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

const Expr *ExprRewriter::rebuild(const Expr *expr) {
  switch (expr->kind) {
  case ExprKind::Const:
  case ExprKind::Var:
  case ExprKind::Element:
  case ExprKind::Index:
  case ExprKind::Bound:
    return replace(expr);
  case ExprKind::Remap: {
    auto *old = cast<RemapExpr>(expr);
    SmallVector<const Expr *, 2> maps = rewriteAll(old->maps);
    if (equal(maps, old->maps))
      return replace(old);
    auto *made = module.make<RemapExpr>(*old);
    made->maps.assign(maps.begin(), maps.end());
    return replace(made);
  }
  case ExprKind::Unary: {
    auto *old = cast<UnaryExpr>(expr);
    const Expr *operand = rewrite(old->operand);
    if (operand == old->operand)
      return old;
    return module.make<UnaryExpr>(old->op, operand, old->range);
  }
  case ExprKind::Binary: {
    auto *old = cast<BinaryExpr>(expr);
    const Expr *left = rewrite(old->left), *right = rewrite(old->right);
    if (left == old->left && right == old->right)
      return old;
    return module.make<BinaryExpr>(old->op, left, right, old->range);
  }
  case ExprKind::Compare: {
    auto *old = cast<CompareExpr>(expr);
    const Expr *left = rewrite(old->left), *right = rewrite(old->right);
    if (left == old->left && right == old->right)
      return old;
    return module.make<CompareExpr>(old->op, left, right, old->range);
  }
  case ExprKind::Fma: {
    auto *old = cast<FmaExpr>(expr);
    const Expr *a = rewrite(old->a), *b = rewrite(old->b), *c = rewrite(old->c);
    if (a == old->a && b == old->b && c == old->c)
      return old;
    return module.make<FmaExpr>(a, b, c, old->range);
  }
  case ExprKind::Cast: {
    auto *old = cast<CastExpr>(expr);
    const Expr *operand = rewrite(old->operand);
    if (operand == old->operand)
      return old;
    return module.make<CastExpr>(old->type, operand, old->range);
  }
  case ExprKind::Math: {
    auto *old = cast<MathExpr>(expr);
    SmallVector<const Expr *, 2> args = rewriteAll(old->args);
    if (args == old->args)
      return old;
    return module.make<MathExpr>(old->fn, args, old->type, old->range);
  }
  case ExprKind::Call:
    return rebuildCall(cast<CallExpr>(expr));
  case ExprKind::Field: {
    auto *old = cast<FieldExpr>(expr);
    const Expr *base = rewrite(old->base);
    if (base == old->base)
      return old;
    return module.make<FieldExpr>(base, old->field, old->type, old->range);
  }
  case ExprKind::Subscript: {
    auto *old = cast<SubscriptExpr>(expr);
    const Expr *base = rewrite(old->base);
    SmallVector<const Expr *, 2> subscripts = rewriteAll(old->subscripts);
    if (base == old->base && subscripts == old->subscripts)
      return old;
    auto *made = module.make<SubscriptExpr>(base, subscripts, old->text,
                                            old->type, old->range);
    made->isChecked = old->isChecked;
    return made;
  }
  case ExprKind::Complex: {
    auto *old = cast<ComplexExpr>(expr);
    const Expr *re = rewrite(old->re), *im = rewrite(old->im);
    if (re == old->re && im == old->im)
      return old;
    return module.make<ComplexExpr>(re, im, old->type, old->range);
  }
  }
  llvm_unreachable("an expression outside its enumeration");
}

} // namespace zpl::air
