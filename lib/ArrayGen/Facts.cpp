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

static bool isRunTimeSized(sema::Type type) {
  if (!type.isAggregate())
    return false;
  const sema::TypeInfo &info = *type.info();
  auto isVariable = [](const sema::TypeBound &b) { return b.variable; };
  return any_of(info.lo, isVariable) || any_of(info.hi, isVariable) ||
         (type == sema::Type::Array && isRunTimeSized(info.element)) ||
         any_of(info.fields, [](const sema::TypeField &field) {
           return isRunTimeSized(field.type);
         });
}

bool returnsByReference(const sema::Procedure *procedure) {
  return procedure->resultRank == 0 && isRunTimeSized(procedure->result);
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

static bool isShortCircuit(const sema::BinaryExpr *expr) {
  return !expr->isArray() &&
         (expr->op == sema::BinaryOp::And || expr->op == sema::BinaryOp::Or);
}

Facts FactTable::find(const sema::Expr *expr) {
  Facts facts;
  switch (expr->kind) {
  case sema::ExprKind::Literal:
  case sema::ExprKind::Variable:
  case sema::ExprKind::Component:
  case sema::ExprKind::Index:
  case sema::ExprKind::Processors:
    break;
  case sema::ExprKind::Array:
    for (const sema::Expr *component : cast<sema::ArrayExpr>(expr)->direction)
      facts.add(of(component));
    break;
  case sema::ExprKind::Unary:
    facts = of(cast<sema::UnaryExpr>(expr)->operand);
    break;
  case sema::ExprKind::Binary: {
    auto *binary = cast<sema::BinaryExpr>(expr);
    Facts right = of(binary->right);
    facts = of(binary->left);
    facts.add(right);
    facts.guarded |= mayTrap(binary);
    facts.once |= binary->op == sema::BinaryOp::Pow || mayTrap(binary);
    if (isShortCircuit(binary) && (right.hoists || right.guarded))
      facts.hoists = facts.once = true;
    break;
  }
  case sema::ExprKind::Compare:
    facts = of(cast<sema::CompareExpr>(expr)->left);
    facts.add(of(cast<sema::CompareExpr>(expr)->right));
    break;
  case sema::ExprKind::Fma:
    facts = of(cast<sema::FmaExpr>(expr)->a);
    facts.add(of(cast<sema::FmaExpr>(expr)->b));
    facts.add(of(cast<sema::FmaExpr>(expr)->c));
    break;
  case sema::ExprKind::Cast:
    facts = of(cast<sema::CastExpr>(expr)->operand);
    facts.guarded |= mayOverflow(cast<sema::CastExpr>(expr));
    break;
  case sema::ExprKind::Math:
    for (const sema::Expr *arg : cast<sema::MathExpr>(expr)->args)
      facts.add(of(arg));
    facts.once = true;
    break;
  case sema::ExprKind::Call: {
    auto *call = cast<sema::CallExpr>(expr);
    for (const sema::Expr *arg : call->args)
      facts.add(of(arg));
    bool writes = call->callee->isParallel || call->callee->isExtern ||
                  hasReferenceArguments(call);
    facts.hoists |= call->callee->isParallel ||
                    returnsByReference(call->callee) ||
                    (call->isArray() && writes);
    facts.parallel |= call->callee->isParallel;
    facts.effects |= writes;
    facts.once = facts.guarded = true;
    break;
  }
  case sema::ExprKind::Reduce:
    facts = of(cast<sema::ReduceExpr>(expr)->operand);
    facts.hoists = facts.once = true;
    break;
  case sema::ExprKind::Timer:
    facts.hoists = facts.once = true;
    break;
  case sema::ExprKind::Field:
    facts = of(cast<sema::FieldExpr>(expr)->base);
    break;
  case sema::ExprKind::Subscript:
    facts = of(cast<sema::SubscriptExpr>(expr)->base);
    for (const sema::Expr *subscript :
         cast<sema::SubscriptExpr>(expr)->subscripts)
      facts.add(of(subscript));
    facts.once = facts.guarded = true;
    break;
  case sema::ExprKind::Complex:
    facts = of(cast<sema::ComplexExpr>(expr)->re);
    facts.add(of(cast<sema::ComplexExpr>(expr)->im));
    break;
  case sema::ExprKind::Builtin:
    for (const sema::Expr *arg : cast<sema::BuiltinExpr>(expr)->args)
      facts.add(of(arg));
    facts.hoists = facts.once = true;
    break;
  }
  return facts;
}

} // namespace zpl::arraygen
