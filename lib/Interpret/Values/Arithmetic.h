//===- Arithmetic.h - Operators on values -----------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_INTERPRET_VALUES_ARITHMETIC_H
#define ZPL_LIB_INTERPRET_VALUES_ARITHMETIC_H

#include "Values/Values.h"
#include "llvm/ADT/ArrayRef.h"

#include <array>

namespace zpl::interpreter {

/// The arithmetic of the language. Pure, but for what the machine is like.
class Arithmetic {
public:
  /// \p fuses: a * b + c is rounded once, as the machine does it;
  /// \p usesVectorMath: Interpret.h.
  Arithmetic(bool fuses, bool usesVectorMath)
      : fuses(fuses), usesVectorMath(usesVectorMath) {}

  /// Whether a value is not zero.
  bool isTrue(Type type, const Value &value) const;
  /// An operator on an operand of \p type.
  Value unary(sema::UnaryOp op, Type type, const Value &operand) const;
  /// An operator on operands of \p type. Integer divisors are not zero.
  Value binary(sema::BinaryOp op, Type type, const Value &left,
               const Value &right) const;
  /// Operands of \p type; files are compared by whoever knows them.
  bool compare(sema::CompareOp op, Type type, const Value &left,
               const Value &right) const;
  /// \p operand, of type \p from, converted to \p to.
  Value cast(Type from, Type to, const Value &operand) const;
  /// a * b + c on a floating type.
  long double fma(Type type, long double a, long double b, long double c) const;
  /// \p argument: the type of the arguments, which the result has but for Ran.
  Value math(sema::MathFn fn, Type argument, llvm::ArrayRef<Value> args) const;

  /// What a reduction over nothing gives.
  Value identity(sema::Reduction op, Type type) const;
  /// One step: `accumulator op value`; NaNs are skipped by max and min.
  Value step(sema::Reduction op, Type type, const Value &accumulator,
             const Value &value) const;
  /// The last touch: the zero of max and min is +0.
  Value finish(sema::Reduction op, Type type, Value accumulator) const;

private:
  /// binary() on integers, booleans and characters.
  Value integerBinary(sema::BinaryOp op, Type type, int64_t left,
                      int64_t right) const;
  /// `pow` or the function \p fn of the C library, or SLEEF's in its place.
  template <typename T> T power(T x, T y) const;
  template <typename T> T libraryFunction(sema::MathFn fn, T x, T y) const;
  /// binary() on floating numbers.
  Value floatingBinary(sema::BinaryOp op, Type type, long double left,
                       long double right) const;

  // ComplexArithmetic.cpp.

  /// binary() on complex numbers.
  Value complexBinary(sema::BinaryOp op, Type type, const Value &left,
                      const Value &right) const;
  /// a * b.
  Value complexProduct(Type type, const Value &a, const Value &b) const;
  /// a * b as a step of a fold.
  Value foldedProduct(Type type, const Value &a, const Value &b) const;
  /// math() of complex numbers.
  Value complexMath(sema::MathFn fn, Type type, const Value &z) const;
  /// a / b.
  Value complexQuotient(Type type, const Value &a, const Value &b) const;

  bool fuses;
  bool usesVectorMath;
};

/// The four words of Philox4x32-10 for the counter \p x under the key \p seed,
/// whose lower half comes first.
std::array<uint32_t, 4> philox(std::array<uint32_t, 4> x, uint64_t seed);

/// Number \p k of the sequence of `ran`, in [0, 1).
double numberedRandom(int64_t k);

/// Number \p k of the sequence of `random`, in [0, 1).
double steppedRandom(uint64_t k);

} // namespace zpl::interpreter

#endif // ZPL_LIB_INTERPRET_VALUES_ARITHMETIC_H
