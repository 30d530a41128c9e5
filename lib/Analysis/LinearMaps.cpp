//===- LinearMaps.cpp - Maps that step evenly with an index ---------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     n + 1 - Index1          linear
//     2 * (Index1 - k)        linear
//     (Index2 + k) % n + 1    linear Index2 + k, modulus n, shift 1
//     Index1 * Index1         no: the index twice
//     Index1 + Index2         no: two dimensions
//
// All is I32, since a sum of wrapped numbers wraps around to the same one in
// whatever order it is computed; only the whole may be converted.
//
//===----------------------------------------------------------------------===//

#include "zpl/Analysis/LinearMaps.h"
#include "zpl/ArrayIR/Walk.h"

using namespace llvm;

namespace zpl::air {

static bool isScalar(const Expr &e) {
  switch (e.kind) {
  case ExprKind::Const:
    return true;
  case ExprKind::Field:
    return isScalar(*cast<FieldExpr>(&e)->base);
  case ExprKind::Var:
    return !cast<VarExpr>(&e)->variable->isFree;
  case ExprKind::Unary:
    return cast<UnaryExpr>(&e)->op == UnaryOp::Neg &&
           isScalar(*cast<UnaryExpr>(&e)->operand);
  case ExprKind::Binary: {
    auto &binary = *cast<BinaryExpr>(&e);
    return (binary.op == BinaryOp::Add || binary.op == BinaryOp::Sub ||
            binary.op == BinaryOp::Mul) &&
           isScalar(*binary.left) && isScalar(*binary.right);
  }
  case ExprKind::Bound:
  case ExprKind::Cast:
  case ExprKind::Element:
  case ExprKind::Index:
  case ExprKind::Remap:
  case ExprKind::Compare:
  case ExprKind::Fma:
  case ExprKind::Math:
  case ExprKind::Call:
  case ExprKind::Subscript:
  case ExprKind::Complex:
    return false;
  }
  llvm_unreachable("an expression outside its enumeration");
}

/// Whether \p e is linear in one index, whose dimension is set; false also if
/// it is in another than \p dim names before.
static bool isLinear(const Expr &e, const Region &region,
                     std::optional<unsigned> &dim) {
  if (e.type != Type::I32)
    return false;
  if (auto *index = dyn_cast<IndexExpr>(&e)) {
    if (isPerProcessor(region.shape[index->dim]) || (dim && *dim != index->dim))
      return false;
    dim = index->dim;
    return true;
  }
  if (auto *unary = dyn_cast<UnaryExpr>(&e))
    return unary->op == UnaryOp::Neg && isLinear(*unary->operand, region, dim);
  auto *binary = dyn_cast<BinaryExpr>(&e);
  if (!binary)
    return isScalar(e);
  if (binary->op == BinaryOp::Add || binary->op == BinaryOp::Sub)
    return isLinear(*binary->left, region, dim) &&
           isLinear(*binary->right, region, dim);
  return binary->op == BinaryOp::Mul &&
         ((isScalar(*binary->left) && isLinear(*binary->right, region, dim)) ||
          (isScalar(*binary->right) && isLinear(*binary->left, region, dim)));
}

/// \p e as `linear % modulus`.
static std::optional<LinearMap> remainder(const Expr &e, const Region &region) {
  LinearMap map;
  auto *binary = dyn_cast<BinaryExpr>(&e);
  if (!binary || binary->op != BinaryOp::Rem || e.type != Type::I32 ||
      !isScalar(*binary->right) || !isLinear(*binary->left, region, map.dim) ||
      !map.dim)
    return std::nullopt;
  map.linear = binary->left;
  map.modulus = binary->right;
  return map;
}

std::optional<LinearMap> linearMap(const Expr &map, const Region &region) {
  if (region.isSparse) // the runtime knows its indices as data
    return std::nullopt;
  const Expr *e = &map;
  if (auto *conversion = dyn_cast<CastExpr>(e);
      conversion && e->type == Type::I64)
    e = conversion->operand;
  LinearMap result;
  if (isLinear(*e, region, result.dim)) {
    result.linear = e;
    return result;
  }
  if (std::optional<LinearMap> whole = remainder(*e, region))
    return whole;
  auto *binary = dyn_cast<BinaryExpr>(e);
  if (!binary || e->type != Type::I32 ||
      (binary->op != BinaryOp::Add && binary->op != BinaryOp::Sub))
    return std::nullopt;
  const Expr *part = binary->left, *shift = binary->right;
  if (binary->op == BinaryOp::Add && isScalar(*part))
    std::swap(part, shift);
  std::optional<LinearMap> found = remainder(*part, region);
  if (!found || !isScalar(*shift))
    return std::nullopt;
  found->shift = shift;
  found->isSubtracted = binary->op == BinaryOp::Sub;
  return found;
}

} // namespace zpl::air
