//===- Facts.cpp - What evaluating an expression involves -----------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An expression of the array IR only computes; whatever else a ZPL expression
// does becomes statements before it. In
//
//     x + norm(A) > 0 & sqrt(y) < 1
//
// `norm` is a parallel procedure: its call is hoisted. It may write x, so the
// value of x must be saved before. The right side of `&` can be evaluated in
// any case, so the `&` itself stays an expression. The facts found here answer
// these questions; one bottom-up visit per expression, remembered in a table.
//
//===----------------------------------------------------------------------===//

#include "Facts.h"
#include "zpl/Sema/Visit.h"
#include "llvm/Support/ErrorHandling.h"

using namespace llvm;

namespace zpl::arraygen {

sema::Mode argumentMode(const sema::CallExpr *call, unsigned i) {
  const sema::Symbol *param = call->callee->params[i];
  if (auto *variable = dyn_cast<sema::Variable>(param))
    return variable->mode;
  return cast<sema::Array>(param)->mode;
}

bool isPromoted(const sema::CallExpr *call) {
  return call->isArray() && !call->callee->isParallel;
}

bool hasReferenceArguments(const sema::CallExpr *call) {
  for (unsigned i = 0; i != call->args.size(); ++i)
    if (sema::isByReference(argumentMode(call, i)))
      return true;
  return false;
}

bool returnsByReference(const sema::Procedure *procedure) {
  return procedure->resultRank == 0 && sema::isRunTimeSized(procedure->result);
}

Facts FactTable::of(const sema::Expr *expr) {
  auto found = known.find(expr);
  if (found != known.end())
    return found->second;
  Facts facts = find(expr);
  known[expr] = facts;
  return facts;
}

/// An integer division by something that could be zero.
static bool mayTrap(const sema::BinaryExpr *expr) {
  bool divides =
      expr->op == sema::BinaryOp::Div || expr->op == sema::BinaryOp::Rem;
  bool floats = expr->type.isFloating() || expr->type.isComplex();
  auto *literal = dyn_cast<sema::LiteralExpr>(expr->right);
  return divides && !floats && (!literal || literal->integer == 0);
}

/// A conversion that -fcheck refuses for some values.
static bool mayOverflow(const sema::CastExpr *expr) {
  sema::Type from = expr->operand->type, to = expr->type;
  return to == sema::Type::Enum ||
         (from.isFloating() && (to.isInteger() || to == sema::Type::Char));
}

/// An operation that wraps around for some values.
static bool mayWrap(const sema::Expr *expr) {
  if (expr->type != sema::Type::Integer && expr->type != sema::Type::Longint)
    return false;
  if (auto *unary = dyn_cast<sema::UnaryExpr>(expr))
    return unary->op == sema::UnaryOp::Neg;
  auto *binary = dyn_cast<sema::BinaryExpr>(expr);
  return binary && (binary->op == sema::BinaryOp::Add ||
                    binary->op == sema::BinaryOp::Sub ||
                    binary->op == sema::BinaryOp::Mul ||
                    binary->op == sema::BinaryOp::Pow);
}

static bool isShortCircuit(const sema::BinaryExpr *expr) {
  return !expr->isArray() &&
         (expr->op == sema::BinaryOp::And || expr->op == sema::BinaryOp::Or);
}

namespace {

/// What evaluating each kind of node itself adds to the facts of its operands.
struct OwnFacts {
  Facts &facts;

  void of(const sema::CastExpr &e) { facts.guarded |= mayOverflow(&e); }
  void of(const sema::MathExpr &) { facts.once = true; }
  void of(const sema::CallExpr &e) {
    bool writes =
        e.callee->isParallel || e.callee->isExtern || hasReferenceArguments(&e);
    facts.hoists |= e.callee->isParallel || returnsByReference(e.callee) ||
                    (e.isArray() && writes);
    facts.parallel |= e.callee->isParallel;
    facts.effects |= writes;
    facts.once = facts.guarded = true;
  }
  void
  of(const OneOf<sema::ReduceExpr, sema::FloodExpr, sema::ScanExpr,
                 sema::GatherExpr, sema::RegionBoundExpr, sema::RegionValueExpr,
                 sema::DirectionValueExpr, sema::TimerExpr, sema::GridPlaceExpr,
                 sema::BuiltinExpr, sema::IrvExpr, sema::PatternExpr,
                 sema::InsideExpr> auto &) {
    facts.hoists = facts.once = true;
  }
  void of(const sema::SubscriptExpr &) { facts.once = facts.guarded = true; }
  void
  of(const OneOf<sema::LiteralExpr, sema::VariableExpr, sema::ComponentExpr,
                 sema::ArrayExpr, sema::IndexExpr, sema::UnaryExpr,
                 sema::BinaryExpr, sema::CompareExpr, sema::FmaExpr,
                 sema::EnclosingMaskExpr, sema::ProcessorsExpr, sema::FieldExpr,
                 sema::ComplexExpr> auto &) {}
};

} // namespace

/// What evaluating the node itself adds to the facts of its operands.
static void addOwn(const sema::Expr *expr, Facts &facts) {
  sema::visitKind(*expr, [&](const auto &known) { OwnFacts{facts}.of(known); });
}

Facts FactTable::ofFolded(const sema::Expr *operand,
                          const sema::UserFold *user) {
  if (!user)
    return of(operand);
  Facts facts;
  for (const sema::Expr *arg : user->accumulate->args)
    facts.add(of(arg));
  return facts;
}

Facts FactTable::find(const sema::Expr *expr) {
  Facts facts;
  const sema::UserFold *user = sema::userFoldOf(*expr);
  sema::forEachOperand(*expr, [&](const sema::Expr &operand) {
    bool isFolded = user && &operand == user->accumulate;
    facts.add(ofFolded(&operand, isFolded ? user : nullptr));
  });
  addOwn(expr, facts);
  facts.guarded |= checksOverflow && mayWrap(expr);
  if (auto *binary = dyn_cast<sema::BinaryExpr>(expr)) {
    Facts right = of(binary->right);
    facts.guarded |= mayTrap(binary);
    facts.once |= binary->op == sema::BinaryOp::Pow || mayTrap(binary);
    if (isShortCircuit(binary) && (right.hoists || right.guarded))
      facts.hoists = facts.once = true;
  }
  return facts;
}

} // namespace zpl::arraygen
