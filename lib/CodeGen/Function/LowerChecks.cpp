//===- LowerChecks.cpp - Run-time checks ----------------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A check is a comparison and a branch to a block that ends the run with the
// place in the source:
//
//     %ok = icmp ule (i - lo), (hi - lo)
//     br %ok, go.on, fail          -- weights: fail is never expected
//   fail:
//     call void @zrtA_fail_subscript("table", 0, i, lo, hi, loc)
//     unreachable
//
// Checked are subscripts of indexed arrays, divisors of integer divisions,
// conversions of floating values to integers, and enumerations that are
// written; where -fcheck is asked for, also operations on signed integers that
// wrap around. What LLVM can prove (a constant divisor, a loop variable within
// the bounds) costs nothing, and what an M-loop can test before its loops
// (SubscriptRanges.cpp) next to nothing; the rest keeps M-loops from becoming
// vectors, so subscripts and conversions in them are tested below -O2 or under
// -fcheck only (zpl/Support/RunTimeChecks.def).
//
// The extents of blank references are always checked, once per statement.
//
//===----------------------------------------------------------------------===//

#include "Function/LowerChecks.h"
#include "Function/FunctionLowering.h"
#include "Function/LowerAggregates.h"
#include "Function/LowerScalar.h"
#include "MLoop/LowerMLoop.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/IR/MDBuilder.h"
#include <cmath>

using namespace llvm;

namespace zpl::codegen {

void failUnless(FunctionState &fn, Value *condition,
                function_ref<void()> emitFailure) {
  if (auto *constant = dyn_cast<ConstantInt>(condition))
    if (constant->isOne())
      return;
  BasicBlock *fail = addBlock(fn, "fail");
  BasicBlock *goOn = addBlock(fn, "checked");
  fn.builder.CreateCondBr(
      condition, goOn, fail,
      MDBuilder(fn.builder.getContext()).createLikelyBranchWeights());
  fn.builder.SetInsertPoint(fail);
  emitFailure();
  fn.builder.CreateUnreachable();
  startBlock(fn, goOn);
}

bool checksSubscripts(const FunctionState &fn) {
  bool isPerIndex = fn.mloop || fn.module.perIndex.contains(&fn.procedure);
  return isPerIndex ? fn.module.options.checks.elements
                    : fn.module.options.checks.subscripts;
}

void checkSubscript(FunctionState &fn, const air::SubscriptExpr *expr,
                    unsigned dim, Value *subscript) {
  if (fn.mloop && ranges(*fn.mloop).contains(expr, dim))
    return;
  const air::TypeInfo &info = *expr->base->type.info();
  Value *lo = bound(fn, info.lo[dim]);
  Value *hi = bound(fn, info.hi[dim]);
  if (fn.sharesPlaces && !fn.shared.inside.insert({lo, hi, subscript}).second)
    return;
  Value *isHighEnough = fn.builder.CreateICmpSGE(subscript, lo);
  Value *isInside = fn.builder.CreateAnd(
      isHighEnough, fn.builder.CreateICmpSLE(subscript, hi), "inside");
  failUnless(fn, isInside, [&] { failSubscript(fn, expr, dim, subscript); });
}

void failSubscript(FunctionState &fn, const air::SubscriptExpr *expr,
                   unsigned dim, Value *subscript) {
  const air::TypeInfo &info = *expr->base->type.info();
  fn.builder.CreateCall(ZRT_CALLEE(fn.calls, zrtA_fail_subscript),
                        {fn.module.string(expr->text), fn.builder.getInt32(dim),
                         subscript, bound(fn, info.lo[dim]),
                         bound(fn, info.hi[dim]),
                         fn.module.location(expr->range)});
}

void checkDivisor(FunctionState &fn, const air::BinaryExpr *expr,
                  Value *divisor) {
  bool divides =
      expr->op == air::BinaryOp::Div || expr->op == air::BinaryOp::Rem;
  if (!divides || !expr->type.isInteger())
    return;
  failUnless(fn, fn.builder.CreateIsNotNull(divisor, "divides"), [&] {
    fn.builder.CreateCall(ZRT_CALLEE(fn.calls, zrtA_fail_division),
                          {fn.module.location(expr->range)});
  });
}

//===----------------------------------------------------------------------===//
// Integers that wrap around
//===----------------------------------------------------------------------===//

static bool isSignedInteger(air::Type type) {
  return type == air::Type::I32 || type == air::Type::I64;
}

static void failOverflow(FunctionState &fn, const air::Expr *expr, Value *left,
                         StringRef op, Value *right) {
  fn.builder.CreateCall(ZRT_CALLEE(fn.calls, zrtA_fail_overflow),
                        {fn.builder.CreateSExt(left, fn.types.i64),
                         fn.module.string(op),
                         fn.builder.CreateSExt(right, fn.types.i64),
                         fn.module.string(typeName(expr->type)),
                         fn.module.location(expr->range)});
}

/// The operators of signed integers that may wrap around, as the source has
/// them; empty: this one does not.
static StringRef wrappingOperator(const air::BinaryExpr *expr) {
  if (!isSignedInteger(expr->type))
    return "";
  if (expr->op == air::BinaryOp::Add)
    return "+";
  if (expr->op == air::BinaryOp::Sub)
    return "-";
  if (expr->op == air::BinaryOp::Mul)
    return "*";
  if (expr->op == air::BinaryOp::Div)
    return "/";
  return expr->op == air::BinaryOp::Pow ? "^" : "";
}

void checkOverflow(FunctionState &fn, const air::BinaryExpr *expr, Value *left,
                   Value *right) {
  StringRef op = wrappingOperator(expr);
  if (op.empty())
    return;
  llvm::Type *type = left->getType();
  Value *wraps;
  if (op == "/") {
    if (auto *divisor = dyn_cast<ConstantInt>(right);
        divisor && !divisor->isMinusOne())
      return;
    Value *least = ConstantInt::get(
        type, APInt::getSignedMinValue(type->getIntegerBitWidth()));
    wraps = fn.builder.CreateAnd(
        fn.builder.CreateICmpEQ(left, least),
        fn.builder.CreateICmpEQ(right, ConstantInt::getAllOnesValue(type)));
  } else if (op == "^") {
    Value *fits = fn.builder.CreateCall(
        ZRT_CALLEE(fn.calls, zrtA_power_fits),
        {fn.builder.CreateSExt(left, fn.types.i64),
         fn.builder.CreateSExt(right, fn.types.i64),
         fn.builder.getInt32(type->getIntegerBitWidth())});
    wraps = fn.builder.CreateIsNull(fits);
  } else {
    Intrinsic::ID id = op == "+"   ? Intrinsic::sadd_with_overflow
                       : op == "-" ? Intrinsic::ssub_with_overflow
                                   : Intrinsic::smul_with_overflow;
    Value *both = fn.builder.CreateBinaryIntrinsic(id, left, right);
    wraps = fn.builder.CreateExtractValue(both, 1, "wraps");
  }
  failUnless(fn, fn.builder.CreateNot(wraps),
             [&] { failOverflow(fn, expr, left, op, right); });
}

void checkNegation(FunctionState &fn, const air::UnaryExpr *expr,
                   Value *operand) {
  if (expr->op != air::UnaryOp::Neg || !isSignedInteger(expr->type))
    return;
  llvm::Type *type = operand->getType();
  Value *least = ConstantInt::get(
      type, APInt::getSignedMinValue(type->getIntegerBitWidth()));
  failUnless(fn, fn.builder.CreateICmpNE(operand, least), [&] {
    failOverflow(fn, expr, ConstantInt::getNullValue(type), "-", operand);
  });
}

void checkConversion(FunctionState &fn, const air::CastExpr *expr,
                     Value *operand) {
  air::Type to = expr->type;
  if (!expr->operand->type.isFloat() || !to.isInteger() ||
      to == air::Type::Bool)
    return;
  llvm::Type *type = operand->getType();
  unsigned width = fn.types.value(to)->getIntegerBitWidth();
  unsigned precision = type->getFPMantissaWidth();
  double limit = std::ldexp(1.0, to.isSigned() ? width - 1 : width);
  Value *isLow;
  if (!to.isSigned())
    isLow = fn.builder.CreateFCmpOGT(operand, ConstantFP::get(type, -1.0));
  else if (precision > width)
    isLow =
        fn.builder.CreateFCmpOGT(operand, ConstantFP::get(type, -limit - 1));
  else
    isLow = fn.builder.CreateFCmpOGE(operand, ConstantFP::get(type, -limit));
  Value *fits = fn.builder.CreateAnd(
      isLow, fn.builder.CreateFCmpOLT(operand, ConstantFP::get(type, limit)),
      "fits");
  failUnless(fn, fits, [&] {
    fn.builder.CreateCall(ZRT_CALLEE(fn.calls, zrtA_fail_conversion),
                          {fn.builder.CreateFPCast(operand, fn.types.f64),
                           fn.module.string(typeName(to)),
                           fn.module.location(expr->range)});
  });
}

void checkEnumerator(FunctionState &fn, air::Type type, Value *value,
                     SourceRange range) {
  int64_t least = INT32_MAX, greatest = INT32_MIN;
  for (const air::Enumerator &e : type.info()->enumerators) {
    least = std::min(least, e.value);
    greatest = std::max(greatest, e.value);
  }
  Value *isHighEnough =
      fn.builder.CreateICmpSGE(value, fn.builder.getInt32(least));
  Value *isKnown = fn.builder.CreateAnd(
      isHighEnough,
      fn.builder.CreateICmpSLE(value, fn.builder.getInt32(greatest)));
  failUnless(fn, isKnown, [&] {
    fn.builder.CreateCall(ZRT_CALLEE(fn.calls, zrtA_fail_conversion),
                          {fn.builder.CreateSIToFP(value, fn.types.f64),
                           fn.module.string(typeName(type)),
                           fn.module.location(range)});
  });
}

void lowerCheckShape(FunctionState &fn, const air::CheckShapeStmt *stmt) {
  Value *a = lower(fn, stmt->extentA);
  Value *b = lower(fn, stmt->extentB);
  failUnless(fn, fn.builder.CreateICmpEQ(a, b, "conform"), [&] {
    fn.builder.CreateCall(
        ZRT_CALLEE(fn.calls, zrtA_fail_shape),
        {fn.module.string(stmt->textA), a, fn.module.string(stmt->textB), b,
         fn.builder.getInt32(stmt->dim), fn.module.location(stmt->range)});
  });
}

void lowerCheckThat(FunctionState &fn, const air::CheckThatStmt *stmt) {
  failUnless(fn, lower(fn, stmt->condition), [&] {
    Value *shown[2] = {fn.builder.getInt64(0), fn.builder.getInt64(0)};
    for (auto [place, value] : zip(shown, stmt->values))
      place = lower(fn, value);
    fn.builder.CreateCall(ZRT_CALLEE(fn.calls, zrtA_fail_that),
                          {fn.module.string(stmt->text), shown[0], shown[1],
                           fn.builder.getInt32(!fn.procedure.isScalar),
                           fn.module.location(stmt->range)});
  });
}

} // namespace zpl::codegen
