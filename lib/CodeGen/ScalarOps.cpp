//===- ScalarOps.cpp - Arithmetic of the array IR in LLVM IR --------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the operators of Ops.def mean, instruction by instruction. Three rules
// are after the choices:
//
//  1. The same bits at every optimization level. So no fast-math flag stands on
//     an element's operation, an operation that LLVM may evaluate in two ways
//     (llvm.maxnum with zeros of both signs) is spelled out, and library
//     functions are `nobuiltin`: LLVM rewrites pow(x, 2) and folds sin(1.0)
//     only when it optimizes, and not to the same bits.
//  2. No trap and no undefined result where the language defines one: integers
//     wrap (also MININT / -1), shift counts are taken modulo the width, floats
//     too large for an integer saturate. Integer division by zero is
//     undefined in the language too.
//  3. No control flow, so that an expression stays within one vectorizable
//  block.
//
// max(a, b) on floats, where the other operand wins over a NaN:
//
//   %b' = select (fcmp uno b, b), a, b       -- a NaN in b is out
//   %r = select (fcmp ogt a, %b'), a, %b'     -- false for a NaN in a
//
// which is vcmppd, vblendvpd, vmaxpd; the first two vanish when b is a
// constant. (With the selects the other way round LLVM merges their conditions,
// and there is no vmaxpd.)
//
//===----------------------------------------------------------------------===//

#include "ScalarOps.h"
#include "llvm/IR/Intrinsics.h"

using namespace llvm;
using zpl::air::BinaryOp;
using zpl::air::CompareOp;
using zpl::air::MathFn;
using zpl::air::Reduction;
using zpl::air::UnaryOp;

namespace zpl::codegen {

Value *ScalarOps::isTrue(air::Type type, Value *operand) {
  if (type == air::Type::Bool)
    return operand;
  if (type.isComplex()) {
    Parts number = parts(operand);
    return builder.CreateOr(isTrue(type.component(), number.re),
                            isTrue(type.component(), number.im));
  }
  Constant *zero = Constant::getNullValue(operand->getType());
  return type.isFloat() ? builder.CreateFCmpUNE(operand, zero)
                        : builder.CreateICmpNE(operand, zero);
}

llvm::Type *ScalarOps::typeLike(air::Type type, Value *like) const {
  auto *vector = dyn_cast<VectorType>(like->getType());
  return vector ? VectorType::get(types.value(type), vector->getElementCount())
                : types.value(type);
}

Value *ScalarOps::fromLogical(air::Type type, Value *condition) {
  llvm::Type *number = typeLike(type, condition);
  if (type.isFloat())
    return builder.CreateUIToFP(condition, number);
  return builder.CreateZExt(condition, number);
}

Value *ScalarOps::unary(UnaryOp op, air::Type type, Value *operand) {
  switch (op) {
  case UnaryOp::Neg:
    if (type.isComplex()) {
      Parts number = parts(operand);
      Value *re = builder.CreateFNeg(number.re);
      return complex(re, builder.CreateFNeg(number.im));
    }
    return type.isFloat() ? builder.CreateFNeg(operand)
                          : builder.CreateNeg(operand);
  case UnaryOp::Not:
    return fromLogical(type, builder.CreateNot(isTrue(type, operand)));
  case UnaryOp::BitNot:
    return builder.CreateNot(operand);
  case UnaryOp::Abs:
    if (type.isFloat())
      return builder.CreateUnaryIntrinsic(Intrinsic::fabs, operand);
    if (type.isUnsigned())
      return operand;
    return builder.CreateBinaryIntrinsic(Intrinsic::abs, operand,
                                         builder.getFalse());
  }
  llvm_unreachable("unknown unary operator");
}

Value *ScalarOps::binary(BinaryOp op, air::Type type, Value *left,
                         Value *right) {
  if (type.isComplex())
    return complexBinary(op, type, left, right);
  if (type == air::Type::Str)
    return builder.CreateCall(op == BinaryOp::Min
                                  ? ZRT_CALLEE(calls, zrtA_least_string)
                                  : ZRT_CALLEE(calls, zrtA_greatest_string),
                              {left, right});
  return type.isFloat() ? floatBinary(op, type, left, right)
                        : integerBinary(op, type, left, right);
}

Value *ScalarOps::divide(bool remainder, Value *dividend, Value *divisor) {
  auto plain = [&](Value *by) {
    return remainder ? builder.CreateSRem(dividend, by)
                     : builder.CreateSDiv(dividend, by);
  };
  auto *constant = dyn_cast<ConstantInt>(divisor);
  if (constant && !constant->isMinusOne())
    return plain(constant);
  llvm::Type *type = divisor->getType();
  Value *negates =
      builder.CreateICmpEQ(divisor, Constant::getAllOnesValue(type));
  Value *by = builder.CreateSelect(negates, ConstantInt::get(type, 1), divisor);
  Value *result = plain(by);
  if (remainder) // by 1: already right
    return result;
  return builder.CreateSelect(negates, builder.CreateNeg(dividend), result);
}

Value *ScalarOps::integerPower(air::Type type, Value *base, Value *exponent) {
  if (type == air::Type::I32)
    return builder.CreateCall(ZRT_CALLEE(calls, zrtA_power_i32),
                              {base, exponent});
  if (type == air::Type::I64)
    return builder.CreateCall(ZRT_CALLEE(calls, zrtA_power_i64),
                              {base, exponent});
  Value *power = builder.CreateCall(ZRT_CALLEE(calls, zrtA_power_u64),
                                    {builder.CreateZExt(base, types.i64),
                                     builder.CreateZExt(exponent, types.i64)});
  return builder.CreateTrunc(power, types.value(type));
}

Value *ScalarOps::integerBinary(BinaryOp op, air::Type type, Value *left,
                                Value *right) {
  bool isUnsigned = type.isUnsigned();
  auto count = [&] {
    unsigned width = right->getType()->getScalarSizeInBits();
    return builder.CreateAnd(right,
                             ConstantInt::get(right->getType(), width - 1));
  };
  switch (op) {
  case BinaryOp::Add:
    return builder.CreateAdd(left, right);
  case BinaryOp::Sub:
    return builder.CreateSub(left, right);
  case BinaryOp::Mul:
    return builder.CreateMul(left, right);
  case BinaryOp::Div:
    return isUnsigned ? builder.CreateUDiv(left, right)
                      : divide(/*remainder=*/false, left, right);
  case BinaryOp::Rem:
    return isUnsigned ? builder.CreateURem(left, right)
                      : divide(/*remainder=*/true, left, right);
  case BinaryOp::Pow:
    return integerPower(type, left, right);
  case BinaryOp::Min:
    return builder.CreateBinaryIntrinsic(
        isUnsigned ? Intrinsic::umin : Intrinsic::smin, left, right);
  case BinaryOp::Max:
    return builder.CreateBinaryIntrinsic(
        isUnsigned ? Intrinsic::umax : Intrinsic::smax, left, right);
  case BinaryOp::And:
    return fromLogical(
        type, builder.CreateAnd(isTrue(type, left), isTrue(type, right)));
  case BinaryOp::Or:
    return fromLogical(
        type, builder.CreateOr(isTrue(type, left), isTrue(type, right)));
  case BinaryOp::MinNaN: // of floats
  case BinaryOp::MaxNaN:
    break;
  case BinaryOp::BitAnd:
    return builder.CreateAnd(left, right);
  case BinaryOp::BitOr:
    return builder.CreateOr(left, right);
  case BinaryOp::BitXor:
    return builder.CreateXor(left, right);
  case BinaryOp::ShiftL:
    return builder.CreateShl(left, count());
  case BinaryOp::ShiftR:
    return isUnsigned ? builder.CreateLShr(left, count())
                      : builder.CreateAShr(left, count());
  }
  llvm_unreachable("unknown binary operator");
}

Value *ScalarOps::floatExtremum(bool isMax, Value *left, Value *right) {
  Value *rightIsNaN = builder.CreateFCmpUNO(right, right);
  right = builder.CreateSelect(rightIsNaN, left, right);
  Value *leftWins = isMax ? builder.CreateFCmpOGT(left, right)
                          : builder.CreateFCmpOLT(left, right);
  return builder.CreateSelect(leftWins, left, right);
}

Value *ScalarOps::numberExtremum(bool isMax, air::Type type, Value *left,
                                 Value *right) {
  if (type != air::Type::F80) // becomes vectors, in reductions too
    return builder.CreateBinaryIntrinsic(
        isMax ? Intrinsic::maximum : Intrinsic::minimum, left, right);
  Constant *zero = Constant::getNullValue(left->getType());
  Value *areZero = builder.CreateAnd(builder.CreateFCmpOEQ(left, zero),
                                     builder.CreateFCmpOEQ(right, zero));
  Value *ofZeros =
      isMax ? builder.CreateFAdd(left, right)
            : builder.CreateFNeg(builder.CreateFAdd(builder.CreateFNeg(left),
                                                    builder.CreateFNeg(right)));
  Value *leftWins = isMax ? builder.CreateFCmpOGT(left, right)
                          : builder.CreateFCmpOLT(left, right);
  Value *number = builder.CreateSelect(
      areZero, ofZeros, builder.CreateSelect(leftWins, left, right));
  return builder.CreateSelect(builder.CreateFCmpUNO(left, right),
                              ConstantFP::getNaN(left->getType()), number);
}

Value *ScalarOps::withOneNaN(Value *number) {
  return builder.CreateSelect(builder.CreateFCmpUNO(number, number),
                              ConstantFP::getNaN(number->getType()), number);
}

Value *ScalarOps::floatBinary(BinaryOp op, air::Type type, Value *left,
                              Value *right) {
  switch (op) {
  case BinaryOp::Add:
    return builder.CreateFAdd(left, right);
  case BinaryOp::Sub:
    return builder.CreateFSub(left, right);
  case BinaryOp::Mul:
    return builder.CreateFMul(left, right);
  case BinaryOp::Div:
    return builder.CreateFDiv(left, right);
  case BinaryOp::Rem:
    return builder.CreateCall(calls.libm("fmod", type, 2), {left, right});
  case BinaryOp::Pow:
    return builder.CreateCall(calls.libm("pow", type, 2), {left, right});
  case BinaryOp::Min:
    return floatExtremum(/*isMax=*/false, left, right);
  case BinaryOp::Max:
    return floatExtremum(/*isMax=*/true, left, right);
  case BinaryOp::MinNaN:
    return withOneNaN(numberExtremum(/*isMax=*/false, type, left, right));
  case BinaryOp::MaxNaN:
    return withOneNaN(numberExtremum(/*isMax=*/true, type, left, right));
  case BinaryOp::And:
    return fromLogical(
        type, builder.CreateAnd(isTrue(type, left), isTrue(type, right)));
  case BinaryOp::Or:
    return fromLogical(
        type, builder.CreateOr(isTrue(type, left), isTrue(type, right)));
  case BinaryOp::BitAnd:
  case BinaryOp::BitOr:
  case BinaryOp::BitXor:
  case BinaryOp::ShiftL:
  case BinaryOp::ShiftR:
    break;
  }
  llvm_unreachable("not an operator on floats");
}

static CmpInst::Predicate floatPredicate(CompareOp op) {
  switch (op) {
  case CompareOp::Lt:
    return CmpInst::FCMP_OLT;
  case CompareOp::Le:
    return CmpInst::FCMP_OLE;
  case CompareOp::Gt:
    return CmpInst::FCMP_OGT;
  case CompareOp::Ge:
    return CmpInst::FCMP_OGE;
  case CompareOp::Eq:
    return CmpInst::FCMP_OEQ;
  case CompareOp::Ne:
    return CmpInst::FCMP_UNE;
  }
  llvm_unreachable("unknown comparison");
}

static CmpInst::Predicate integerPredicate(CompareOp op) {
  switch (op) {
  case CompareOp::Lt:
    return CmpInst::ICMP_SLT;
  case CompareOp::Le:
    return CmpInst::ICMP_SLE;
  case CompareOp::Gt:
    return CmpInst::ICMP_SGT;
  case CompareOp::Ge:
    return CmpInst::ICMP_SGE;
  case CompareOp::Eq:
    return CmpInst::ICMP_EQ;
  case CompareOp::Ne:
    return CmpInst::ICMP_NE;
  }
  llvm_unreachable("unknown comparison");
}

Value *ScalarOps::compare(CompareOp op, air::Type type, Value *left,
                          Value *right) {
  if (type.isFloat())
    return builder.CreateFCmp(floatPredicate(op), left, right);
  if (type.isComplex()) { // = and != only
    Parts a = parts(left), b = parts(right);
    Value *re = compare(op, type.component(), a.re, b.re);
    Value *im = compare(op, type.component(), a.im, b.im);
    return op == CompareOp::Eq ? builder.CreateAnd(re, im)
                               : builder.CreateOr(re, im);
  }
  CmpInst::Predicate predicate = integerPredicate(op);
  if (type == air::Type::Str) {
    Value *order = builder.CreateCall(ZRT_CALLEE(calls, zrtA_compare_strings),
                                      {left, right});
    return builder.CreateICmp(predicate, order, builder.getInt32(0));
  }
  if (type.isUnsigned()) // also Bool: as i1, true would be -1
    predicate = ICmpInst::getUnsignedPredicate(predicate);
  return builder.CreateICmp(predicate, left, right);
}

Value *ScalarOps::floatCast(air::Type to, Value *operand) {
  llvm::Type *type = typeLike(to, operand);
  if (to.isFloat())
    return builder.CreateFPCast(operand, type);
  return builder.CreateIntrinsic(to.isSigned() ? Intrinsic::fptosi_sat
                                               : Intrinsic::fptoui_sat,
                                 {type, operand->getType()}, {operand});
}

Value *ScalarOps::cast(air::Type from, air::Type to, Value *operand) {
  llvm::Type *type = typeLike(to, operand);
  if (from == to)
    return operand;
  if (to == air::Type::Bool)
    return isTrue(from, operand);
  if (to.isComplex())
    return complexCast(from, to, operand);
  if (from.isFloat())
    return floatCast(to, operand);
  if (from == air::Type::Bool)
    return fromLogical(to, operand);
  if (to.isFloat())
    return from.isUnsigned() ? builder.CreateUIToFP(operand, type)
                             : builder.CreateSIToFP(operand, type);
  return builder.CreateIntCast(operand, type, from.isSigned());
}

Value *ScalarOps::complex(Value *re, Value *im) {
  auto *type =
      StructType::get(re->getContext(), {re->getType(), re->getType()});
  Value *half = builder.CreateInsertValue(PoisonValue::get(type), re, 0);
  return builder.CreateInsertValue(half, im, 1);
}

Value *ScalarOps::fma(Value *a, Value *b, Value *c) {
  if (fusesMultiplyAdd)
    return builder.CreateIntrinsic(Intrinsic::fma, {a->getType()}, {a, b, c});
  return builder.CreateFAdd(builder.CreateFMul(a, b), c);
}

/// Philox4x32-10 (Salmon, Moraes, Dror and Shaw, "Parallel random numbers: as
/// easy as 1, 2, 3", 2011). Words of 32 bits are kept in 64, as their products
/// and the doubles made of them are: lanes of vectors stay where they are.
Value *ScalarOps::uniform(ArrayRef<Value *> args, unsigned part) {
  llvm::Type *wide = builder.getInt64Ty();
  Value *low = ConstantInt::get(wide, 0xffffffff);
  Value *half = ConstantInt::get(wide, 32);
  SmallVector<Value *, 4> x;
  for (Value *word : args.drop_front())
    x.push_back(builder.CreateZExt(word, wide));
  Value *key[2] = {builder.CreateAnd(args[0], low),
                   builder.CreateLShr(args[0], half)};
  constexpr uint64_t Factor[2] = {0xD2511F53, 0xCD9E8D57};
  constexpr uint64_t Step[2] = {0x9E3779B9, 0xBB67AE85};
  for (int round = 0; round != 10; ++round) {
    Value *a = builder.CreateMul(x[0], ConstantInt::get(wide, Factor[0]));
    Value *b = builder.CreateMul(x[2], ConstantInt::get(wide, Factor[1]));
    Value *first = builder.CreateXor(builder.CreateLShr(b, half), x[1]);
    Value *third = builder.CreateXor(builder.CreateLShr(a, half), x[3]);
    x = {builder.CreateXor(first, key[0]), builder.CreateAnd(b, low),
         builder.CreateXor(third, key[1]), builder.CreateAnd(a, low)};
    for (int k = 0; k != 2; ++k)
      key[k] = builder.CreateAnd(
          builder.CreateAdd(key[k], ConstantInt::get(wide, Step[k])), low);
  }
  Value *bits =
      builder.CreateOr(builder.CreateShl(x[2 * part], half), x[2 * part + 1]);
  Value *number =
      builder.CreateUIToFP(builder.CreateLShr(bits, ConstantInt::get(wide, 11)),
                           builder.getDoubleTy());
  return builder.CreateFMul(number,
                            ConstantFP::get(number->getType(), 0x1p-53));
}

/// The intrinsic that a function is, if it is one.
static Intrinsic::ID intrinsicOf(MathFn fn) {
  static constexpr std::pair<MathFn, Intrinsic::ID> Intrinsics[] = {
      {MathFn::Sqrt, Intrinsic::sqrt},   {MathFn::Floor, Intrinsic::floor},
      {MathFn::Ceil, Intrinsic::ceil},   {MathFn::Round, Intrinsic::round},
      {MathFn::Trunc, Intrinsic::trunc}, {MathFn::PopCount, Intrinsic::ctpop}};
  for (auto [known, id] : Intrinsics)
    if (known == fn)
      return id;
  return Intrinsic::not_intrinsic;
}

/// 31 - leading zeros of an integer; -1 for 0 and less.
static Value *log2Floor(IRBuilderBase &builder, air::Type type, Value *x) {
  llvm::Type *number = x->getType();
  Value *zeros =
      builder.CreateBinaryIntrinsic(Intrinsic::ctlz, x, builder.getFalse());
  Value *log = builder.CreateSub(
      ConstantInt::get(number, number->getIntegerBitWidth() - 1), zeros);
  Constant *none = Constant::getAllOnesValue(number);
  if (type.isUnsigned())
    return log;
  return builder.CreateSelect(
      builder.CreateICmpSLT(x, Constant::getNullValue(number)), none, log);
}

Value *ScalarOps::math(MathFn fn, air::Type type, ArrayRef<Value *> args) {
  if (type.isComplex())
    return complexMath(fn, type, args[0]);
  if (Intrinsic::ID intrinsic = intrinsicOf(fn))
    return builder.CreateUnaryIntrinsic(intrinsic, args[0]);
  if (fn == MathFn::Log2Floor)
    return log2Floor(builder, type, args[0]);
  if (fn == MathFn::Ran)
    return builder.CreateCall(ZRT_CALLEE(calls, zrtA_ran), args);
  if (fn == MathFn::Uniform || fn == MathFn::Uniform2)
    return uniform(args, /*part=*/fn == MathFn::Uniform2);
  if (fn == MathFn::Locale)
    return builder.CreateCall(ZRT_CALLEE(calls, zrtA_locale));
  if (fn == MathFn::SameFile)
    return builder.CreateIsNotNull(
        builder.CreateCall(ZRT_CALLEE(calls, zrtA_same_file), args));
  // Of the C library, whose names are those of the array IR.
  return builder.CreateCall(calls.libm(air::text(fn), type, air::arity(fn)),
                            args);
}

} // namespace zpl::codegen
