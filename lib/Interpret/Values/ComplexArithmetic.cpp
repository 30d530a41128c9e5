//===- ComplexArithmetic.cpp - Operators on complex numbers ---------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One expansion per operator, with a fused multiply-add for the left product of
// a sum (docs/Rounding.md):
//
//     (a + bi) * (c + di)  =  fma(a, c, -(b*d))  +  fma(a, d, b*c) i
//     (a + bi) / (c + di)  =  ((a*c + b*d) + (b*c - a*d) i) / fma(c, c, d*d)
//
// where a sum of a quotient is less the rounding error of its right product, if
// the machine fuses: fma(a, c, w) - fma(-b, d, w) with w = b*d. The quotient is
// computed as if exponents had no bounds: operands are taken apart by frexp,
// exponents added as integers, and put together by ldexp in the end. Floats are
// divided as doubles, whose exponents reach far enough. A fold multiplies
// without fused operations. Powers with a small integer exponent are products,
// all others exp(y log z).
//
//===----------------------------------------------------------------------===//

#include "Values/Arithmetic.h"
#include "llvm/Support/ErrorHandling.h"
#include <cmath>
#include <complex>
#include <limits>

using zpl::sema::BinaryOp;
using zpl::sema::MathFn;

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

Value Arithmetic::complexProduct(Type type, const Value &a,
                                 const Value &b) const {
  Type part = componentOf(type);
  return complexValue(fma(part, a.re, b.re, -times(part, a.im, b.im)),
                      fma(part, a.re, b.im, times(part, a.im, b.re)));
}

Value Arithmetic::foldedProduct(Type type, const Value &a,
                                const Value &b) const {
  Type part = componentOf(type);
  auto real = [&](BinaryOp op, long double x, long double y) {
    return floatingBinary(op, part, x, y).re;
  };
  return complexValue(
      real(BinaryOp::Sub, times(part, a.re, b.re), times(part, a.im, b.im)),
      real(BinaryOp::Add, times(part, a.re, b.im), times(part, a.im, b.re)));
}

namespace {

/// fraction * 2^exponent, the fraction 0 or from 1/2 to 1. 0 has the exponent
/// of the least of all numbers.
struct Wide {
  static constexpr int OfZero = -1 << 20;

  long double fraction;
  int exponent = OfZero;

  Wide(long double x, int scale = 0) : fraction(x) {
    if (x == 0)
      return;
    fraction = std::frexp(x, &exponent);
    exponent += scale;
  }

  /// As a multiple of 2^\p scale. What is 2^400 times less than other terms is
  /// not seen in their sum, but for the direction in which that is rounded.
  long double in(int scale) const {
    return std::ldexp(fraction, std::max(exponent - scale, -400));
  }
};

/// Quotients with the divisor c + di.
template <typename T> class Division {
public:
  Division(bool fuses, T c, T d) : fuses(fuses), c(c), d(d) {}

  /// (p*c + q*d) / (c*c + d*d).
  T operator()(T p, T q) const {
    bool isFinite = std::isfinite(p) && std::isfinite(q) && std::isfinite(c) &&
                    std::isfinite(d);
    if (!isFinite || (c == 0 && d == 0))
      return unusual(p, q);
    Wide above = sum(Product{p, c}, Product{q, d}, fuses);
    Wide below = sum(Product{c, c}, Product{d, d}, false);
    T quotient = T(above.fraction) / T(below.fraction);
    return above.fraction == 0
               ? quotient
               : std::ldexp(quotient, above.exponent - below.exponent);
  }

private:
  struct Product {
    Wide x, y;
    bool isZero() const { return x.fraction == 0 || y.fraction == 0; }
    int exponent() const { return x.exponent + y.exponent; }
  };

  T multiplyAdd(T x, T y, T z) const {
    return fuses ? std::fma(x, y, z) : T(x * y) + z;
  }

  /// \p exactly: less the error of the right product.
  Wide sum(const Product &left, const Product &right, bool exactly) const {
    int scale = left.isZero()    ? right.exponent()
                : right.isZero() ? left.exponent()
                                 : std::max(left.exponent(), right.exponent());
    // One of the two factors takes the scale.
    auto scaled = [&](const Product &product) {
      return product.isZero() ? T(product.x.fraction)
                              : T(product.x.in(scale - product.y.exponent));
    };
    T u = scaled(right), v = T(right.y.fraction), w = u * v;
    T result = multiplyAdd(scaled(left), T(left.y.fraction), w);
    if (exactly)
      result -= std::fma(-u, v, w);
    return Wide(result, scale);
  }

  /// With infinities, NaNs, or a divisor that is 0. A finite divisor is near 1,
  /// so that infinite dividends stay what they are.
  T unusual(T p, T q) const {
    T re = c, im = d;
    if (std::isfinite(c) && std::isfinite(d) && (c != 0 || d != 0)) {
      int exponent = Wide(std::max(std::fabs(c), std::fabs(d))).exponent;
      re = std::ldexp(c, -exponent);
      im = std::ldexp(d, -exponent);
    }
    return multiplyAdd(p, re, q * im) / multiplyAdd(re, re, im * im);
  }

  bool fuses;
  T c, d;
};

} // namespace

Value Arithmetic::complexQuotient(Type type, const Value &a,
                                  const Value &b) const {
  auto divide = [&]<typename T>(T) {
    Division<T> divided(fuses, T(b.re), T(b.im));
    return complexValue(divided(T(a.re), T(a.im)), divided(T(a.im), -T(a.re)));
  };
  if (type == Type::Dcomplex)
    return divide(0.0);
  if (type == Type::Qcomplex)
    return divide(0.0L);
  Type part = Type::Double;
  long double square = fma(part, b.re, b.re, times(part, b.im, b.im));
  long double re = fma(part, a.re, b.re, times(part, a.im, b.im));
  long double im = fma(part, a.im, b.re, -times(part, a.re, b.im));
  return complexValue(roundTo(type, double(re) / double(square)),
                      roundTo(type, double(im) / double(square)));
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

template <typename T>
static std::complex<T> function(MathFn fn, std::complex<T> z) {
  if (fn == MathFn::Sqrt)
    return std::sqrt(z);
  if (fn == MathFn::Exp)
    return std::exp(z);
  if (fn == MathFn::Log)
    return std::log(z);
  return fn == MathFn::Sin ? std::sin(z) : std::cos(z);
}

/// In double or quad precision.
Value Arithmetic::complexMath(MathFn fn, Type type, const Value &z) const {
  auto compute = [&]<typename T>(T) {
    std::complex<T> result = function(fn, std::complex<T>(T(z.re), T(z.im)));
    return complexValue(roundTo(type, result.real()),
                        roundTo(type, result.imag()));
  };
  return type == Type::Qcomplex ? compute(0.0L) : compute(0.0);
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

} // namespace zpl::interpreter
