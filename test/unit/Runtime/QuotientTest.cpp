//===- QuotientTest.cpp - Division of complex numbers ---------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each part of a quotient is within 5 * 2^-53 of the exact one, and half a unit
// of the last place more where it is subnormal, for operands with any exponents
// whatever, also where the products in a part cancel. Numbers of 113 bits, in
// which products of doubles are exact and sums wrong by 2^-112 at most, say
// what is exact.
//
//===----------------------------------------------------------------------===//

#include "Entry/Abi/Quotient.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

using namespace zrt;

#if defined(__SIZEOF_FLOAT128__)

namespace {

__extension__ typedef __float128 Exact;

struct Operands {
  double a, b, c, d;
};

Exact exactPart(double p, double q, double c, double d) {
  Exact above = Exact(p) * c + Exact(q) * d;
  return above / (Exact(c) * c + Exact(d) * d);
}

double least() { return std::numeric_limits<double>::denorm_min(); }

/// How far \p found is from \p exact, in units of what is promised: at most 1.
double wrongBy(double found, Exact exact) {
  constexpr double Most = std::numeric_limits<double>::max();
  Exact size = exact < 0 ? -exact : exact;
  if (size > Most * (1 - 0x1p-50)) // may be infinite
    return std::isinf(found) || std::fabs(found) >= Most * (1 - 0x1p-50) ? 0
                                                                         : 9;
  Exact error = found - exact;
  Exact bound = size * (5 * 0x1p-53L) +
                (size < 0x1p-1021 ? Exact(0.5001L) * least() : Exact(0));
  if (error == 0)
    return 0;
  return static_cast<double>((error < 0 ? -error : error) / bound);
}

double worstPart(const Operands &x) {
  double re = quotientPart<double>(true, x.a, x.b, x.c, x.d);
  double im = quotientPart<double>(true, x.b, -x.a, x.c, x.d);
  return std::max(wrongBy(re, exactPart(x.a, x.b, x.c, x.d)),
                  wrongBy(im, exactPart(x.b, -x.a, x.c, x.d)));
}

/// Numbers with exponents of at most \p width in size.
class Numbers {
  std::mt19937_64 bits{20};

public:
  double next(int width) {
    std::uniform_real_distribution<double> fraction(1, 2);
    std::uniform_int_distribution<int> exponent(-width, width);
    int e = std::clamp(exponent(bits), -1074, 1023);
    double size = std::ldexp(fraction(bits), e);
    return bits() & 1 ? size : -size;
  }
};

TEST(Quotient, PartsAreRightForAllExponents) {
  Numbers numbers;
  double worst = 0;
  for (int width : {1, 60, 219, 230, 520, 1080})
    for (int k = 0; k < 100000; ++k) {
      Operands x = {numbers.next(width), numbers.next(width),
                    numbers.next(width), numbers.next(width)};
      worst = std::max(worst, worstPart(x));
      ASSERT_LE(worst, 1) << std::hexfloat << x.a << ' ' << x.b << ' ' << x.c
                          << ' ' << x.d;
    }
  EXPECT_GT(worst, 0.3) << "or the reference is wrong";
}

TEST(Quotient, PartsAreRightWhereProductsCancel) {
  Numbers numbers;
  for (int width : {1, 500, 1000})
    for (int k = 0; k < 100000; ++k) {
      Operands x = {numbers.next(width), 0, numbers.next(1), numbers.next(1)};
      x.b = -x.a * x.c / x.d; // a*c + b*d is next to nothing
      ASSERT_LE(worstPart(x), 1)
          << std::hexfloat << x.a << ' ' << x.b << ' ' << x.c << ' ' << x.d;
    }
}

TEST(Quotient, ExtremeOperandsHaveNoLoss) {
  double all[] = {0,         least(), 3 * least(),
                  0x1p-1022, 1,       3,
                  0x1p-540,  0x1p511, std::numeric_limits<double>::max()};
  for (double a : all)
    for (double b : all)
      for (double c : all)
        for (double d : all) {
          Operands x = {a, b, c, d};
          if (c != 0 || d != 0) {
            ASSERT_LE(worstPart(x), 1)
                << std::hexfloat << a << ' ' << b << ' ' << c << ' ' << d;
          }
        }
}

/// Without fused operations the error is a part of the whole quotient.
TEST(Quotient, IsRightAsAWholeWithoutFusedOperations) {
  Numbers numbers;
  for (int k = 0; k < 100000; ++k) {
    double a = numbers.next(1000), b = numbers.next(1000);
    double c = numbers.next(1000), d = numbers.next(1000);
    Exact re = exactPart(a, b, c, d), im = exactPart(b, -a, c, d);
    Exact size = (re < 0 ? -re : re) + (im < 0 ? -im : im);
    if (size > 0x1p1000L || size < 0x1p-1000L)
      continue;
    Exact wrong = quotientPart<double>(false, a, b, c, d) - re;
    ASSERT_LE((wrong < 0 ? -wrong : wrong) / size, Exact(5 * 0x1p-53L));
  }
}

/// What does not meet the bounds of the exponents is not touched by scaling.
TEST(Quotient, ScalingDoesNotChangeTheBits) {
  Numbers numbers;
  for (int k = 0; k < 100000; ++k) {
    double a = numbers.next(100), b = numbers.next(100);
    double c = numbers.next(100), d = numbers.next(100);
    double plain = quotientPart<double>(true, a, b, c, d);
    for (int shift : {-300, 300}) {
      double other =
          quotientPart<double>(true, std::ldexp(a, shift), std::ldexp(b, shift),
                               std::ldexp(c, shift), std::ldexp(d, shift));
      ASSERT_EQ(plain, other);
    }
  }
}

TEST(Quotient, LongDoublesReachTheEndsOfTheirRange) {
  long double least = std::numeric_limits<long double>::denorm_min();
  long double large = std::ldexp(1.0L, 16381);
  for (bool fused : {false, true})
    for (long double x : {least, 1.0L, large}) {
      EXPECT_EQ(quotientPart<long double>(fused, 3 * x, x, x, x), 2);
      EXPECT_EQ(quotientPart<long double>(fused, x, -3 * x, x, x), -1);
    }
}

} // namespace

#endif
