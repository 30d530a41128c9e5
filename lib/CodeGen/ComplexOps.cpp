//===- ComplexOps.cpp - Arithmetic on complex numbers ---------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A complex number is a pair of floats. Every operation is one fixed expansion,
// the same at every optimization level, with a fused multiply-add where the
// rounding contract puts one in a statement of the language: the left product
// of a sum.
//
//   (a + bi) * (c + di)  =  fma(a, c, -(b*d))  +  fma(a, d, b*c) i
//
// The quotient is that of the textbook, (a*c + b*d, b*c - a*d) / (c*c + d*d),
// with the divisor scaled by a power of two first, so that its square does not
// overflow. The power is taken from the exponent bits of the greater part,
// which vectorizes; pairs of floats are divided as doubles instead, and long
// doubles as they are: their exponents reach far enough. There is no control
// flow. C's treatment of infinities (annex G) is not repeated.
//
//===----------------------------------------------------------------------===//

#include "ScalarOps.h"
#include "llvm/IR/Intrinsics.h"

using namespace llvm;
using zpl::air::BinaryOp;

namespace zpl::codegen {

ScalarOps::Parts ScalarOps::parts(Value *number) {
  Value *re = builder.CreateExtractValue(number, 0);
  return {re, builder.CreateExtractValue(number, 1)};
}

/// A power of two by which doubles of about the magnitude of the greater of two
/// come close to 1: 2^-e of its exponent e, as far as it is a normal number.
Value *ScalarOps::scaleFor(Value *x, Value *y) {
  auto magnitude = [&](Value *part) {
    return builder.CreateUnaryIntrinsic(Intrinsic::fabs, part);
  };
  Value *first = magnitude(x), *second = magnitude(y);
  Value *greater = builder.CreateSelect(
      builder.CreateFCmpOGE(first, second, "first.greater"), first, second);
  constexpr uint64_t Exponent = 0x7FF0'0000'0000'0000, Least = 1ull << 52;
  Value *bits = builder.CreateAnd(builder.CreateBitCast(greater, types.i64),
                                  builder.getInt64(Exponent));
  Value *inverse = builder.CreateBinaryIntrinsic(
      Intrinsic::usub_sat, builder.getInt64(Exponent - Least), bits);
  inverse = builder.CreateBinaryIntrinsic(Intrinsic::umax, inverse,
                                          builder.getInt64(Least));
  return builder.CreateBitCast(inverse, types.f64, "scale");
}

Value *ScalarOps::complexQuotient(air::Type type, Parts a, Parts b) {
  Value *scale = nullptr;
  if (type == air::Type::C64) {
    scale = scaleFor(b.re, b.im);
    b = {builder.CreateFMul(b.re, scale), builder.CreateFMul(b.im, scale)};
  }
  Value *square = fma(b.re, b.re, builder.CreateFMul(b.im, b.im));
  Value *re = fma(a.re, b.re, builder.CreateFMul(a.im, b.im));
  Value *cross = builder.CreateFMul(a.re, b.im);
  Value *im = fma(a.im, b.re, builder.CreateFNeg(cross));
  re = builder.CreateFDiv(re, square);
  im = builder.CreateFDiv(im, square);
  if (!scale)
    return complex(re, im);
  re = builder.CreateFMul(re, scale);
  return complex(re, builder.CreateFMul(im, scale));
}

Value *ScalarOps::complexPower(air::Type type, Value *base, Value *exponent) {
  // The runtime has it in two precisions.
  air::Type wide = type == air::Type::C80 ? air::Type::C80 : air::Type::C64;
  llvm::Type *memory = types.memory(wide);
  IRBuilder<> entry(&*builder.GetInsertBlock()
                          ->getParent()
                          ->getEntryBlock()
                          .getFirstInsertionPt());
  AllocaInst *cells[3];
  for (AllocaInst *&cell : cells)
    cell = entry.CreateAlloca(memory, nullptr, "power");
  builder.CreateStore(complexCast(type, wide, base), cells[0]);
  builder.CreateStore(complexCast(type, wide, exponent), cells[1]);
  builder.CreateCall(wide == air::Type::C80 ? ZRT_CALLEE(calls, zrtA_power_c80)
                                            : ZRT_CALLEE(calls, zrtA_power_c64),
                     {cells[0], cells[1], cells[2]});
  return complexCast(wide, type, builder.CreateLoad(memory, cells[2]));
}

Value *ScalarOps::complexBinary(BinaryOp op, air::Type type, Value *left,
                                Value *right) {
  Parts a = parts(left), b = parts(right);
  switch (op) {
  case BinaryOp::Add: {
    Value *re = builder.CreateFAdd(a.re, b.re);
    return complex(re, builder.CreateFAdd(a.im, b.im));
  }
  case BinaryOp::Sub: {
    Value *re = builder.CreateFSub(a.re, b.re);
    return complex(re, builder.CreateFSub(a.im, b.im));
  }
  case BinaryOp::Mul: {
    Value *imIm = builder.CreateFMul(a.im, b.im);
    Value *re = fma(a.re, b.re, builder.CreateFNeg(imIm));
    return complex(re, fma(a.re, b.im, builder.CreateFMul(a.im, b.re)));
  }
  case BinaryOp::Div:
    if (type != air::Type::C32)
      return complexQuotient(type, a, b);
    a = parts(complexCast(type, air::Type::C64, left));
    b = parts(complexCast(type, air::Type::C64, right));
    return complexCast(air::Type::C64, type,
                       complexQuotient(air::Type::C80, a, b));
  case BinaryOp::Pow:
    return complexPower(type, left, right);
  case BinaryOp::And:
  case BinaryOp::Or:
  case BinaryOp::Rem:
  case BinaryOp::Min:
  case BinaryOp::Max:
  case BinaryOp::BitAnd:
  case BinaryOp::BitOr:
  case BinaryOp::BitXor:
  case BinaryOp::ShiftL:
  case BinaryOp::ShiftR:
    break;
  }
  llvm_unreachable("not an operator on complex numbers");
}

Value *ScalarOps::complexCast(air::Type from, air::Type to, Value *operand) {
  air::Type component = to.component();
  if (!from.isComplex())
    return complex(cast(from, component, operand),
                   Constant::getNullValue(types.value(component)));
  if (from == to)
    return operand;
  Parts number = parts(operand);
  llvm::Type *part = types.value(component);
  Value *re = builder.CreateFPCast(number.re, part);
  return complex(re, builder.CreateFPCast(number.im, part));
}

} // namespace zpl::codegen
