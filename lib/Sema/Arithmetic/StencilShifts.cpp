//===- StencilShifts.cpp - References that differ by a shift --------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     A@east, A@(east scaledby k), A@^dir[l][0, 1], Float A@east.x
//
// are elements of one array at offsets (0,1) from a *base*: nothing for a
// constant direction, k, the indexed array dir[l]. Those of one array and base
// differ by the offsets. Cost: linear in the directions.
//
//===----------------------------------------------------------------------===//

#include "Arithmetic/StencilShifts.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/ErrorHandling.h"

namespace zpl::sema {

static const Expr *withoutCasts(const Expr *e) {
  while (auto *cast = llvm::dyn_cast<CastExpr>(e))
    e = cast->operand;
  return e;
}

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

//===----------------------------------------------------------------------===//
// References
//===----------------------------------------------------------------------===//

static std::optional<int64_t> constantOf(const Expr *e) {
  auto *literal = llvm::dyn_cast<LiteralExpr>(withoutCasts(e));
  return literal ? std::optional(literal->integer) : std::nullopt;
}

/// Adds the last subscripts of `dir[..., -1, 0, 1]`, whose component this is,
/// if they are constants, and what comes before them.
static bool addElement(const Expr *component, unsigned rank, Shift &shift) {
  auto *part = llvm::dyn_cast<SubscriptExpr>(component);
  auto *element = part ? llvm::dyn_cast<SubscriptExpr>(part->base) : nullptr;
  if (!element || element->subscripts.size() < rank)
    return false;
  llvm::ArrayRef<const Expr *> subscripts = element->subscripts;
  for (const Expr *subscript : subscripts.take_back(rank)) {
    std::optional<int64_t> constant = constantOf(subscript);
    if (!constant)
      return false;
    shift.offset.push_back(*constant);
  }
  shift.base.push_back(element->base);
  llvm::append_range(shift.base, subscripts.drop_back(rank));
  return true;
}

/// Adds the constant of `-1 * k`, and the other factor.
static bool addMultiple(const Expr *component, Shift &shift) {
  auto *product = llvm::dyn_cast<BinaryExpr>(component);
  if (!product || product->op != BinaryOp::Mul)
    return false;
  const Expr *factor = product->right;
  std::optional<int64_t> constant = constantOf(product->left);
  if (!constant) {
    factor = product->left;
    constant = constantOf(product->right);
  }
  if (!constant)
    return false;
  shift.offset.push_back(*constant);
  if (shift.base.empty())
    shift.base.push_back(factor);
  return isSame(shift.base.front(), factor);
}

std::optional<Shift> shiftOf(const ArrayExpr &array) {
  Shift shift;
  shift.wraps = array.wraps;
  if (array.direction.empty()) {
    shift.offset.assign(array.rank, 0);
    return shift;
  }
  for (const Expr *component : array.direction)
    if (std::optional<int64_t> constant = constantOf(component))
      shift.offset.push_back(*constant);
  if (shift.offset.size() == array.rank)
    return shift;
  shift.offset.clear();
  if (addElement(withoutCasts(array.direction.front()), array.rank, shift))
    return shift;
  shift.offset.clear();
  shift.base.clear();
  for (const Expr *component : array.direction)
    if (!addMultiple(withoutCasts(component), shift))
      return std::nullopt;
  return shift;
}

const ArrayExpr *referenceOf(const Expr *e) {
  e = withoutCasts(e);
  while (auto *field = llvm::dyn_cast<FieldExpr>(e))
    e = field->base;
  auto *array = llvm::dyn_cast<ArrayExpr>(e);
  return array && !array->isPrimed ? array : nullptr;
}

} // namespace zpl::sema
