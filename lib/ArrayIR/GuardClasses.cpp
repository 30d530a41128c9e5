//===- GuardClasses.cpp - Indices that guards keep apart ------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     store @A = ...@A@(0,1)... where eq(rem(add(index(0), index(1)), i32 2),
//                                        i32 0)
//
// Where the guard is true the sum of the indices is 0 (mod 2); at (0,1) from
// there it is 1. So no element that is read at (0,1) is one that is stored.
//
//  1. Those of a guard's conjunctions count that say which class of residues a
//     sum of products of indices and constants is in: a remainder, or the low
//     bits, that equal a constant, or modulo 2 do not equal it.
//  2. Such a sum wraps in its type. If the modulus is a power of two its class
//     is the same nevertheless; else there must be no arithmetic in it.
//  3. Two guards with classes of one and the same sum, modulo the greatest
//     common divisor of both moduli, keep indices at an offset apart if the
//     classes differ by something else than the sum of the offset.
//
// In a dimension that an array floods all indices have one element, so the sum
// must not depend on it.
//
// Cost: linear in the guards.
//
//===----------------------------------------------------------------------===//

#include "zpl/ArrayIR/GuardClasses.h"
#include "zpl/ArrayIR/RegionDefinitions.h"
#include "zpl/ArrayIR/Walk.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <array>
#include <numeric>

using namespace llvm;

namespace zpl::air {
namespace {

constexpr unsigned MaxRank = 6;
/// Sums of a few products of numbers below it do not overflow.
constexpr int64_t Small = int64_t(1) << 20;

/// What is added up: factors of the indices, and a constant.
struct IndexSum {
  std::array<int64_t, MaxRank> factors = {};
  int64_t constant = 0;
  bool hasArithmetic = false;

  void add(const IndexSum &other, int64_t times) {
    for (auto [own, its] : zip(factors, other.factors))
      own += times * its;
    constant += times * other.constant;
    hasArithmetic = true;
  }
  bool isSmall() const {
    return std::abs(constant) < Small &&
           all_of(
               factors,
               [](int64_t factor) { return std::abs(factor) < Small; });
  }
};

/// The sum is `remainder` (mod `modulus`), which is at least 2.
struct Congruence {
  IndexSum sum;
  int64_t modulus = 0, remainder = 0;
};

std::optional<IndexSum> sumOf(const Expr *e);

std::optional<IndexSum> sumOf(const BinaryExpr &e) {
  auto left = sumOf(e.left), right = sumOf(e.right);
  if (!left || !right)
    return std::nullopt;
  IndexSum result;
  if (e.op == BinaryOp::Add || e.op == BinaryOp::Sub) {
    result.add(*left, 1);
    result.add(*right, e.op == BinaryOp::Add ? 1 : -1);
  } else if (auto factor = constantInteger(e.right);
             e.op == BinaryOp::Mul && factor && left->isSmall()) {
    result.add(*left, *factor);
  } else if (auto factor = constantInteger(e.left);
             e.op == BinaryOp::Mul && factor && right->isSmall()) {
    result.add(*right, *factor);
  } else {
    return std::nullopt;
  }
  return result.isSmall() ? std::optional(result) : std::nullopt;
}

std::optional<IndexSum> sumOf(const Expr *e) {
  if (e->type != Type::I32 && e->type != Type::I64)
    return std::nullopt;
  IndexSum result;
  if (auto *index = dyn_cast<IndexExpr>(e)) {
    result.factors[index->dim] = 1;
    return result;
  }
  if (auto constant = constantInteger(e)) {
    result.constant = *constant;
    return result.isSmall() ? std::optional(result) : std::nullopt;
  }
  if (auto *conversion = dyn_cast<CastExpr>(e))
    return e->type == Type::I64 ? sumOf(conversion->operand) : std::nullopt;
  if (auto *unary = dyn_cast<UnaryExpr>(e)) {
    auto operand = sumOf(unary->operand);
    if (unary->op != UnaryOp::Neg || !operand)
      return std::nullopt;
    result.add(*operand, -1);
    return result;
  }
  auto *binary = dyn_cast<BinaryExpr>(e);
  return binary ? sumOf(*binary) : std::nullopt;
}

/// The congruence for `rem(sum, modulus)` or `band(sum, modulus - 1)`, without
/// its remainder.
std::optional<Congruence> classOf(const Expr *e) {
  auto *binary = dyn_cast<BinaryExpr>(e);
  auto right = binary ? constantInteger(binary->right) : std::nullopt;
  auto sum = right ? sumOf(binary->left) : std::nullopt;
  if (!sum || *right < 1 || *right >= Small)
    return std::nullopt;
  Congruence result{*sum};
  if (binary->op == BinaryOp::Rem)
    result.modulus = *right;
  else if (binary->op == BinaryOp::BitAnd && isPowerOf2_64(*right + 1))
    result.modulus = *right + 1;
  bool mayWrap = sum->hasArithmetic && !isPowerOf2_64(result.modulus);
  return result.modulus < 2 || mayWrap ? std::nullopt : std::optional(result);
}

using Congruences = SmallVector<Congruence, 2>;

/// Adds what the comparison says where it is true, or \p isNegated.
void addComparison(const CompareExpr &compare, bool isNegated,
                   Congruences &result) {
  if (compare.op != CompareOp::Eq && compare.op != CompareOp::Ne)
    return;
  const Expr *left = compare.left, *right = compare.right;
  if (constantInteger(left))
    std::swap(left, right);
  auto congruence = classOf(left);
  auto remainder = constantInteger(right);
  if (!congruence || !remainder || std::abs(*remainder) >= Small)
    return;
  congruence->remainder = *remainder;
  if ((compare.op == CompareOp::Eq) == isNegated) {
    // `rem` of a negative sum is -1 where it is not 0.
    bool isBit = cast<BinaryExpr>(left)->op == BinaryOp::BitAnd;
    bool isEitherOr = *remainder == 0 || (isBit && *remainder == 1);
    if (congruence->modulus != 2 || !isEitherOr)
      return;
    congruence->remainder = 1 - *remainder;
  }
  result.push_back(*congruence);
}

/// Adds what \p guard says where it is true, or \p isNegated.
void addClasses(const Expr *guard, bool isNegated, Congruences &result) {
  if (auto *compare = dyn_cast<CompareExpr>(guard))
    return addComparison(*compare, isNegated, result);
  auto *unary = dyn_cast<UnaryExpr>(guard);
  if (unary && unary->op == UnaryOp::Not && guard->type == Type::Bool)
    return addClasses(unary->operand, !isNegated, result);
  auto *binary = dyn_cast<BinaryExpr>(guard);
  if (binary && guard->type == Type::Bool &&
      binary->op == (isNegated ? BinaryOp::Or : BinaryOp::And)) {
    addClasses(binary->left, isNegated, result);
    addClasses(binary->right, isNegated, result);
  }
}

Congruences classesOf(const Expr *guard) {
  Congruences result;
  if (guard)
    addClasses(guard, /*isNegated=*/false, result);
  return result;
}

/// Whether no index of the class \p from has one of the class \p to at \p
/// offset.
bool areApart(const Congruence &from, const Congruence &to, const Array &array,
              const Offset &offset) {
  int64_t modulus = std::gcd(from.modulus, to.modulus);
  int64_t apart =
      from.remainder - from.sum.constant - to.remainder + to.sum.constant;
  for (unsigned dim = 0; dim < MaxRank; ++dim) {
    int64_t factor = from.sum.factors[dim];
    bool isOnePerAll = dim < array.rank() && isPerProcessor(array.shape[dim]);
    if ((factor - to.sum.factors[dim]) % modulus != 0 ||
        (isOnePerAll && factor % modulus != 0))
      return false;
    if (dim < offset.size())
      apart += factor * offset[dim];
  }
  return apart % modulus != 0;
}

} // namespace

bool guardsKeepApart(const Expr *reader, const Expr *writer, const Array &array,
                     const Offset &offset) {
  Congruences from = classesOf(reader);
  if (from.empty())
    return false;
  Congruences to = classesOf(writer);
  return any_of(from, [&](const Congruence &a) {
    return any_of(
        to, [&](const Congruence &b) { return areApart(a, b, array, offset); });
  });
}

void forEachElement(
    const ElementOp &op,
    function_ref<void(const ElementExpr &, const Expr *guard)> visit) {
  auto visitIn = [&](const Expr *expr, const Expr *guard) {
    if (expr)
      forEachExpr(*expr, [&](const Expr &e) {
        if (auto *element = dyn_cast<ElementExpr>(&e))
          visit(*element, guard);
      });
  };
  visitIn(op.target, op.guard);
  visitIn(op.value, op.guard);
  visitIn(op.guard, nullptr);
}

} // namespace zpl::air
