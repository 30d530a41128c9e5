//===- ScalarReductions.cpp - Steps of reductions -------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A reduction is identity, one step per element, and a last touch:
//
//   sum      %acc = fadd reassoc %acc, %v           from 0
//   max      %v'  = select (fcmp uno v, v), -inf, v     from -inf
//            %acc = select nnan nsz (fcmp nnan nsz ogt v', acc), v', acc
//            finally %acc + 0.0
//
// `reassoc` on the accumulation, and nowhere else, lets LLVM keep several
// partial sums; the language allows that for + and * on floats. For max and min
// any order gives the same bits, because a NaN never takes part and the sign of
// a zero is made + at the end. LLVM 19 vectorizes a compare-and-select maximum
// only with `nnan nsz`; `nnan` turns a NaN into poison, hence its replacement
// first, two instructions a vector, left out where the operand cannot be NaN.
//
// And and Or are logical: on integers they combine `v != 0` and give 0 or 1.
// Complex numbers are added part by part, each like a float, and multiplied by
// the expansion of ComplexOps.cpp.
//
// The neutral value of an operator changes no accumulator whatever it holds; it
// stands for an element that a guard leaves out. For sums of floats that is -0,
// while the identity, which is the value over no element, is +0.
//
//===----------------------------------------------------------------------===//

#include "ScalarOps.h"
#include "llvm/IR/Intrinsics.h"

using namespace llvm;
using zpl::air::Reduction;

namespace zpl::codegen {

Constant *ScalarOps::extreme(air::Type type, bool isLeast) {
  llvm::Type *valueType = types.value(type);
  if (type == air::Type::Str)
    return calls.text(isLeast ? "" : ZRT_LAST_STRING);
  if (type.isFloat())
    return ConstantFP::getInfinity(valueType, /*Negative=*/isLeast);
  unsigned width = valueType->getIntegerBitWidth();
  if (type.isUnsigned()) // also Bool
    return ConstantInt::get(valueType, isLeast ? APInt::getMinValue(width)
                                               : APInt::getMaxValue(width));
  return ConstantInt::get(valueType, isLeast ? APInt::getSignedMinValue(width)
                                             : APInt::getSignedMaxValue(width));
}

Constant *ScalarOps::number(air::Type type, int value) {
  llvm::Type *valueType = types.value(type);
  if (type.isComplex())
    return ConstantStruct::get(
        llvm::cast<StructType>(valueType),
        {number(type.component(), value), number(type.component(), 0)});
  return type.isFloat() ? ConstantFP::get(valueType, value)
                        : ConstantInt::get(valueType, value, /*IsSigned=*/true);
}

Constant *ScalarOps::identity(Reduction op, air::Type type) {
  switch (op) {
  case Reduction::Sum:
  case Reduction::Or:
  case Reduction::BitOr:
  case Reduction::BitXor:
    return number(type, 0);
  case Reduction::Product:
  case Reduction::And:
    return number(type, 1);
  case Reduction::BitAnd:
    return number(type, -1);
  case Reduction::Max:
  case Reduction::MaxNaN:
    return extreme(type, /*isLeast=*/true);
  case Reduction::Min:
  case Reduction::MinNaN:
    return extreme(type, /*isLeast=*/false);
  }
  llvm_unreachable("unknown reduction");
}

Constant *ScalarOps::neutral(Reduction op, air::Type type) {
  if (op != Reduction::Sum || !(type.isFloat() || type.isComplex()))
    return identity(op, type);
  Constant *zero = ConstantFP::getNegativeZero(types.value(type.component()));
  if (type.isFloat())
    return zero;
  return ConstantStruct::get(llvm::cast<StructType>(types.value(type)),
                             {zero, zero});
}

Value *ScalarOps::accumulateExtremum(bool isMax, air::Type type,
                                     Value *accumulator, Value *value,
                                     bool mayBeNaN) {
  if (!type.isFloat())
    return binary(isMax ? air::BinaryOp::Max : air::BinaryOp::Min, type,
                  accumulator, value);
  if (mayBeNaN)
    value = builder.CreateSelect(
        builder.CreateFCmpUNO(value, value),
        identity(isMax ? Reduction::Max : Reduction::Min, type), value);
  IRBuilder<>::FastMathFlagGuard guard(builder);
  FastMathFlags flags;
  flags.setNoNaNs();
  flags.setNoSignedZeros();
  builder.setFastMathFlags(flags);
  Value *better = isMax ? builder.CreateFCmpOGT(value, accumulator)
                        : builder.CreateFCmpOLT(value, accumulator);
  return builder.CreateSelect(better, value, accumulator);
}

Value *ScalarOps::accumulateComplex(Reduction op, air::Type type,
                                    Value *accumulator, Value *value) {
  if (op == Reduction::Product)
    return complexBinary(air::BinaryOp::Mul, type, accumulator, value);
  Parts sum = parts(accumulator), more = parts(value);
  air::Type part = type.component();
  Value *re = accumulate(op, part, sum.re, more.re, /*mayBeNaN=*/true);
  return complex(re, accumulate(op, part, sum.im, more.im, /*mayBeNaN=*/true));
}

Value *ScalarOps::accumulate(Reduction op, air::Type type, Value *accumulator,
                             Value *value, bool mayBeNaN) {
  if (type.isComplex())
    return accumulateComplex(op, type, accumulator, value);
  IRBuilder<>::FastMathFlagGuard guard(builder);
  FastMathFlags reassociable;
  reassociable.setAllowReassoc();
  switch (op) {
  case Reduction::Sum:
    if (!type.isFloat())
      return builder.CreateAdd(accumulator, value);
    builder.setFastMathFlags(reassociable);
    return builder.CreateFAdd(accumulator, value);
  case Reduction::Product:
    if (!type.isFloat())
      return builder.CreateMul(accumulator, value);
    builder.setFastMathFlags(reassociable);
    return builder.CreateFMul(accumulator, value);
  case Reduction::Max:
    return accumulateExtremum(true, type, accumulator, value, mayBeNaN);
  case Reduction::Min:
    return accumulateExtremum(false, type, accumulator, value, mayBeNaN);
  case Reduction::MaxNaN:
    return numberExtremum(true, type, accumulator, value);
  case Reduction::MinNaN:
    return numberExtremum(false, type, accumulator, value);
  case Reduction::And: // the accumulator is 0 or 1
    return builder.CreateAnd(accumulator,
                             fromLogical(type, isTrue(type, value)));
  case Reduction::Or:
    return builder.CreateOr(accumulator,
                            fromLogical(type, isTrue(type, value)));
  case Reduction::BitAnd:
    return builder.CreateAnd(accumulator, value);
  case Reduction::BitOr:
    return builder.CreateOr(accumulator, value);
  case Reduction::BitXor:
    return builder.CreateXor(accumulator, value);
  }
  llvm_unreachable("unknown reduction");
}

Value *ScalarOps::finish(Reduction op, air::Type type, Value *accumulator) {
  bool keepsNaN = op == Reduction::MaxNaN || op == Reduction::MinNaN;
  bool isExtremum = op == Reduction::Max || op == Reduction::Min || keepsNaN;
  if (!isExtremum || !type.isFloat())
    return accumulator;
  Value *result = builder.CreateFAdd(
      accumulator, ConstantFP::get(accumulator->getType(), 0.0));
  return keepsNaN ? withOneNaN(result) : result;
}

} // namespace zpl::codegen
