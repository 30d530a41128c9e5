//===- SubscriptRanges.cpp - Subscripts tested before a loop --------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A branch for each index keeps an M-loop from becoming vectors. But most
// subscripts in array statements are those of a table over a dimension, or the
// same for all indices:
//
//     [1..n, ] A := A + weight[Index1 - 1] * scale[k];
//
// They lie within the bounds everywhere if they do at both ends of this
// processor's part of the region, which is two comparisons for the whole loop:
//
//     if (lo - 1 < weight.lo || hi - 1 > weight.hi) fail;
//
// The failure names the subscript that the loop would have come to first. In a
// line `index + offset` that runs from a to b by s that is a, or the first one
// beyond the bound in the direction of s.
//
// Only operations without a guard are looked at, for of others nobody knows
// before the loop at which indices they are executed. Ends are computed with 64
// bits; a sum that the loop wraps at 32 lies outside of every array here, too.
//
// Cost: linear in the body.
//
//===----------------------------------------------------------------------===//

#include "MLoop/SubscriptRanges.h"
#include "Function/LowerAggregates.h"
#include "Function/LowerChecks.h"
#include "Function/LowerScalar.h"
#include "zpl/ArrayIR/Walk.h"

using namespace llvm;
using llvm::cast;

namespace zpl::codegen {

/// Whether the value is the same at all indices, cannot fail and costs little.
static bool isOffset(const air::Expr *expr,
                     function_ref<bool(const air::Variable *)> isFixed) {
  if (!expr->type.isInteger())
    return false;
  if (isa<air::ConstExpr>(expr))
    return true;
  if (auto *read = dyn_cast<air::VarExpr>(expr))
    return isFixed(read->variable);
  if (auto *conversion = dyn_cast<air::CastExpr>(expr))
    return isOffset(conversion->operand, isFixed);
  auto *binary = dyn_cast<air::BinaryExpr>(expr);
  return binary &&
         (binary->op == air::BinaryOp::Add ||
          binary->op == air::BinaryOp::Sub ||
          binary->op == air::BinaryOp::Mul) &&
         isOffset(binary->left, isFixed) && isOffset(binary->right, isFixed);
}

/// An integer converted to a wider or equal type keeps its value.
static const air::Expr *withoutWidening(const air::Expr *expr) {
  while (auto *conversion = dyn_cast<air::CastExpr>(expr)) {
    bool isKept = conversion->operand->type == air::Type::I32 &&
                  (conversion->type == air::Type::I64 ||
                   conversion->type == air::Type::I32);
    if (!isKept)
      break;
    expr = conversion->operand;
  }
  return expr;
}

std::optional<SubscriptRanges::Line> SubscriptRanges::lineOf(
    const air::Expr *expr, const Box &box,
    function_ref<bool(const air::Variable *)> isFixed) const {
  if (isOffset(expr, isFixed))
    return Line{-1, false, {{expr, false}}};
  expr = withoutWidening(expr);
  if (auto *index = dyn_cast<air::IndexExpr>(expr)) {
    if (index->dim >= box.step.size())
      return std::nullopt;
    return Line{static_cast<int>(index->dim), false, {}};
  }
  auto *binary = dyn_cast<air::BinaryExpr>(expr);
  bool subtracts = binary && binary->op == air::BinaryOp::Sub;
  if (!binary || (!subtracts && binary->op != air::BinaryOp::Add))
    return std::nullopt;
  bool isLeft = isOffset(binary->left, isFixed);
  if (!isLeft && !isOffset(binary->right, isFixed))
    return std::nullopt;
  std::optional<Line> line =
      lineOf(isLeft ? binary->right : binary->left, box, isFixed);
  if (!line)
    return line;
  if (isLeft && subtracts) {
    line->isFalling = !line->isFalling;
    for (auto &term : line->terms)
      term.second = !term.second;
  }
  line->terms.push_back(isLeft ? std::pair(binary->left, false)
                               : std::pair(binary->right, subtracts));
  return line;
}

/// The first of first, first + step ... that is not below \p bound, for a
/// positive step; with \p isDown that is not above it, for a negative one.
static Value *firstBeyond(IRBuilder<> &builder, Value *first, Value *step,
                          Value *bound, bool isDown) {
  Value *distance = isDown ? builder.CreateSub(first, bound)
                           : builder.CreateSub(bound, first);
  Value *size = isDown ? builder.CreateNeg(step) : step;
  Value *count = builder.CreateSDiv(
      builder.CreateAdd(distance, builder.CreateSub(size, builder.getInt64(1))),
      size);
  return builder.CreateAdd(first, builder.CreateMul(count, step));
}

void SubscriptRanges::testLine(FunctionState &fn,
                               const air::SubscriptExpr *expr, unsigned dim,
                               const Line &line, const Box &box) const {
  IRBuilder<> &builder = fn.builder;
  auto at = [&](Value *index) {
    Value *sum = builder.getInt64(0);
    if (index)
      sum = line.isFalling ? builder.CreateNeg(index) : index;
    for (auto [term, isSubtracted] : line.terms) {
      Value *value = lowerIndex(fn, term);
      sum = isSubtracted ? builder.CreateSub(sum, value)
                         : builder.CreateAdd(sum, value);
    }
    return sum;
  };
  if (line.dim < 0)
    return checkSubscript(fn, expr, dim, at(nullptr));
  Value *least = at(line.isFalling ? box.hi[line.dim] : box.lo[line.dim]);
  Value *most = at(line.isFalling ? box.lo[line.dim] : box.hi[line.dim]);
  const air::TypeInfo &info = *expr->base->type.info();
  Value *low = bound(fn, info.lo[dim]), *high = bound(fn, info.hi[dim]);
  Value *isLow = builder.CreateICmpSGE(least, low);
  Value *isInside =
      builder.CreateAnd(isLow, builder.CreateICmpSLE(most, high), "inside");
  failUnless(fn, isInside, [&] {
    Value *first = at(box.first[line.dim]);
    Value *step = box.step[line.dim];
    if (line.isFalling)
      step = builder.CreateNeg(step);
    Value *one = builder.getInt64(1);
    Value *rises = builder.CreateICmpSGT(step, builder.getInt64(0));
    Value *later = builder.CreateSelect(
        rises,
        firstBeyond(builder, first, step, builder.CreateAdd(high, one), false),
        firstBeyond(builder, first, step, builder.CreateSub(low, one), true));
    Value *isFirst = builder.CreateOr(builder.CreateICmpSLT(first, low),
                                      builder.CreateICmpSGT(first, high));
    failSubscript(fn, expr, dim, builder.CreateSelect(isFirst, first, later));
  });
}

void SubscriptRanges::test(FunctionState &fn, const air::MLoopStmt &loop,
                           const Box &box,
                           function_ref<bool(const air::Variable *)> isFixed) {
  for (const air::ElementOp &op : loop.body) {
    if (op.guard)
      continue;
    air::forEachExpr(op, [&](const air::Expr &e) {
      auto *place = dyn_cast<air::SubscriptExpr>(&e);
      if (!place || place->isChecked)
        return;
      for (auto [dim, subscript] : enumerate(place->subscripts))
        if (std::optional<Line> line = lineOf(subscript, box, isFixed)) {
          if (tested.insert({place, unsigned(dim)}).second)
            testLine(fn, place, dim, *line, box);
        }
    });
  }
}

} // namespace zpl::codegen
