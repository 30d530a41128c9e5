//===- ScalarOps.h - Arithmetic of the array IR in LLVM IR ------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Each operator of the array IR on values, as LLVM instructions without
/// control flow. Boolean values are i1. Numbers may also be vectors, all operands
/// of one length, except where the runtime or a library is called.
///
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_CODEGEN_SCALAROPS_H
#define ZPL_LIB_CODEGEN_SCALAROPS_H

#include "RuntimeCalls.h"
#include "llvm/IR/IRBuilder.h"

namespace zpl::codegen {

/// Emits operators at a builder's insertion point. The operands have the types
/// that the array IR wants of the operator.
class ScalarOps {
public:
  /// All must live as long as this. \p fusesMultiplyAdd: the target has an
  /// instruction for fma.
  ScalarOps(llvm::IRBuilder<> &builder, const TypeLowering &types,
            RuntimeCalls &calls, bool fusesMultiplyAdd)
      : builder(builder), types(types), calls(calls),
        fusesMultiplyAdd(fusesMultiplyAdd) {}

  // `type` is that of the operands.

  /// Integers wrap. Not is logical, of integers and Bool.
  llvm::Value *unary(air::UnaryOp op, air::Type type, llvm::Value *operand);
  /// Integers wrap, MININT / -1 too; minimum and maximum leave a NaN out; `and`
  /// and `or` are logical, and take both operands. The divisor of integers is
  /// not 0.
  llvm::Value *binary(air::BinaryOp op, air::Type type, llvm::Value *left,
                      llvm::Value *right);
  /// An i1; of complex numbers only Eq and Ne, of strings by the runtime.
  llvm::Value *compare(air::CompareOp op, air::Type type, llvm::Value *left,
                       llvm::Value *right);
  /// A conversion. Floats that do not fit an integer type become the nearest
  /// that does, a NaN 0.
  llvm::Value *cast(air::Type from, air::Type to, llvm::Value *operand);
  /// A complex number of its parts.
  llvm::Value *complex(llvm::Value *re, llvm::Value *im);
  /// What a complex number consists of.
  struct Parts {
    llvm::Value *re, *im;
  };
  /// The parts of a complex number.
  Parts parts(llvm::Value *number);
  /// a * b + c, rounded once if the target has an instruction for that, else
  /// twice.
  llvm::Value *fma(llvm::Value *a, llvm::Value *b, llvm::Value *c);
  /// A function of mathematics; \p type is that of the result.
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
  /// binary() of integers, enumerations and Bool.
  llvm::Value *integerBinary(air::BinaryOp op, air::Type type,
                             llvm::Value *left, llvm::Value *right);
  /// binary() of floats.
  llvm::Value *floatBinary(air::BinaryOp op, air::Type type, llvm::Value *left,
                           llvm::Value *right);
  /// A signed quotient or remainder. MININT / -1 is MININT here but a trap on
  /// some processors.
  llvm::Value *divide(bool remainder, llvm::Value *dividend,
                      llvm::Value *divisor);
  /// By the runtime, which computes with 32 and 64 bits; powers modulo 2^32 are
  /// those modulo 2^64, cut off.
  llvm::Value *integerPower(air::Type type, llvm::Value *base,
                            llvm::Value *exponent);
  /// Converts a float to any type but Bool.
  llvm::Value *floatCast(air::Type to, llvm::Value *operand);
  /// Number \p part, 0 or 1, of a seed and four words: in [0, 1).
  llvm::Value *uniform(llvm::ArrayRef<llvm::Value *> args, unsigned part);
  /// The greater or lesser operand; the other one if one is NaN.
  llvm::Value *floatExtremum(bool isMax, llvm::Value *left, llvm::Value *right);
  /// The greater or lesser operand, where -0 is below +0; a NaN, any one, if
  /// one is NaN.
  llvm::Value *numberExtremum(bool isMax, air::Type type, llvm::Value *left,
                              llvm::Value *right);
  /// \p number, and the same bits for every NaN.
  llvm::Value *withOneNaN(llvm::Value *number);
  /// The LLVM type of \p type, or vectors of it as long as \p like.
  llvm::Type *typeLike(air::Type type, llvm::Value *like) const;
  /// A truth value, an i1, as the 0 or 1 of \p type.
  llvm::Value *fromLogical(air::Type type, llvm::Value *condition);

  // ComplexOps.cpp.

  /// binary() of complex numbers: `+ - * / ^`.
  llvm::Value *complexBinary(air::BinaryOp op, air::Type type,
                             llvm::Value *left, llvm::Value *right);
  /// (a*c + b*d, b*c - a*d) / (c*c + d*d).
  Parts plainQuotient(Parts a, Parts b);
  /// A quotient that is right for all exponents.
  llvm::Value *complexQuotient(air::Type type, llvm::Value *left,
                               llvm::Value *right);
  /// What \p call leaves in the last of several cells in memory, of which
  /// those before hold \p operands.
  llvm::Value *
  throughMemory(air::Type type, llvm::ArrayRef<llvm::Value *> operands,
                llvm::function_ref<void(llvm::ArrayRef<llvm::Value *>)> call);
  /// By the runtime, in one of two precisions.
  llvm::Value *complexPower(air::Type type, llvm::Value *base,
                            llvm::Value *exponent);
  /// A function of mathematics by the runtime, in one of two precisions.
  llvm::Value *complexMath(air::MathFn fn, air::Type type,
                           llvm::Value *operand);
  /// Any number to a complex type.
  llvm::Value *complexCast(air::Type from, air::Type to, llvm::Value *operand);

  // ScalarReductions.cpp.

  /// The least or greatest value; of floats the infinities.
  llvm::Constant *extreme(air::Type type, bool isLeast);
  /// A small integer as a value of \p type.
  llvm::Constant *number(air::Type type, int value);
  /// accumulate() of complex numbers, sums and products.
  llvm::Value *accumulateComplex(air::Reduction op, air::Type type,
                                 llvm::Value *accumulator, llvm::Value *value);
  /// accumulate() for Max and Min.
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
