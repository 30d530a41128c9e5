//===- RowConditions.cpp - Rows in which nothing happens ------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     store @E = or(@E, and(%Col, %Row))      Warshall: %Col is one per row
//     store @D = add(@D, mul(%I, %J))         integers, where %I is 0
//     store @D = add(@D, @E) where and(%M, gt(@E, 0))
//
// An operation changes nothing in a row whose part of the guard is false; nor
// where what it would store is what is there, by a factor that the row has in
// common: `false` of or(X, and(c, ...)), `true` of and(X, or(c, ...)), 0 of
// integers that are multiplied or masked and then added or joined. Of floating
// numbers 0 times infinity is not 0, and -0 plus 0 is not -0.
//
// Factors are evaluated where the operation perhaps is not, and what stands
// beside them is not where it would be: all of it must be cheap and must not
// fail. What is computed under a guard that is false in all of the row is not
// executed anyway.
//
// Cost: linear in the operations.
//
//===----------------------------------------------------------------------===//

#include "zpl/Analysis/RowConditions.h"
#include "zpl/Analysis/Speculation.h"
#include "zpl/ArrayIR/ArrayIR.h"
#include "zpl/ArrayIR/Walk.h"

using namespace llvm;

namespace zpl::air {
namespace {

/// How an operator leaves its other operand as it is.
struct Neutral {
  BinaryOp factors;       ///< joins the factors of what is taken in
  bool isNegated;         ///< a true factor is the one that leaves it
  bool isOrdered = false; ///< what stays is on the left
};

struct Search {
  function_ref<bool(const Expr &)> isTheSame;
  const RunTimeChecks &checks;
};

} // namespace

/// How \p op, on this type, takes a value in; none: not in such a way.
static std::optional<Neutral> neutralOf(BinaryOp op, Type type) {
  if (type == Type::Bool) {
    if (op == BinaryOp::Or)
      return Neutral{BinaryOp::And, false};
    if (op == BinaryOp::And)
      return Neutral{BinaryOp::Or, true};
    return std::nullopt;
  }
  if (!type.isInteger())
    return std::nullopt;
  if (op == BinaryOp::Add || op == BinaryOp::Sub)
    return Neutral{BinaryOp::Mul, false, op == BinaryOp::Sub};
  if (op == BinaryOp::BitOr || op == BinaryOp::BitXor)
    return Neutral{BinaryOp::BitAnd, false};
  return std::nullopt;
}

/// Adds what is the same in a row of the operands that \p op joins in \p e.
static void addFactors(const Search &search, const Expr &e, BinaryOp op,
                       bool isNegated, RowTerms &terms) {
  auto *binary = dyn_cast<BinaryExpr>(&e);
  if (!isa<ConstExpr>(e) && search.isTheSame(e))
    return terms.push_back({&e, isNegated});
  if (!binary || binary->op != op)
    return;
  addFactors(search, *binary->left, op, isNegated, terms);
  addFactors(search, *binary->right, op, isNegated, terms);
}

/// Whether the expression is the element that the operation stores.
static bool isTarget(const ElementOp &op, const Expr &e) {
  auto *target = dyn_cast<ElementExpr>(op.target);
  auto *element = dyn_cast<ElementExpr>(&e);
  return target && element && target->array == element->array &&
         target->offset == element->offset;
}

/// The factors of the value that a Store takes into its target.
static RowTerms factorsOf(const Search &search, const ElementOp &op) {
  RowTerms terms;
  if (auto *differ = dyn_cast<CompareExpr>(op.value)) {
    // Of booleans this is a sum.
    if (differ->op != CompareOp::Ne || differ->left->type != Type::Bool)
      return terms;
    if (isTarget(op, *differ->left))
      addFactors(search, *differ->right, BinaryOp::And, false, terms);
    else if (isTarget(op, *differ->right))
      addFactors(search, *differ->left, BinaryOp::And, false, terms);
    return terms;
  }
  auto *binary = dyn_cast<BinaryExpr>(op.value);
  std::optional<Neutral> how =
      binary ? neutralOf(binary->op, binary->type) : std::nullopt;
  if (!how)
    return terms;
  if (isTarget(op, *binary->left))
    addFactors(search, *binary->right, how->factors, how->isNegated, terms);
  else if (!how->isOrdered && isTarget(op, *binary->right))
    addFactors(search, *binary->left, how->factors, how->isNegated, terms);
  return terms;
}

/// Whether the value may be computed, or not, where the operation's guard says
/// the contrary.
static bool mayAsk(const Search &search, const ElementOp &op,
                   const Expr *value) {
  ElementOp asked;
  asked.value = value;
  asked.guard = op.guard;
  return maySpeculate(asked, search.checks);
}

/// Where the operation changes nothing; none: it may change something anywhere.
static RowTerms termsOf(const Search &search, const ElementOp &op) {
  RowTerms terms;
  if (op.kind == ElementOp::Store && mayAsk(search, op, op.value))
    terms = factorsOf(search, op);
  if (op.guard && (search.isTheSame(*op.guard) || mayAsk(search, op, op.guard)))
    addFactors(search, *op.guard, BinaryOp::And, false, terms);
  erase_if(terms, [&](const RowTerm &term) {
    return !mayAsk(search, op, term.value);
  });
  return terms;
}

static bool isPerIndex(const ElementOp &op) {
  if (op.kind == ElementOp::Let)
    return true;
  const ElementExpr *target = op.target ? rootElement(op.target) : nullptr;
  return op.kind == ElementOp::Store && target && target->array->isPerIndex();
}

std::vector<RowTerms> rowConditions(ArrayRef<ElementOp> ops,
                                    function_ref<bool(const Expr &)> isTheSame,
                                    const RunTimeChecks &checks) {
  Search search{isTheSame, checks};
  std::vector<RowTerms> result;
  for (const ElementOp &op : ops) {
    if (isPerIndex(op))
      continue;
    RowTerms terms = termsOf(search, op);
    if (terms.empty() || op.accumulator)
      return {};
    result.push_back(std::move(terms));
  }
  return result;
}

} // namespace zpl::air
