//===- Combining.cpp - What scatters combine with -------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     H#[K] += 1      is        scatter %H at (%K) = %T over %R with @combine
//
//     proc @combine(ref %old : i32, ref %new : i32) block scalar {
//       set %old = add(%old, %new)
//     }
//
//===----------------------------------------------------------------------===//

#include "zpl/Analysis/Combining.h"

using namespace llvm;

namespace zpl::air {

std::optional<BinaryOp> combiningOp(const Procedure &combine) {
  if (combine.body.size() != 1 || combine.params.size() != 2)
    return std::nullopt;
  auto *set = dyn_cast<SetStmt>(combine.body[0]);
  auto *value = set ? dyn_cast<BinaryExpr>(set->value) : nullptr;
  auto is = [&](const Expr *expr, unsigned parameter) {
    auto *variable = dyn_cast<VarExpr>(expr);
    return variable && variable->variable == combine.params[parameter].variable;
  };
  if (!value || !is(set->target, 0) || !is(value->left, 0) ||
      !is(value->right, 1))
    return std::nullopt;
  return value->op;
}

/// Of numbers whose sums wrap around.
static bool isFreeOfWhole(BinaryOp op) {
  return op == BinaryOp::Add || op == BinaryOp::Mul || op == BinaryOp::Min ||
         op == BinaryOp::Max || op == BinaryOp::BitAnd ||
         op == BinaryOp::BitOr || op == BinaryOp::BitXor;
}

bool mayCombineFirst(BinaryOp op, Type element, bool ordered) {
  bool isSum = op == BinaryOp::Add || op == BinaryOp::Mul;
  if (element == Type::F32 || element == Type::F64)
    return isSum && !ordered;
  if (element == Type::Bool)
    return op == BinaryOp::And || op == BinaryOp::Or;
  bool isWhole = element == Type::I32 || element == Type::I64 ||
                 element == Type::U32 || element == Type::U64;
  return isWhole && isFreeOfWhole(op);
}

} // namespace zpl::air
