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
// A quotient of doubles is two calls of the runtime's zrtA_quotient_part, one
// per part, which works for all exponents (runtime/lib/Entry/Abi/Quotient.h).
// They have no effects, so loops around them vectorize, and the back end puts
// the common case inline (lib/Backend/Quotients.cpp). Pairs of floats are
// divided as doubles by the textbook's formula: their exponents reach far
// enough for it, and their products are exact. Long doubles are left to the
// runtime. There is no control flow. C's treatment of infinities (annex G) is
// not repeated.
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

ScalarOps::Parts ScalarOps::plainQuotient(Parts a, Parts b) {
  Value *square = fma(b.re, b.re, builder.CreateFMul(b.im, b.im));
  Value *re = fma(a.re, b.re, builder.CreateFMul(a.im, b.im));
  Value *cross = builder.CreateFMul(a.re, b.im);
  Value *im = fma(a.im, b.re, builder.CreateFNeg(cross));
  re = builder.CreateFDiv(re, square);
  return {re, builder.CreateFDiv(im, square)};
}

Value *ScalarOps::complexQuotient(air::Type type, Value *left, Value *right) {
  Value *fused = builder.getInt32(fusesMultiplyAdd);
  if (type == air::Type::C80)
    return throughMemory(type, {left, right}, [&](ArrayRef<Value *> cells) {
      builder.CreateCall(ZRT_CALLEE(calls, zrtA_quotient_c80),
                         {cells[0], cells[1], fused, cells[2]});
    });
  Parts a = parts(complexCast(type, air::Type::C64, left));
  Parts b = parts(complexCast(type, air::Type::C64, right));
  if (type == air::Type::C32) {
    Parts result = plainQuotient(a, b);
    return complexCast(air::Type::C64, type, complex(result.re, result.im));
  }
  FunctionCallee part = ZRT_CALLEE(calls, zrtA_quotient_part);
  Value *minus = builder.CreateFNeg(a.re);
  Value *re = builder.CreateCall(part, {a.re, a.im, b.re, b.im, fused}, "re");
  return complex(
      re, builder.CreateCall(part, {a.im, minus, b.re, b.im, fused}, "im"));
}

Value *ScalarOps::throughMemory(air::Type type, ArrayRef<Value *> operands,
                                function_ref<void(ArrayRef<Value *>)> call) {
  llvm::Type *memory = types.memory(type);
  IRBuilder<> entry(&*builder.GetInsertBlock()
                          ->getParent()
                          ->getEntryBlock()
                          .getFirstInsertionPt());
  SmallVector<Value *, 3> cells;
  for (size_t k = 0; k <= operands.size(); ++k)
    cells.push_back(entry.CreateAlloca(memory, nullptr, "operand"));
  for (auto [operand, cell] : zip(operands, cells))
    builder.CreateStore(operand, cell);
  call(cells);
  return builder.CreateLoad(memory, cells.back());
}

Value *ScalarOps::complexPower(air::Type type, Value *base, Value *exponent) {
  // The runtime has it in two precisions.
  air::Type wide = type == air::Type::C80 ? air::Type::C80 : air::Type::C64;
  FunctionCallee callee = wide == air::Type::C80
                              ? ZRT_CALLEE(calls, zrtA_power_c80)
                              : ZRT_CALLEE(calls, zrtA_power_c64);
  Value *power = throughMemory(
      wide, {complexCast(type, wide, base), complexCast(type, wide, exponent)},
      [&](ArrayRef<Value *> cells) { builder.CreateCall(callee, cells); });
  return complexCast(wide, type, power);
}

static zrt_complex_function abiFunction(air::MathFn fn) {
  if (fn == air::MathFn::Sqrt)
    return ZRT_COMPLEX_SQRT;
  if (fn == air::MathFn::Exp)
    return ZRT_COMPLEX_EXP;
  if (fn == air::MathFn::Log)
    return ZRT_COMPLEX_LOG;
  assert((fn == air::MathFn::Sin || fn == air::MathFn::Cos) &&
         "not a function of complex numbers");
  return fn == air::MathFn::Sin ? ZRT_COMPLEX_SIN : ZRT_COMPLEX_COS;
}

Value *ScalarOps::complexMath(air::MathFn fn, air::Type type, Value *operand) {
  air::Type wide = type == air::Type::C80 ? air::Type::C80 : air::Type::C64;
  FunctionCallee callee = wide == air::Type::C80
                              ? ZRT_CALLEE(calls, zrtA_function_c80)
                              : ZRT_CALLEE(calls, zrtA_function_c64);
  Value *result = throughMemory(
      wide, complexCast(type, wide, operand), [&](ArrayRef<Value *> cells) {
        builder.CreateCall(
            callee, {builder.getInt32(abiFunction(fn)), cells[0], cells[1]});
      });
  return complexCast(wide, type, result);
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
    return complexQuotient(type, left, right);
  case BinaryOp::Pow:
    return complexPower(type, left, right);
  case BinaryOp::And:
  case BinaryOp::Or:
  case BinaryOp::Rem:
  case BinaryOp::Min:
  case BinaryOp::Max:
  case BinaryOp::MinNaN:
  case BinaryOp::MaxNaN:
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
