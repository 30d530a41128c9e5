//===- Speculation.cpp - Values that may be computed in vain --------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     store @B = add(@A@(0,1), @A@(0,-1)) where %M      may
//     store @K = div(@I, @J) where ne(@J, i32 0)        must not
//     store @B = call @f(@A) where %M                   must not
//
// Vectors compute at all indices and select. That is the same where nothing can
// fail, and no slower where nothing takes long. The elements are there: what a
// statement reads at an offset is in its array's fluff.
//
// Cost: linear in the value.
//
//===----------------------------------------------------------------------===//

#include "zpl/Analysis/Speculation.h"
#include "zpl/ArrayIR/Walk.h"

using namespace llvm;

namespace zpl::air {

bool isInside(const SubscriptExpr &place) {
  const TypeInfo &info = *place.base->type.info();
  for (auto [subscript, lo, hi] : zip(place.subscripts, info.lo, info.hi)) {
    auto *constant = dyn_cast<ConstExpr>(subscript);
    if (!constant || lo.variable || hi.variable ||
        constant->integer < lo.value || constant->integer > hi.value)
      return false;
  }
  return true;
}

/// Whether a function is a few instructions and no call.
static bool isCheap(MathFn fn) {
  switch (fn) {
  case MathFn::Sqrt:
  case MathFn::Floor:
  case MathFn::Ceil:
  case MathFn::Round:
  case MathFn::Trunc:
  case MathFn::Log2Floor:
  case MathFn::PopCount:
    return true;
  case MathFn::Cbrt:
  case MathFn::Exp:
  case MathFn::Log:
  case MathFn::Log10:
  case MathFn::Log2:
  case MathFn::Sin:
  case MathFn::Cos:
  case MathFn::Tan:
  case MathFn::Asin:
  case MathFn::Acos:
  case MathFn::Atan:
  case MathFn::Atan2:
  case MathFn::Sinh:
  case MathFn::Cosh:
  case MathFn::Tanh:
  case MathFn::Hypot:
  case MathFn::Ldexp:
  case MathFn::Ran:
  case MathFn::Uniform:
  case MathFn::Uniform2:
  case MathFn::Locale:
  case MathFn::SameFile:
#define AIR_STRING_MATH(Id, text, arity) case MathFn::Id:
#include "zpl/ArrayIR/Ops.def"
    return false;
  }
  llvm_unreachable("unknown function");
}

/// Whether a node, operands aside, may be evaluated in vain: it cannot fail and
/// is no call.
static bool isCheap(const Expr &e, const RunTimeChecks &checks) {
  switch (e.kind) {
  case ExprKind::Binary: {
    auto &binary = cast<BinaryExpr>(e);
    bool divides = binary.op == BinaryOp::Div || binary.op == BinaryOp::Rem;
    if (divides && e.type.isInteger()) {
      auto *divisor = dyn_cast<ConstExpr>(binary.right);
      return divisor && divisor->integer != 0;
    }
    return binary.op != BinaryOp::Pow && binary.op != BinaryOp::Rem &&
           e.type != Type::Str;
  }
  case ExprKind::Compare:
    return cast<CompareExpr>(e).left->type != Type::Str;
  case ExprKind::Cast:
    return !checks.conversions || !cast<CastExpr>(e).operand->type.isFloat();
  case ExprKind::Math:
    return !e.type.isComplex() && isCheap(cast<MathExpr>(e).fn);
  case ExprKind::Subscript:
    return isInside(cast<SubscriptExpr>(e));
  case ExprKind::Remap:
    return !cast<RemapExpr>(e).checked;
  case ExprKind::Call:
    return false;
  case ExprKind::Const:
  case ExprKind::Var:
  case ExprKind::Element:
  case ExprKind::Index:
  case ExprKind::Bound:
  case ExprKind::Unary:
  case ExprKind::Fma:
  case ExprKind::Field:
  case ExprKind::Complex:
    return true;
  }
  llvm_unreachable("unknown expression");
}

/// Whether signed integers are computed that may not fit.
static bool mayWrap(const Expr &e) {
  bool isSigned = e.type == Type::I32 || e.type == Type::I64;
  if (auto *unary = dyn_cast<UnaryExpr>(&e))
    return isSigned && unary->op == UnaryOp::Neg;
  auto *binary = dyn_cast<BinaryExpr>(&e);
  return isSigned && binary &&
         (binary->op == BinaryOp::Add || binary->op == BinaryOp::Sub ||
          binary->op == BinaryOp::Mul);
}

/// Whether a node, operands and what it calls aside, may end the run.
static bool isRisky(const Expr &e, const RunTimeChecks &checks) {
  if (e.type == Type::Str || (checks.overflow && mayWrap(e)))
    return true;
  if (auto *binary = dyn_cast<BinaryExpr>(&e)) {
    bool divides = binary->op == BinaryOp::Div || binary->op == BinaryOp::Rem;
    auto *divisor = dyn_cast<ConstExpr>(binary->right);
    return e.type.isInteger() &&
           ((divides && !(divisor && divisor->integer != 0)) ||
            binary->op == BinaryOp::Pow);
  }
  if (auto *cast = dyn_cast<CastExpr>(&e))
    return checks.conversions && cast->operand->type.isFloat() &&
           !e.type.isFloat() && !e.type.isComplex();
  if (auto *math = dyn_cast<MathExpr>(&e))
    return any_of(math->args,
                  [](const Expr *x) { return x->type == Type::Str; });
  if (auto *place = dyn_cast<SubscriptExpr>(&e))
    return !isInside(*place);
  auto *remap = dyn_cast<RemapExpr>(&e);
  return remap && remap->checked != 0;
}

bool mayFail(const Expr &value, const RunTimeChecks &checks) {
  bool found = false;
  forEachExpr(value, [&](const Expr &e) { found |= isRisky(e, checks); });
  return found;
}

/// Whether a guard is for one index of a dimension, beside which there may be
/// no elements.
static bool isForOneIndex(const Expr *guard) {
  if (auto *both = dyn_cast<BinaryExpr>(guard))
    return both->op == BinaryOp::And &&
           (isForOneIndex(both->left) || isForOneIndex(both->right));
  auto *compare = dyn_cast<CompareExpr>(guard);
  return compare && compare->op == CompareOp::Eq &&
         isa<IndexExpr>(compare->left) && isa<ConstExpr>(compare->right);
}

bool maySpeculate(const ElementOp &op, const RunTimeChecks &checks) {
  bool isCheapAll =
      !op.value->type.isAggregate() && !(op.guard && isForOneIndex(op.guard));
  forEachExpr(*op.value, [&](const Expr &e) {
    isCheapAll =
        isCheapAll && isCheap(e, checks) && !(checks.overflow && mayWrap(e));
  });
  return isCheapAll;
}

} // namespace zpl::air
