//===- DirectionGuesses.cpp - What directions are taken for ---------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     [0, -1]                       the offset (0,-1)
//     dir[1, -1]                    (1,-1) of `dir`
//     dir[k, 1, -1], of rank 2      (1,-1) of `dir[k, ]`
//     [1 * k, -1 * k]               (1,-1) of `k`
//
// Programs that go through levels of grids name their directions so: an element
// of an array has the components that its subscripts say, times something that
// is the same for all of them.
//
//===----------------------------------------------------------------------===//

#include "zpl/Analysis/DirectionGuesses.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace zpl::air {

int64_t DirectionGuesses::identity(const void *pointer) {
  return identities.try_emplace(pointer, identities.size()).first->second;
}

static const Expr *withoutCasts(const Expr *e) {
  while (auto *conversion = dyn_cast<CastExpr>(e))
    e = conversion->operand;
  return e;
}

static const ConstExpr *asConstant(const Expr *e) {
  return dyn_cast<ConstExpr>(withoutCasts(e));
}

bool DirectionGuesses::addBase(const Expr *e, Key &base) {
  e = withoutCasts(e);
  base.push_back(int64_t(e->kind));
  if (auto *constant = dyn_cast<ConstExpr>(e))
    return base.push_back(constant->integer), true;
  if (auto *variable = dyn_cast<VarExpr>(e))
    return base.push_back(identity(variable->variable)), true;
  if (auto *binary = dyn_cast<BinaryExpr>(e)) {
    base.push_back(int64_t(binary->op));
    return addBase(binary->left, base) && addBase(binary->right, base);
  }
  if (auto *part = dyn_cast<FieldExpr>(e)) {
    base.push_back(part->field);
    return addBase(part->base, base);
  }
  auto *part = dyn_cast<SubscriptExpr>(e);
  return part && addBase(part->base, base) &&
         all_of(part->subscripts,
                [&](const Expr *s) { return addBase(s, base); });
}

std::optional<DirectionGuesses::Guess>
DirectionGuesses::of(ArrayRef<const Expr *> direction) {
  if (!all_of(direction, asConstant)) {
    std::optional<Guess> element = ofElement(direction);
    return element ? element : ofMultiple(direction);
  }
  Guess guess;
  for (const Expr *component : direction)
    guess.offset.push_back(asConstant(component)->integer);
  return guess;
}

/// The guess for an element of an indexed array of directions.
std::optional<DirectionGuesses::Guess>
DirectionGuesses::ofElement(ArrayRef<const Expr *> direction) {
  size_t rank = direction.size();
  auto *part = dyn_cast<SubscriptExpr>(withoutCasts(direction.front()));
  auto *element = part ? dyn_cast<SubscriptExpr>(part->base) : nullptr;
  if (!element || element->subscripts.size() < rank)
    return std::nullopt;
  Guess guess;
  ArrayRef<const Expr *> subscripts = element->subscripts;
  for (const Expr *subscript : subscripts.take_back(rank)) {
    const ConstExpr *constant = asConstant(subscript);
    if (!constant)
      return std::nullopt;
    guess.offset.push_back(constant->integer);
  }
  bool isBase = addBase(element->base, guess.base) &&
                all_of(subscripts.drop_back(rank),
                       [&](const Expr *s) { return addBase(s, guess.base); });
  return isBase ? std::optional(std::move(guess)) : std::nullopt;
}

/// The guess for components that are multiples of one value.
std::optional<DirectionGuesses::Guess>
DirectionGuesses::ofMultiple(ArrayRef<const Expr *> direction) {
  Guess guess;
  for (const Expr *component : direction) {
    auto *product = dyn_cast<BinaryExpr>(withoutCasts(component));
    if (!product || product->op != BinaryOp::Mul)
      return std::nullopt;
    const ConstExpr *left = asConstant(product->left);
    const ConstExpr *constant = left ? left : asConstant(product->right);
    Key factor;
    if (!constant || !addBase(left ? product->right : product->left, factor) ||
        (!guess.base.empty() && factor != guess.base))
      return std::nullopt;
    guess.base = factor;
    guess.offset.push_back(constant->integer);
  }
  return guess;
}

} // namespace zpl::air
