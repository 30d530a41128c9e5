//===- VectorMathTest.cpp - SLEEF's functions keep what is claimed --------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// VectorMath.def says which functions programs take from SLEEF. This needs two
// facts, which hold or do not on the machine of the test: the forms on one
// number, on 128, 256 and 512 bits give the same bits, NaNs included; and no
// result is more than one unit in the last place from the true value. A million
// arguments each: all bits at random, moderate ones, and special ones.
//
//===----------------------------------------------------------------------===//

#include "zpl/Support/VectorMath.h"
#include <cmath>
#include <cstring>
#include <dlfcn.h>
#include <gtest/gtest.h>
#include <limits>
#include <map>
#include <random>
#include <vector>

using namespace zpl;

namespace {

constexpr size_t Count = 1 << 20;

/// SLEEF, or null where the build or the machine has none.
void *openSleef() {
  if (std::strlen(ZPL_SLEEF) == 0)
    return nullptr;
#ifdef __x86_64__
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
    return dlopen(ZPL_SLEEF, RTLD_NOW);
#endif
  return nullptr;
}

/// Numbers of the type: any bits, some between -800 and 800, and special ones.
template <typename T> std::vector<T> arguments(uint64_t seed) {
  using Bits = std::conditional_t<sizeof(T) == 8, uint64_t, uint32_t>;
  using Limits = std::numeric_limits<T>;
  const T special[] = {0,
                       1,
                       2,
                       3,
                       0.5,
                       T(0.1),
                       Limits::infinity(),
                       Limits::quiet_NaN(),
                       Limits::max(),
                       Limits::min(),
                       Limits::denorm_min(),
                       Limits::epsilon(),
                       T(709.78),
                       T(745.1),
                       T(88.72),
                       T(103.97),
                       T(1e9),
                       T(1e15)};
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<T> moderate(-800, 800), small(-4, 4);
  std::vector<T> result(Count);
  for (T &number : result)
    switch (random() % 4) {
    case 0: {
      Bits bits = Bits(random());
      std::memcpy(&number, &bits, sizeof bits);
      break;
    }
    case 1:
      number = moderate(random);
      break;
    case 2:
      number = small(random);
      break;
    default:
      number = special[random() % std::size(special)];
      if (random() % 2 != 0)
        number = -number;
    }
  return result;
}

template <typename T, int Bytes> struct Vectors {
  typedef T Type __attribute__((vector_size(Bytes)));
};

/// f on vectors of \p Bytes at a time, by the calling convention of those.
#define APPLY(Name, Bytes, Target)                                             \
  template <typename T>                                                        \
  __attribute__((target(Target), noinline)) void Name(                         \
      void *symbol, unsigned arity, const T *x, const T *y, T *result) {       \
    using Vector = typename Vectors<T, Bytes>::Type;                           \
    for (size_t k = 0; k < Count; k += Bytes / sizeof(T)) {                    \
      Vector a, b, r;                                                          \
      std::memcpy(&a, x + k, Bytes);                                           \
      std::memcpy(&b, y + k, Bytes);                                           \
      r = arity == 1                                                           \
              ? reinterpret_cast<Vector (*)(Vector)>(symbol)(a)                \
              : reinterpret_cast<Vector (*)(Vector, Vector)>(symbol)(a, b);    \
      std::memcpy(result + k, &r, Bytes);                                      \
    }                                                                          \
  }

#ifdef __x86_64__
APPLY(apply128, 16, "avx2")
APPLY(apply256, 32, "avx2")
APPLY(apply512, 64, "avx512f")
#endif

template <typename T>
void apply1(void *symbol, unsigned arity, const T *x, const T *y, T *result) {
  for (size_t k = 0; k < Count; ++k)
    result[k] = arity == 1 ? reinterpret_cast<T (*)(T)>(symbol)(x[k])
                           : reinterpret_cast<T (*)(T, T)>(symbol)(x[k], y[k]);
}

template <typename T>
std::vector<T> results(void *library, const VectorFunction &function,
                       unsigned bits, const std::vector<T> &x,
                       const std::vector<T> &y) {
  std::string name = function.symbol(bits == 0 ? 1 : function.lanesOf(bits));
  void *symbol = dlsym(library, name.c_str());
  std::vector<T> result(Count);
  EXPECT_TRUE(symbol) << name;
  if (!symbol)
    return result;
  if (bits == 0)
    apply1(symbol, function.arity, x.data(), y.data(), result.data());
#ifdef __x86_64__
  else if (bits == 128)
    apply128(symbol, function.arity, x.data(), y.data(), result.data());
  else if (bits == 256)
    apply256(symbol, function.arity, x.data(), y.data(), result.data());
  else
    apply512(symbol, function.arity, x.data(), y.data(), result.data());
#endif
  return result;
}

template <typename T>
void expectEqualBits(void *library, const VectorFunction &function) {
  std::vector<T> x = arguments<T>(1), y = arguments<T>(2);
  std::vector<T> one = results(library, function, 0, x, y);
  for (unsigned bits : {128, 256, 512}) {
#ifdef __x86_64__
    if (bits == 512 && !__builtin_cpu_supports("avx512f"))
      continue;
#endif
    std::vector<T> many = results(library, function, bits, x, y);
    // What is no number has any sign, which is never printed.
    for (size_t k = 0; k < Count; ++k)
      ASSERT_TRUE((std::isnan(one[k]) && std::isnan(many[k])) ||
                  std::memcmp(&one[k], &many[k], sizeof(T)) == 0)
          << function.name.str() << ", " << bits << " bits: " << x[k] << ", "
          << y[k] << " gives " << one[k] << ", " << many[k];
  }
}

/// The function in the precision that the true value is known by.
long double trueValue(llvm::StringRef name, long double x, long double y) {
  using Function = long double (*)(long double, long double);
#define UNARY(f) {#f, [](long double x, long double) { return std::f(x); }}
#define BINARY(f)                                                              \
  {#f, [](long double x, long double y) { return std::f(x, y); }}
  static const std::map<std::string, Function> functions = {
      UNARY(exp),    UNARY(log),  UNARY(log10), UNARY(log2), UNARY(sin),
      UNARY(cos),    UNARY(tan),  UNARY(asin),  UNARY(acos), UNARY(atan),
      UNARY(sinh),   UNARY(cosh), UNARY(tanh),  UNARY(cbrt), BINARY(atan2),
      BINARY(hypot), BINARY(pow)};
  return functions.at(name.str())(x, y);
}

/// How many units in the last place of \p expected, rounded, \p found is away;
/// infinite where one of them is a NaN or infinite and the other one is not.
template <typename T> double errorOf(T found, long double expected) {
  constexpr double Infinite = std::numeric_limits<double>::infinity();
  T rounded = static_cast<T>(expected);
  if (std::isnan(found) || std::isnan(rounded))
    return std::isnan(found) && std::isnan(rounded) ? 0 : Infinite;
  if (std::isinf(found) || std::isinf(rounded))
    return found == rounded ? 0 : Infinite;
  T size = std::fabs(rounded);
  long double unit = size == std::numeric_limits<T>::max()
                         ? size - std::nextafter(size, T(0))
                         : std::nextafter(size, size * 2 + 1) - size;
  return static_cast<double>(std::fabs(found - expected) / unit);
}

/// The true value is itself rounded to 64 bits, so an error of just one unit
/// cannot be told from a little more.
template <typename T>
double greatestError(void *library, const VectorFunction &function) {
  std::vector<T> x = arguments<T>(3), y = arguments<T>(4);
  std::vector<T> found = results(library, function, 0, x, y);
  double greatest = 0;
  for (size_t k = 0; k < Count; k += 4) // the true values take most time
    greatest = std::max(
        greatest, errorOf(found[k], trueValue(function.name, x[k], y[k])));
  return greatest;
}

TEST(VectorMath, LengthsAgreeInAllBits) {
  void *library = openSleef();
  if (!library)
    GTEST_SKIP() << "no SLEEF here";
  for (const VectorFunction &function : vectorFunctions())
    if (function.isDouble)
      expectEqualBits<double>(library, function);
    else
      expectEqualBits<float>(library, function);
}

TEST(VectorMath, UsedOnesAreOneUnitFromTheTruthAtMost) {
  void *library = openSleef();
  if (!library)
    GTEST_SKIP() << "no SLEEF here";
  for (const VectorFunction &function : vectorFunctions()) {
    if (!function.isUsed())
      continue;
    EXPECT_LE(function.isDouble ? greatestError<double>(library, function)
                                : greatestError<float>(library, function),
              1.001)
        << function.name.str() << (function.isDouble ? "" : "f");
  }
}

TEST(VectorMath, OnesThatOverflowTooEarlyAreNotUsed) {
  EXPECT_FALSE(findVectorFunction("sinh", true));
  EXPECT_FALSE(findVectorFunction("cosh", false));
  EXPECT_FALSE(findVectorFunction("pow", true));
  EXPECT_FALSE(findVectorFunction("fmod", true));
  EXPECT_TRUE(findVectorFunction("exp", true));
  EXPECT_TRUE(findVectorFunction("exp", false));
}

TEST(VectorMath, SymbolsAreNamedByLength) {
  const VectorFunction *exp = findVectorFunction("exp", true);
  EXPECT_EQ(exp->symbol(1), "Sleef_finz_expd1_u10purecfma");
  EXPECT_EQ(exp->symbol(exp->lanesOf(256)), "Sleef_finz_expd4_u10avx2");
  const VectorFunction *sin = findVectorFunction("sin", false);
  EXPECT_EQ(sin->symbol(sin->lanesOf(512)), "Sleef_finz_sinf16_u10avx512f");
}

} // namespace
