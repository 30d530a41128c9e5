//===- AbiScalars.cpp - Entries for scalars and timers --------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Powers that generated code does not inline; random numbers; and the timers. A
// timer's value is one processor's, so that `if CheckTimer() > 10.0` takes the
// same branch everywhere. random() needs no message for that: all processors
// take the same numbers of the same sequence.
//
// Complex powers: z^2 is z*z and (1+2i)^-3 the reciprocal of a product, exact
// where products are; all else is exp(y log z), with the conventions of real
// powers at 0.
//
//===----------------------------------------------------------------------===//

#include "Collective/Collective.h"
#include "Entry/Abi/Quotient.h"
#include "Entry/Process.h"
#include "Support/Clock.h"
#include "Support/Error.h"
#include "Support/Operation.h"
#include "Support/Random.h"

#include <cmath>
#include <complex>
#include <limits>
#include <type_traits>

using namespace zrt;

/// By repeated squaring; \p one * base^exponent.
template <typename T>
static T repeatedSquares(T base, uint64_t exponent, T one) {
  for (T square = base; exponent != 0; exponent /= 2, square *= square)
    if (exponent % 2 != 0)
      one *= square;
  return one;
}

/// Modulo 2^width.
template <typename T> static T power(T base, int64_t exponent) {
  if (exponent < 0) { // the true value is a fraction, but for these
    if (base == 1)
      return 1;
    return std::is_signed_v<T> && base == T(-1) ? (exponent % 2 == 0 ? 1 : -1)
                                                : 0;
  }
  using Unsigned = std::make_unsigned_t<T>;
  return static_cast<T>(repeatedSquares<Unsigned>(
      static_cast<Unsigned>(base), static_cast<uint64_t>(exponent), 1));
}

/// Values are pairs of real and imaginary part.
template <typename T>
static void complexPower(const T *base, const T *exponent, T *result) {
  constexpr T Most = 64; // beyond, products are no better than exp and log
  std::complex<T> z(base[0], base[1]), y(exponent[0], exponent[1]), value;
  T n = std::fabs(y.real());
  if (z == T(0) && y != T(0)) {
    constexpr T Infinity = std::numeric_limits<T>::infinity();
    constexpr T Nothing = std::numeric_limits<T>::quiet_NaN();
    value = y.real() > 0 ? T(0) : y.real() < 0 ? Infinity : Nothing;
  } else if (y.imag() == 0 && n <= Most && n == std::floor(n)) {
    value = repeatedSquares<std::complex<T>>(z, static_cast<uint64_t>(n), T(1));
    if (y.real() < 0)
      value = T(1) / value;
  } else {
    value = std::exp(y * std::log(z));
  }
  result[0] = value.real();
  result[1] = value.imag();
}

template <typename T>
static std::complex<T> apply(int32_t function, std::complex<T> z) {
  switch (static_cast<zrt_complex_function>(function)) {
  case ZRT_COMPLEX_SQRT:
    return std::sqrt(z);
  case ZRT_COMPLEX_EXP:
    return std::exp(z);
  case ZRT_COMPLEX_LOG:
    return std::log(z);
  case ZRT_COMPLEX_SIN:
    return std::sin(z);
  case ZRT_COMPLEX_COS:
    return std::cos(z);
  }
  internalError(__FILE__, __LINE__, "function of a complex number");
}

/// Values are pairs of real and imaginary part.
template <typename T>
static void complexFunction(int32_t function, const T *operand, T *result) {
  std::complex<T> value =
      apply(function, std::complex<T>(operand[0], operand[1]));
  result[0] = value.real();
  result[1] = value.imag();
}

extern "C" {

int32_t zrtA_power_i32(int32_t base, int32_t exponent) {
  return power(base, exponent);
}

int64_t zrtA_power_i64(int64_t base, int64_t exponent) {
  return power(base, exponent);
}

int32_t zrtA_power_fits(int64_t base, int64_t exponent, int32_t width) {
  if (exponent < 0 || (base >= -1 && base <= 1))
    return 1; // the quotient is cut off
  int64_t result = 1;
  for (int64_t i = 0; i != exponent; ++i)
    if (__builtin_mul_overflow(result, base, &result))
      return 0;
  return width == 64 || result == static_cast<int32_t>(result);
}

int64_t zrtA_power_u64(uint64_t base, int64_t exponent) {
  return static_cast<int64_t>(power(base, exponent));
}

void zrtA_power_c64(const double *base, const double *exponent,
                    double *result) {
  complexPower(base, exponent, result);
}

void zrtA_power_c80(const long double *base, const long double *exponent,
                    long double *result) {
  complexPower(base, exponent, result);
}

void zrtA_function_c64(int32_t function, const double *operand,
                       double *result) {
  complexFunction(function, operand, result);
}

void zrtA_function_c80(int32_t function, const long double *operand,
                       long double *result) {
  complexFunction(function, operand, result);
}

double zrtA_quotient_part(double p, double q, double c, double d,
                          int32_t fused) {
  return quotientPart<double>(fused, p, q, c, d);
}

void zrtA_quotient_c80(const long double *dividend, const long double *divisor,
                       int32_t fused, long double *result) {
  const long double *a = dividend, *b = divisor;
  result[0] = quotientPart<long double>(fused, a[0], a[1], b[0], b[1]);
  result[1] = quotientPart<long double>(fused, a[1], -a[0], b[0], b[1]);
}

double zrtA_random(void) {
  return randomDouble(RandomSequence::Stepped, ++process().randomNumbers);
}

double zrtA_ran(int64_t k) {
  return randomDouble(RandomSequence::Numbered, static_cast<uint64_t>(k));
}

int32_t zrtA_processors(void) { return process().transport->size(); }

int32_t zrtA_locale(void) { return process().transport->rank(); }

void zrtA_reset_timer(void) { process().timerStart = monotonicSeconds(); }

double zrtA_check_timer(const zrt_loc *loc) {
  OperationScope scope(OperationKind::Timer, loc);
  double seconds = monotonicSeconds() - process().timerStart;
  broadcast(*process().transport, &seconds, sizeof seconds);
  return seconds;
}

void zrtA_timer_clear(zrt_timer *timer) { *timer = zrt_timer(); }

void zrtA_timer_start(zrt_timer *timer, int32_t sync, const zrt_loc *loc) {
  if (sync) {
    OperationScope scope(OperationKind::Timer, loc);
    barrier(*process().transport);
  }
  if (timer->running)
    return;
  timer->running = 1;
  timer->started = monotonicSeconds();
}

void zrtA_timer_stop(zrt_timer *timer) {
  timer->accumulated = zrtA_timer_read(timer);
  timer->running = 0;
}

double zrtA_timer_read(const zrt_timer *timer) {
  double running = timer->running ? monotonicSeconds() - timer->started : 0.0;
  return timer->accumulated + running;
}

} // extern "C"
