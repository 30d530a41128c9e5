//===- ScalarOps.h - Arithmetic of the array IR in LLVM IR ------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Each operator of the array IR on values, as LLVM instructions without
/// control flow. Boolean values are i1.
///
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_CODEGEN_SCALAROPS_H
#define ZPL_LIB_CODEGEN_SCALAROPS_H

#include "RuntimeCalls.h"
#include "llvm/IR/IRBuilder.h"

namespace zpl::codegen {

class ScalarOps {
public:
  ScalarOps(llvm::IRBuilder<> &builder, const TypeLowering &types,
            RuntimeCalls &calls, bool fusesMultiplyAdd)
      : builder(builder), types(types), calls(calls),
        fusesMultiplyAdd(fusesMultiplyAdd) {}

  // `type` is that of the operands.
  llvm::Value *unary(air::UnaryOp op, air::Type type, llvm::Value *operand);
  llvm::Value *binary(air::BinaryOp op, air::Type type, llvm::Value *left,
                      llvm::Value *right);
  llvm::Value *compare(air::CompareOp op, air::Type type, llvm::Value *left,
                       llvm::Value *right);
  llvm::Value *cast(air::Type from, air::Type to, llvm::Value *operand);
  llvm::Value *complex(llvm::Value *re, llvm::Value *im);
  struct Parts {
    llvm::Value *re, *im;
  };
  Parts parts(llvm::Value *number);
  llvm::Value *fma(llvm::Value *a, llvm::Value *b, llvm::Value *c);
  llvm::Value *math(air::MathFn fn, air::Type type,
                    llvm::ArrayRef<llvm::Value *> args);

  // Reductions.

  /// What a reduction over nothing gives.
  llvm::Constant *identity(air::Reduction op, air::Type type);
  /// What an accumulator can take in without changing at all. Complex products
  /// have no such value.
  llvm::Constant *neutral(air::Reduction op, air::Type type);
  /// One step: the accumulator with \p value taken in. \p mayBeNaN is false
  /// only if it is known that a float is no NaN.
  llvm::Value *accumulate(air::Reduction op, air::Type type,
                          llvm::Value *accumulator, llvm::Value *value,
                          bool mayBeNaN);
  /// What remains to be done after the last step.
  llvm::Value *finish(air::Reduction op, air::Type type,
                      llvm::Value *accumulator);

  /// `x != 0`; identity on Bool.
  llvm::Value *isTrue(air::Type type, llvm::Value *operand);

private:
  llvm::Value *integerBinary(air::BinaryOp op, air::Type type,
                             llvm::Value *left, llvm::Value *right);
  llvm::Value *floatBinary(air::BinaryOp op, air::Type type, llvm::Value *left,
                           llvm::Value *right);
  llvm::Value *divide(bool remainder, llvm::Value *dividend,
                      llvm::Value *divisor);
  llvm::Value *integerPower(air::Type type, llvm::Value *base,
                            llvm::Value *exponent);
  llvm::Value *floatCast(air::Type to, llvm::Value *operand);
  llvm::Value *floatExtremum(bool isMax, llvm::Value *left, llvm::Value *right);
  llvm::Value *fromLogical(air::Type type, llvm::Value *condition);

  // ComplexOps.cpp.
  llvm::Value *complexBinary(air::BinaryOp op, air::Type type,
                             llvm::Value *left, llvm::Value *right);
  Parts plainQuotient(Parts a, Parts b);
  llvm::Value *complexQuotient(air::Type type, llvm::Value *left,
                               llvm::Value *right);
  llvm::Value *
  throughMemory(air::Type type, std::array<llvm::Value *, 2> operands,
                llvm::function_ref<void(llvm::ArrayRef<llvm::Value *>)> call);
  llvm::Value *complexPower(air::Type type, llvm::Value *base,
                            llvm::Value *exponent);
  llvm::Value *complexCast(air::Type from, air::Type to, llvm::Value *operand);

  // ScalarReductions.cpp.
  llvm::Constant *extreme(air::Type type, bool isLeast);
  llvm::Constant *number(air::Type type, int value);
  llvm::Value *accumulateComplex(air::Reduction op, air::Type type,
                                 llvm::Value *accumulator, llvm::Value *value);
  llvm::Value *accumulateExtremum(bool isMax, air::Type type,
                                  llvm::Value *accumulator, llvm::Value *value,
                                  bool mayBeNaN);

  llvm::IRBuilder<> &builder;
  const TypeLowering &types;
  RuntimeCalls &calls;
  bool fusesMultiplyAdd;
};

} // namespace zpl::codegen

#endif // ZPL_LIB_CODEGEN_SCALAROPS_H
