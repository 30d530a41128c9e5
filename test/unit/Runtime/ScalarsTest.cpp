//===- ScalarsTest.cpp - Powers and random numbers ------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Integer powers are exact modulo the width, complex ones exact where products
// are, and random numbers are uniform enough and the same for ever.
//
//===----------------------------------------------------------------------===//

#include "Support/Random.h"
#include "zrt/Abi.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <vector>

using namespace zrt;

namespace {

TEST(IntegerPower, NegativeExponentsTruncateTheTrueValue) {
  EXPECT_EQ(zrtA_power_i32(2, -1), 0);
  EXPECT_EQ(zrtA_power_i32(1, -5), 1);
  EXPECT_EQ(zrtA_power_i32(-1, -5), -1);
  EXPECT_EQ(zrtA_power_i32(-1, -4), 1);
  EXPECT_EQ(zrtA_power_i32(0, -1), 0);
  EXPECT_EQ(zrtA_power_i32(0, 0), 1);
  EXPECT_EQ(zrtA_power_i64(-1, std::numeric_limits<int64_t>::min()), 1);
  EXPECT_EQ(zrtA_power_u64(UINT64_MAX, -1), 0) << "not minus one";
}

TEST(IntegerPower, FitsIfNoBitOfTheTrueValueIsLost) {
  EXPECT_TRUE(zrtA_power_fits(2, 30, 32));
  EXPECT_FALSE(zrtA_power_fits(2, 31, 32));
  EXPECT_TRUE(zrtA_power_fits(-2, 31, 32));
  EXPECT_FALSE(zrtA_power_fits(-2, 32, 32));
  EXPECT_TRUE(zrtA_power_fits(2, 31, 64));
  EXPECT_TRUE(zrtA_power_fits(-2, 63, 64));
  EXPECT_FALSE(zrtA_power_fits(2, 63, 64));
  EXPECT_FALSE(zrtA_power_fits(3, std::numeric_limits<int64_t>::max(), 64));
  EXPECT_TRUE(zrtA_power_fits(-1, std::numeric_limits<int64_t>::max(), 32));
  EXPECT_TRUE(zrtA_power_fits(7, -3, 32)) << "0";
}

TEST(IntegerPower, IsExactModuloTheWidth) {
  EXPECT_EQ(zrtA_power_i32(3, 19), 1162261467);
  EXPECT_EQ(zrtA_power_i32(2, 31), std::numeric_limits<int32_t>::min());
  EXPECT_EQ(zrtA_power_i32(2, 32), 0);
  EXPECT_EQ(zrtA_power_i64(7, 22), 3909821048582988049);
  EXPECT_EQ(zrtA_power_i64(-3, 3), -27);
  EXPECT_EQ(static_cast<uint64_t>(zrtA_power_u64(3, 40)),
            12157665459056928801u);
}

template <typename T, typename Power>
std::complex<T> raise(Power power, std::complex<T> z, std::complex<T> y) {
  T base[] = {z.real(), z.imag()}, exponent[] = {y.real(), y.imag()}, result[2];
  power(base, exponent, result);
  return {result[0], result[1]};
}

template <typename T, typename Power> void expectPowers(Power power) {
  using C = std::complex<T>;
  auto raised = [&](C z, C y) { return raise<T>(power, z, y); };
  EXPECT_EQ(raised(C(1, 2), C(2, 0)), C(-3, 4));
  EXPECT_EQ(raised(C(1, 1), C(8, 0)), C(16, 0));
  EXPECT_EQ(raised(C(0, 1), C(-2, 0)), C(-1, 0));
  EXPECT_EQ(raised(C(0, 0), C(0, 0)), C(1, 0));
  EXPECT_EQ(raised(C(0, 0), C(T(2.5), 1)), C(0, 0));
  EXPECT_TRUE(std::isinf(raised(C(0, 0), C(-2, 0)).real()));
  EXPECT_TRUE(std::isnan(raised(C(0, 0), C(0, 1)).real()));
  T tolerance = 8 * std::numeric_limits<T>::epsilon();
  EXPECT_LE(std::abs(raised(C(-1, 0), C(T(0.5), 0)) - C(0, 1)), tolerance);
  EXPECT_LE(
      std::abs(raised(C(0, 1), C(0, 1)) - C(std::exp(-std::acos(T(0))), 0)),
      tolerance)
      << "i^i";
  C root = raised(C(3, 4), C(T(1) / 100, 0));
  EXPECT_LE(std::abs(raised(root, C(100, 0)) - C(3, 4)), 200 * tolerance);
}

TEST(ComplexPower, IsExactWhereProductsAre) {
  expectPowers<double>(zrtA_power_c64);
  expectPowers<long double>(zrtA_power_c80);
}

TEST(Random, SequencesNeverChange) {
  // SplitMix64 from state 0: the first words that are published for it.
  EXPECT_EQ(randomBits(RandomSequence::Stepped, 1), 0xE220A8397B1DCDAFu);
  EXPECT_EQ(randomBits(RandomSequence::Stepped, 2), 0x6E789E6AA1B965F4u);
  EXPECT_EQ(randomBits(RandomSequence::Stepped, 3), 0x06C45D188009454Fu);
  EXPECT_EQ(randomDouble(RandomSequence::Stepped, 1),
            std::ldexp(static_cast<double>(0xE220A8397B1DCDAFu >> 11), -53));
  EXPECT_EQ(zrtA_ran(5), randomDouble(RandomSequence::Numbered, 5));
}

TEST(Random, NeighboursAreUniformAndIndependent) {
  for (RandomSequence sequence :
       {RandomSequence::Stepped, RandomSequence::Numbered}) {
    constexpr int Cells = 32, Draws = 1 << 20;
    std::vector<int> pairs(Cells * Cells);
    for (uint64_t k = 0; k < Draws; ++k) {
      int a = static_cast<int>(randomDouble(sequence, k) * Cells);
      int b = static_cast<int>(randomDouble(sequence, k + 1) * Cells);
      ++pairs[a * Cells + b];
    }
    // Chi-squared with 1023 degrees of freedom: mean 1023, deviation 45.
    double expected = static_cast<double>(Draws) / pairs.size(), chi = 0;
    for (int count : pairs)
      chi += (count - expected) * (count - expected) / expected;
    EXPECT_GT(chi, 1023 - 5 * 45);
    EXPECT_LT(chi, 1023 + 5 * 45);
  }
}

} // namespace
