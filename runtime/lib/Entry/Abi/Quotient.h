//===- Quotient.h - Division of complex numbers -----------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The textbook's quotient, one part at a time:
///
///     (a + bi) / (c + di)  =  ((a*c + b*d) + (b*c - a*d) i) / (c*c + d*d)
///
/// Two things spoil it in floating point. Products overflow or vanish long
/// before the quotient does: (3x + xi) / (x + xi) is 2 - i for every x, but x*x
/// is 0 for x = 2^-1040. And where the two products of a sum cancel, what their
/// roundings left is all that remains. So the operands are taken apart into
/// fractions and exponents, and the result is what the formula gives if
/// exponents have no bounds; and where multiply and add are fused, the
/// rounding error of one product is computed, and subtracted from the sum (W.
/// Kahan's way; C.-P. Jeannerod, N. Louvet, J.-M. Muller, "Further analysis of
/// Kahan's algorithm for the accurate computation of 2 x 2 determinants",
/// Mathematics of Computation 82, 2013):
///
///     w = b*d     sum = fma(a, c, w) - fma(-b, d, w)
///
/// With it a part is wrong by at most 5 * 2^-53 of itself (2^-64 for long
/// doubles), and half a unit of the last place more where it is subnormal;
/// without fused operations the error is such a part of the whole quotient. M.
/// Baudin and R. Smith, "A robust complex division in Scilab" (2012), collect
/// operands on which other ways of scaling fail.
///
/// Operands whose exponents are moderate meet no bounds, and are computed with
/// as they are. Compiled programs do that inline (lib/Backend/Quotients.cpp);
/// the bits are the same.
///
/// What is infinite or no number gives what the formula gives: C's rules
/// (annex G) are not repeated. Any number divided by 0 is NaN in both parts.
///
//===----------------------------------------------------------------------===//

#ifndef ZRT_ENTRY_ABI_QUOTIENT_H
#define ZRT_ENTRY_ABI_QUOTIENT_H

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

namespace zrt {

/// The quotient of complex numbers whose parts are of type \p T; \p Fused:
/// multiply and add are one operation.
template <typename T, bool Fused> class QuotientOf {
public:
  /// (\p p * \p c + \p q * \p d) / (c*c + d*d): the real part is p = a, q = b,
  /// the imaginary one p = b, q = -a.
  static T part(T p, T q, T c, T d) {
    if (isModerate(p) && isModerate(q) && isModerate(c) && isModerate(d))
      return sumOfProducts(p, c, q, d) / squares(c, d);
    bool isFinite = std::isfinite(p) && std::isfinite(q) && std::isfinite(c) &&
                    std::isfinite(d);
    return isFinite && (c != 0 || d != 0) ? scaled(p, q, c, d)
                                          : unusual(p, q, c, d);
  }

private:
  /// Sums of two products of numbers between 2^-Moderate and 2^Moderate, their
  /// errors and their quotients are normal numbers.
  static constexpr int Moderate = sizeof(T) == sizeof(double) ? 220 : 3500;

  /// A number with an exponent of its own: fraction * 2^exponent.
  struct Wide {
    T fraction; ///< 0, or from 1/2 to 1
    int exponent;
  };

  static bool isModerate(T x) {
    static const T least = std::ldexp(T(1), -Moderate),
                   bound = std::ldexp(T(1), Moderate);
    T size = std::fabs(x);
    return size == 0 || (size >= least && size < bound);
  }

  static Wide wide(T x, int exponent = 0) {
    int own = 0;
    T fraction = std::frexp(x, &own);
    return {fraction, own + exponent};
  }

  static T multiplyAdd(T x, T y, T z) {
    if constexpr (Fused)
      return std::fma(x, y, z);
    T product = x * y;
    return product + z;
  }

  /// x*y + u*v.
  static T sumOfProducts(T x, T y, T u, T v) {
    T product = u * v;
    T sum = multiplyAdd(x, y, product);
    if constexpr (Fused)
      sum -= std::fma(-u, v, product);
    return sum;
  }

  static T squares(T c, T d) {
    T square = d * d;
    return multiplyAdd(c, c, square);
  }

  /// How far a term must be shifted to the exponent \p greatest. One that is so
  /// much less only tells that the other one is not all.
  static int shift(int exponent, int greatest) {
    constexpr int Most = 400;
    return std::max(exponent - greatest, -Most);
  }

  static T scaled(T p, T q, T c, T d) {
    Wide a = wide(p), b = wide(q), e = wide(c), f = wide(d);
    int first = a.exponent + e.exponent, second = b.exponent + f.exponent;
    bool hasFirst = p != 0 && c != 0, hasSecond = q != 0 && d != 0;
    int most = !hasFirst    ? second
               : !hasSecond ? first
                            : std::max(first, second);
    Wide above =
        wide(sumOfProducts(
                 std::ldexp(a.fraction, hasFirst ? shift(first, most) : 0),
                 e.fraction,
                 std::ldexp(b.fraction, hasSecond ? shift(second, most) : 0),
                 f.fraction),
             most);
    int greater = c == 0   ? f.exponent
                  : d == 0 ? e.exponent
                           : std::max(e.exponent, f.exponent);
    Wide below = wide(
        squares(
            std::ldexp(e.fraction, c != 0 ? shift(e.exponent, greater) : 0),
            std::ldexp(f.fraction, d != 0 ? shift(f.exponent, greater) : 0)),
        2 * greater);
    return std::ldexp(above.fraction / below.fraction,
                      above.exponent - below.exponent);
  }

  /// A part where an operand is no finite number, or the divisor is 0. A finite
  /// divisor is brought near 1, so that an infinite dividend stays.
  static T unusual(T p, T q, T c, T d) {
    if (std::isfinite(c) && std::isfinite(d) && (c != 0 || d != 0)) {
      int exponent = 0;
      std::frexp(std::max(std::fabs(c), std::fabs(d)), &exponent);
      c = std::ldexp(c, -exponent);
      d = std::ldexp(d, -exponent);
    }
    T product = q * d;
    return multiplyAdd(p, c, product) / squares(c, d);
  }
};

/// For run-time \p fused.
template <typename T> T quotientPart(bool fused, T p, T q, T c, T d) {
  return fused ? QuotientOf<T, true>::part(p, q, c, d)
               : QuotientOf<T, false>::part(p, q, c, d);
}

} // namespace zrt

#endif // ZRT_ENTRY_ABI_QUOTIENT_H
