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
//
//===----------------------------------------------------------------------===//

#include "ScalarOps.h"
#include "llvm/IR/Intrinsics.h"

using namespace llvm;
using zpl::air::Reduction;

namespace zpl::codegen {

Constant *ScalarOps::identity(Reduction op, air::Type type) {
  llvm::Type *valueType = types.value(type);
  auto extremum = [&](bool isMax) -> Constant * {
    if (type.isFloat())
      return ConstantFP::getInfinity(valueType, /*Negative=*/isMax);
    unsigned width = valueType->getIntegerBitWidth();
    if (type == air::Type::Bool)
      return ConstantInt::getBool(valueType, !isMax);
    if (type.isUnsigned())
      return ConstantInt::get(valueType, isMax ? APInt::getMinValue(width)
                                               : APInt::getMaxValue(width));
    return ConstantInt::get(valueType, isMax ? APInt::getSignedMinValue(width)
                                             : APInt::getSignedMaxValue(width));
  };
  auto number = [&](int value) -> Constant * {
    return type.isFloat() ? ConstantFP::get(valueType, value)
                          : ConstantInt::get(valueType, value);
  };
  switch (op) {
  case Reduction::Sum:
  case Reduction::Or:
    return number(0);
  case Reduction::Product:
  case Reduction::And:
    return number(1);
  case Reduction::Max:
    return extremum(true);
  case Reduction::Min:
    return extremum(false);
  }
  llvm_unreachable("unknown reduction");
}

Value *ScalarOps::accumulateExtremum(bool isMax, air::Type type,
                                     Value *accumulator, Value *value,
                                     bool mayBeNaN) {
  if (!type.isFloat())
    return integerBinary(isMax ? air::BinaryOp::Max : air::BinaryOp::Min, type,
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

Value *ScalarOps::accumulate(Reduction op, air::Type type, Value *accumulator,
                             Value *value, bool mayBeNaN) {
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
  case Reduction::And: // the accumulator is 0 or 1
    return builder.CreateAnd(accumulator,
                             fromLogical(type, isTrue(type, value)));
  case Reduction::Or:
    return builder.CreateOr(accumulator,
                            fromLogical(type, isTrue(type, value)));
  }
  llvm_unreachable("unknown reduction");
}

Value *ScalarOps::finish(Reduction op, air::Type type, Value *accumulator) {
  bool isExtremum = op == Reduction::Max || op == Reduction::Min;
  if (!isExtremum || !type.isFloat())
    return accumulator;
  return builder.CreateFAdd(accumulator,
                            ConstantFP::get(accumulator->getType(), 0.0));
}

} // namespace zpl::codegen
