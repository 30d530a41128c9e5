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

namespace zpl::sema {

static const Expr *withoutCasts(const Expr *e) {
  while (auto *cast = llvm::dyn_cast<CastExpr>(e))
    e = cast->operand;
  return e;
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
