//===- ComplexArithmetic.cpp - Operators on complex numbers ---------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One expansion per operator, with a fused multiply-add for the left product of
// a sum (docs/Architecture.md, section 6):
//
//     (a + bi) * (c + di)  =  fma(a, c, -(b*d))  +  fma(a, d, b*c) i
//     (a + bi) / (c + di)  =  (fma(a, c, b*d) + fma(b, c, -(a*d)) i)
//                             / fma(c, c, d*d)
//
// So that c*c does not overflow, the divisor of doubles is scaled first by a
// power of two that brings it close to 1, the quotient of floats is made of
// doubles, and that of quads as it is. Powers with a small integer exponent are
// products, all others exp(y log z).
//
//===----------------------------------------------------------------------===//

#include "Arithmetic.h"
#include "llvm/Support/ErrorHandling.h"
#include <cmath>
#include <complex>
#include <limits>

using zpl::sema::BinaryOp;

namespace zpl::interpreter {

static Value complexValue(long double re, long double im) {
  Value value;
  value.re = re;
  value.im = im;
  return value;
}

/// A product in the type's own precision.
static long double times(Type type, long double a, long double b) {
  if (type == Type::Float)
    return float(a) * float(b);
  return type == Type::Double ? (long double)(double(a) * double(b)) : a * b;
}

static long double dividedBy(Type type, long double a, long double b) {
  if (type == Type::Float)
    return float(a) / float(b);
  return type == Type::Double ? (long double)(double(a) / double(b)) : a / b;
}

Value Arithmetic::complexProduct(Type type, const Value &a,
                                 const Value &b) const {
  Type part = componentOf(type);
  return complexValue(fma(part, a.re, b.re, -times(part, a.im, b.im)),
                      fma(part, a.re, b.im, times(part, a.im, b.re)));
}

/// 2^-e of the exponent e of the greater part, as far as it is a normal number.
static double scaleFor(long double re, long double im) {
  double x = std::fabs(double(re)), y = std::fabs(double(im));
  double greater = x >= y ? x : y;
  constexpr int Most = 1023, Least = -1022;
  int exponent;
  if (std::isnan(greater) || std::isinf(greater))
    exponent = Most + 1;
  else if (greater < std::numeric_limits<double>::min()) // 0 and subnormal
    exponent = Least - 1;
  else
    exponent = std::ilogb(greater);
  // The exponent field of the scale is 2046 less that of the number, at
  // least 1.
  int field = 2046 - (exponent + Most);
  return std::ldexp(1.0, std::max(field, 1) - Most);
}

Value Arithmetic::complexQuotient(Type type, const Value &a, Value b) const {
  // Floats are divided as doubles.
  Type part = type == Type::Qcomplex ? Type::Quad : Type::Double;
  bool scales = type == Type::Dcomplex;
  long double scale = scales ? scaleFor(b.re, b.im) : 1;
  if (scales)
    b = complexValue(times(part, b.re, scale), times(part, b.im, scale));
  long double square = fma(part, b.re, b.re, times(part, b.im, b.im));
  long double re = fma(part, a.re, b.re, times(part, a.im, b.im));
  long double im = fma(part, a.im, b.re, -times(part, a.re, b.im));
  re = dividedBy(part, re, square);
  im = dividedBy(part, im, square);
  if (scales)
    return complexValue(times(part, re, scale), times(part, im, scale));
  return complexValue(roundTo(type, re), roundTo(type, im));
}

template <typename T>
static std::complex<T> power(std::complex<T> z, std::complex<T> y) {
  constexpr T Most = 64; // beyond, products are no better than exp and log
  T n = std::fabs(y.real());
  if (z == T(0) && y != T(0))
    return y.real() > 0   ? T(0)
           : y.real() < 0 ? std::numeric_limits<T>::infinity()
                          : std::numeric_limits<T>::quiet_NaN();
  if (y.imag() != 0 || n > Most || n != std::floor(n))
    return std::exp(y * std::log(z));
  std::complex<T> result(1), square = z;
  for (unsigned rest = unsigned(n); rest != 0; rest /= 2, square *= square)
    if (rest % 2 != 0)
      result *= square;
  return y.real() < 0 ? T(1) / result : result;
}

/// In double or quad precision.
template <typename T>
static Value powerIn(Type type, const Value &a, const Value &b) {
  std::complex<T> result = power(std::complex<T>(T(a.re), T(a.im)),
                                 std::complex<T>(T(b.re), T(b.im)));
  return complexValue(roundTo(type, result.real()),
                      roundTo(type, result.imag()));
}

Value Arithmetic::complexBinary(BinaryOp op, Type type, const Value &left,
                                const Value &right) const {
  auto partwise = [&](BinaryOp real) {
    Type part = componentOf(type);
    Value re = floatingBinary(real, part, left.re, right.re);
    return complexValue(re.re,
                        floatingBinary(real, part, left.im, right.im).re);
  };
  switch (op) {
  case BinaryOp::Add:
  case BinaryOp::Sub:
    return partwise(op);
  case BinaryOp::Mul:
    return complexProduct(type, left, right);
  case BinaryOp::Div:
    return complexQuotient(type, left, right);
  case BinaryOp::Pow:
    return type == Type::Qcomplex ? powerIn<long double>(type, left, right)
                                  : powerIn<double>(type, left, right);
  default:
    llvm_unreachable("not an operator on complex numbers");
  }
}

} // namespace zpl::interpreter
