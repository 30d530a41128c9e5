//===- SameExprs.cpp - Expressions that say the same ----------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     U[i + 1]@east  and  U[i + 1]@west       the same but for their directions
//     F[i]           and  F[j]                not, whatever i and j are
//
// Kind by kind and operand by operand. Calls are the same as nothing, since two
// of them may return two values. Cost: linear in the smaller expression.
//
//===----------------------------------------------------------------------===//

#include "zpl/Sema/Tree.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/ErrorHandling.h"

namespace zpl::sema {

bool areSame(llvm::ArrayRef<const Expr *> a, llvm::ArrayRef<const Expr *> b) {
  return a.size() == b.size() &&
         llvm::all_of(llvm::zip(a, b), [](const auto &pair) {
           return isSame(std::get<0>(pair), std::get<1>(pair));
         });
}

bool isSame(const Expr *a, const Expr *b) {
  if (a->kind != b->kind || a->type != b->type)
    return false;
  switch (a->kind) {
  case ExprKind::Literal: {
    auto *x = llvm::cast<LiteralExpr>(a), *y = llvm::cast<LiteralExpr>(b);
    return x->integer == y->integer && x->text == y->text &&
           llvm::bit_cast<uint64_t>(x->number) ==
               llvm::bit_cast<uint64_t>(y->number);
  }
  case ExprKind::Variable:
    return llvm::cast<VariableExpr>(a)->variable ==
           llvm::cast<VariableExpr>(b)->variable;
  case ExprKind::Component:
    return llvm::cast<ComponentExpr>(a)->direction ==
               llvm::cast<ComponentExpr>(b)->direction &&
           llvm::cast<ComponentExpr>(a)->component ==
               llvm::cast<ComponentExpr>(b)->component;
  case ExprKind::Array:
    return llvm::cast<ArrayExpr>(a)->array == llvm::cast<ArrayExpr>(b)->array &&
           areSame(llvm::cast<ArrayExpr>(a)->subscripts,
                   llvm::cast<ArrayExpr>(b)->subscripts);
  case ExprKind::Unary:
    return llvm::cast<UnaryExpr>(a)->op == llvm::cast<UnaryExpr>(b)->op &&
           isSame(llvm::cast<UnaryExpr>(a)->operand,
                  llvm::cast<UnaryExpr>(b)->operand);
  case ExprKind::Binary: {
    auto *x = llvm::cast<BinaryExpr>(a), *y = llvm::cast<BinaryExpr>(b);
    return x->op == y->op && isSame(x->left, y->left) &&
           isSame(x->right, y->right);
  }
  case ExprKind::Cast:
    return isSame(llvm::cast<CastExpr>(a)->operand,
                  llvm::cast<CastExpr>(b)->operand);
  case ExprKind::Math:
    return llvm::cast<MathExpr>(a)->fn == llvm::cast<MathExpr>(b)->fn &&
           areSame(llvm::cast<MathExpr>(a)->args,
                   llvm::cast<MathExpr>(b)->args);
  case ExprKind::Field:
    return llvm::cast<FieldExpr>(a)->field == llvm::cast<FieldExpr>(b)->field &&
           isSame(llvm::cast<FieldExpr>(a)->base,
                  llvm::cast<FieldExpr>(b)->base);
  case ExprKind::Subscript:
    return isSame(llvm::cast<SubscriptExpr>(a)->base,
                  llvm::cast<SubscriptExpr>(b)->base) &&
           areSame(llvm::cast<SubscriptExpr>(a)->subscripts,
                   llvm::cast<SubscriptExpr>(b)->subscripts);
  case ExprKind::Index:
  case ExprKind::Compare:
  case ExprKind::Fma:
  case ExprKind::Call:
  case ExprKind::Reduce:
  case ExprKind::Flood:
  case ExprKind::Scan:
  case ExprKind::Gather:
  case ExprKind::EnclosingMask:
  case ExprKind::RegionBound:
  case ExprKind::Timer:
  case ExprKind::Processors:
  case ExprKind::GridPlace:
  case ExprKind::Complex:
  case ExprKind::Builtin:
  case ExprKind::RegionValue:
  case ExprKind::DirectionValue:
  case ExprKind::Irv:
  case ExprKind::Pattern:
  case ExprKind::Inside:
    return false;
  }
  llvm_unreachable("unknown expression");
}

} // namespace zpl::sema
