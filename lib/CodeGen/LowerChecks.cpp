//===- LowerChecks.cpp - What -fcheck adds --------------------------------===//
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

#include "FunctionLowering.h"
#include "MLoop/LowerMLoop.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/IR/MDBuilder.h"
#include <cmath>

using namespace llvm;

namespace zpl::codegen {

void FunctionLowering::failUnless(Value *condition,
                                  function_ref<void()> emitFailure) {
  if (auto *constant = dyn_cast<ConstantInt>(condition))
    if (constant->isOne())
      return;
  BasicBlock *fail = addBlock("fail");
  BasicBlock *goOn = addBlock("checked");
  builder.CreateCondBr(
      condition, goOn, fail,
      MDBuilder(builder.getContext()).createLikelyBranchWeights());
  builder.SetInsertPoint(fail);
  emitFailure();
  builder.CreateUnreachable();
  startBlock(goOn);
}

/// Whether subscripts are tested where they are evaluated.
bool FunctionLowering::checksSubscripts() const {
  bool isPerIndex = mloop || module.perIndex.contains(&procedure);
  return isPerIndex ? module.options.checks.elements
                    : module.options.checks.subscripts;
}

void FunctionLowering::checkSubscript(const air::SubscriptExpr *expr,
                                      unsigned dim, Value *subscript) {
  if (mloop && mloop->ranges().contains(expr, dim))
    return;
  const air::TypeInfo &info = *expr->base->type.info();
  Value *lo = bound(info.lo[dim]);
  Value *hi = bound(info.hi[dim]);
  if (sharesPlaces && !shared.inside.insert({lo, hi, subscript}).second)
    return;
  Value *isHighEnough = builder.CreateICmpSGE(subscript, lo);
  Value *isInside = builder.CreateAnd(
      isHighEnough, builder.CreateICmpSLE(subscript, hi), "inside");
  failUnless(isInside, [&] { failSubscript(expr, dim, subscript); });
}

void FunctionLowering::failSubscript(const air::SubscriptExpr *expr,
                                     unsigned dim, Value *subscript) {
  const air::TypeInfo &info = *expr->base->type.info();
  builder.CreateCall(ZRT_CALLEE(calls, zrtA_fail_subscript),
                     {module.string(expr->text), builder.getInt32(dim),
                      subscript, bound(info.lo[dim]), bound(info.hi[dim]),
                      module.location(expr->range)});
}

void FunctionLowering::checkDivisor(const air::BinaryExpr *expr,
                                    Value *divisor) {
  bool divides =
      expr->op == air::BinaryOp::Div || expr->op == air::BinaryOp::Rem;
  if (!divides || !expr->type.isInteger())
    return;
  failUnless(builder.CreateIsNotNull(divisor, "divides"), [&] {
    builder.CreateCall(ZRT_CALLEE(calls, zrtA_fail_division),
                       {module.location(expr->range)});
  });
}

//===----------------------------------------------------------------------===//
// Integers that wrap around
//===----------------------------------------------------------------------===//

static bool isSignedInteger(air::Type type) {
  return type == air::Type::I32 || type == air::Type::I64;
}

void FunctionLowering::failOverflow(const air::Expr *expr, Value *left,
                                    StringRef op, Value *right) {
  builder.CreateCall(ZRT_CALLEE(calls, zrtA_fail_overflow),
                     {builder.CreateSExt(left, types.i64), module.string(op),
                      builder.CreateSExt(right, types.i64),
                      module.string(typeName(expr->type)),
                      module.location(expr->range)});
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

/// Sums, differences and products have an intrinsic that tells; of quotients
/// only that of the least value by -1 does not fit; powers ask the runtime.
void FunctionLowering::checkOverflow(const air::BinaryExpr *expr, Value *left,
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
    wraps = builder.CreateAnd(
        builder.CreateICmpEQ(left, least),
        builder.CreateICmpEQ(right, ConstantInt::getAllOnesValue(type)));
  } else if (op == "^") {
    Value *fits =
        builder.CreateCall(ZRT_CALLEE(calls, zrtA_power_fits),
                           {builder.CreateSExt(left, types.i64),
                            builder.CreateSExt(right, types.i64),
                            builder.getInt32(type->getIntegerBitWidth())});
    wraps = builder.CreateIsNull(fits);
  } else {
    Intrinsic::ID id = op == "+"   ? Intrinsic::sadd_with_overflow
                       : op == "-" ? Intrinsic::ssub_with_overflow
                                   : Intrinsic::smul_with_overflow;
    Value *both = builder.CreateBinaryIntrinsic(id, left, right);
    wraps = builder.CreateExtractValue(both, 1, "wraps");
  }
  failUnless(builder.CreateNot(wraps),
             [&] { failOverflow(expr, left, op, right); });
}

void FunctionLowering::checkNegation(const air::UnaryExpr *expr,
                                     Value *operand) {
  if (expr->op != air::UnaryOp::Neg || !isSignedInteger(expr->type))
    return;
  llvm::Type *type = operand->getType();
  Value *least = ConstantInt::get(
      type, APInt::getSignedMinValue(type->getIntegerBitWidth()));
  failUnless(builder.CreateICmpNE(operand, least), [&] {
    failOverflow(expr, ConstantInt::getNullValue(type), "-", operand);
  });
}

/// Whether the value, cut off toward zero, fits the integer type. Both limits
/// are powers of two or next to one; below, -2^k - 1 is taken if the floating
/// type has it, otherwise -2^k itself is the least value that fits.
void FunctionLowering::checkConversion(const air::CastExpr *expr,
                                       Value *operand) {
  air::Type to = expr->type;
  if (!expr->operand->type.isFloat() || !to.isInteger() ||
      to == air::Type::Bool)
    return;
  llvm::Type *type = operand->getType();
  unsigned width = types.value(to)->getIntegerBitWidth();
  unsigned precision = type->getFPMantissaWidth();
  double limit = std::ldexp(1.0, to.isSigned() ? width - 1 : width);
  Value *isLow;
  if (!to.isSigned())
    isLow = builder.CreateFCmpOGT(operand, ConstantFP::get(type, -1.0));
  else if (precision > width)
    isLow = builder.CreateFCmpOGT(operand, ConstantFP::get(type, -limit - 1));
  else
    isLow = builder.CreateFCmpOGE(operand, ConstantFP::get(type, -limit));
  Value *fits = builder.CreateAnd(
      isLow, builder.CreateFCmpOLT(operand, ConstantFP::get(type, limit)),
      "fits");
  failUnless(fits, [&] {
    builder.CreateCall(ZRT_CALLEE(calls, zrtA_fail_conversion),
                       {builder.CreateFPCast(operand, types.f64),
                        module.string(typeName(to)),
                        module.location(expr->range)});
  });
}

/// An enumeration that is written must lie between its least and its greatest
/// value; a `for` may have left its variable one step beyond.
void FunctionLowering::checkEnumerator(air::Type type, Value *value,
                                       SourceRange range) {
  int64_t least = INT32_MAX, greatest = INT32_MIN;
  for (const air::Enumerator &e : type.info()->enumerators) {
    least = std::min(least, e.value);
    greatest = std::max(greatest, e.value);
  }
  Value *isHighEnough = builder.CreateICmpSGE(value, builder.getInt32(least));
  Value *isKnown = builder.CreateAnd(
      isHighEnough, builder.CreateICmpSLE(value, builder.getInt32(greatest)));
  failUnless(isKnown, [&] {
    builder.CreateCall(ZRT_CALLEE(calls, zrtA_fail_conversion),
                       {builder.CreateSIToFP(value, types.f64),
                        module.string(typeName(type)), module.location(range)});
  });
}

void FunctionLowering::lowerCheckShape(const air::CheckShapeStmt *stmt) {
  Value *a = lower(stmt->extentA);
  Value *b = lower(stmt->extentB);
  failUnless(builder.CreateICmpEQ(a, b, "conform"), [&] {
    builder.CreateCall(
        ZRT_CALLEE(calls, zrtA_fail_shape),
        {module.string(stmt->textA), a, module.string(stmt->textB), b,
         builder.getInt32(stmt->dim), module.location(stmt->range)});
  });
}

void FunctionLowering::lowerCheckThat(const air::CheckThatStmt *stmt) {
  failUnless(lower(stmt->condition), [&] {
    Value *shown[2] = {builder.getInt64(0), builder.getInt64(0)};
    for (auto [place, value] : zip(shown, stmt->values))
      place = lower(value);
    builder.CreateCall(ZRT_CALLEE(calls, zrtA_fail_that),
                       {module.string(stmt->text), shown[0], shown[1],
                        builder.getInt32(!procedure.isScalar),
                        module.location(stmt->range)});
  });
}

} // namespace zpl::codegen
