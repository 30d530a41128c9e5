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

/// What evaluating the node itself adds to the facts of its operands.
static void addOwn(const sema::Expr *expr, Facts &facts) {
  switch (expr->kind) {
  case sema::ExprKind::Cast:
    facts.guarded |= mayOverflow(cast<sema::CastExpr>(expr));
    return;
  case sema::ExprKind::Math:
    facts.once = true;
    return;
  case sema::ExprKind::Call: {
    auto *call = cast<sema::CallExpr>(expr);
    bool writes = call->callee->isParallel || call->callee->isExtern ||
                  hasReferenceArguments(call);
    facts.hoists |= call->callee->isParallel ||
                    returnsByReference(call->callee) ||
                    (call->isArray() && writes);
    facts.parallel |= call->callee->isParallel;
    facts.effects |= writes;
    facts.once = facts.guarded = true;
    return;
  }
  case sema::ExprKind::Reduce:
  case sema::ExprKind::Flood:
  case sema::ExprKind::Scan:
  case sema::ExprKind::Gather:
  case sema::ExprKind::RegionBound:
  case sema::ExprKind::RegionValue:
  case sema::ExprKind::DirectionValue:
  case sema::ExprKind::Timer:
  case sema::ExprKind::GridPlace:
  case sema::ExprKind::Builtin:
  case sema::ExprKind::Irv:
  case sema::ExprKind::Pattern:
  case sema::ExprKind::Inside:
    facts.hoists = facts.once = true;
    return;
  case sema::ExprKind::Subscript:
    facts.once = facts.guarded = true;
    return;
  case sema::ExprKind::Literal:
  case sema::ExprKind::Variable:
  case sema::ExprKind::Component:
  case sema::ExprKind::Array:
  case sema::ExprKind::Index:
  case sema::ExprKind::Unary:
  case sema::ExprKind::Binary:
  case sema::ExprKind::Compare:
  case sema::ExprKind::Fma:
  case sema::ExprKind::EnclosingMask:
  case sema::ExprKind::Processors:
  case sema::ExprKind::Field:
  case sema::ExprKind::Complex:
    return;
  }
  llvm_unreachable("an expression outside its enumeration");
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
