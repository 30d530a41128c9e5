//===- BoxConditions.cpp - What boxes tell of a condition -----------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     R where (abs(Index1 - Index2) < 2 & A > 0)   boxes far from the diagonal
//                                                  are empty, whatever A is
//     R where (Index2 = F)           F: [1..n, *], one column of each row
//     R where (F > 0 & G > 0)        G: [*, 1..n], few elements to look at
//     R where (A > 0)                nothing: A is as large as R
//     R where (Index1 = Index2 | A > 0)            nor here: an `or` needs both
//
// Cost: linear in the condition times its depth.
//
//===----------------------------------------------------------------------===//

#include "zpl/Analysis/BoxConditions.h"
#include "zpl/ArrayIR/Walk.h"

using namespace llvm;

namespace zpl::air {

bool readsElements(const Expr &e) {
  bool reads = false;
  forEachExpr(e, [&](const Expr &part) {
    reads = reads || isa<ElementExpr, RemapExpr>(part);
  });
  return reads;
}

/// Whether it may differ between the columns of a row.
static bool variesInRows(const Expr &e, unsigned last) {
  bool varies = false;
  forEachExpr(e, [&](const Expr &part) {
    auto *index = dyn_cast<IndexExpr>(&part);
    auto *element = dyn_cast<ElementExpr>(&part);
    varies = varies || (index && index->dim == last) ||
             (element && element->array->shape[last] != DimKind::Flood);
  });
  return varies;
}

/// Whether boxes or rows tell something of where \p e, with \p last as the last
/// dimension, is \p wanted, without a look at each index.
static bool restricts(const Expr &e, unsigned last, bool wanted) {
  if (!readsElements(e)) {
    bool hasIndex = false;
    forEachExpr(e, [&](const Expr &part) {
      hasIndex = hasIndex || isa<IndexExpr>(part);
    });
    return hasIndex;
  }
  if (!variesInRows(e, last))
    return true;
  if (auto *unary = dyn_cast<UnaryExpr>(&e))
    return unary->op == UnaryOp::Not &&
           restricts(*unary->operand, last, !wanted);
  if (auto *binary = dyn_cast<BinaryExpr>(&e)) {
    if (binary->op != BinaryOp::And && binary->op != BinaryOp::Or)
      return false;
    bool left = restricts(*binary->left, last, wanted);
    bool right = restricts(*binary->right, last, wanted);
    return (binary->op == BinaryOp::And) == wanted ? left || right
                                                   : left && right;
  }
  auto *compare = dyn_cast<CompareExpr>(&e);
  if (!compare || compare->left->type != Type::I32)
    return false;
  bool isLeft = variesInRows(*compare->left, last);
  const Expr &side = *(isLeft ? compare->left : compare->right);
  return isLeft != variesInRows(*compare->right, last) && !readsElements(side);
}

/// Whether all arrays that it reads have less elements than the base.
static bool readsVectorsOnly(const Expr &condition) {
  bool result = true;
  forEachExpr(condition, [&](const Expr &e) {
    auto *element = dyn_cast<ElementExpr>(&e);
    result = result &&
             (!element || is_contained(element->array->shape, DimKind::Flood));
  });
  return result;
}

bool isFoundInBoxes(const Expr &condition, unsigned last) {
  return !readsElements(condition) || readsVectorsOnly(condition) ||
         restricts(condition, last, /*wanted=*/true);
}

} // namespace zpl::air
