//===- AbiScalars.cpp - Entries for scalars, collectives and timers -------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is left of Abi.h: collectives, which hand through to their layer; the
// integer powers and string comparison that generated code does not inline; and
// the timers. A timer's value is one processor's, so that `if check_timer() >
// 10.0` takes the same branch everywhere.
//
//===----------------------------------------------------------------------===//

#include "Collective/Collective.h"
#include "Entry/Process.h"
#include "Support/Clock.h"

#include <cstring>
#include <type_traits>

using namespace zrt;

/// By repeated squaring, modulo 2^width.
template <typename T> static T power(T base, T exponent) {
  using Unsigned = std::make_unsigned_t<T>;
  if (exponent < 0) { // the true value is a fraction, but for these
    if (base == 1)
      return 1;
    return base == -1 ? (exponent % 2 == 0 ? 1 : -1) : 0;
  }
  Unsigned result = 1, square = static_cast<Unsigned>(base);
  for (Unsigned left = static_cast<Unsigned>(exponent); left != 0; left /= 2) {
    if (left % 2 != 0)
      result *= square;
    square *= square;
  }
  return static_cast<T>(result);
}

extern "C" {

void zrtA_reduce(void *value, int32_t type, int32_t reduction) {
  reduce(*process().transport, value, type, reduction);
}

void zrtA_broadcast(void *value, int64_t bytes) {
  broadcast(*process().transport, value, static_cast<size_t>(bytes));
}

int32_t zrtA_power_i32(int32_t base, int32_t exponent) {
  return power(base, exponent);
}

int64_t zrtA_power_i64(int64_t base, int64_t exponent) {
  return power(base, exponent);
}

int32_t zrtA_compare_strings(const char *a, const char *b) {
  return std::strcmp(a, b);
}

int32_t zrtA_processors(void) { return process().transport->size(); }

void zrtA_reset_timer(void) { process().timerStart = monotonicSeconds(); }

double zrtA_check_timer(void) {
  double seconds = monotonicSeconds() - process().timerStart;
  zrtA_broadcast(&seconds, sizeof seconds);
  return seconds;
}

void zrtA_timer_clear(zrt_timer *timer) { *timer = zrt_timer(); }

void zrtA_timer_start(zrt_timer *timer, int32_t sync) {
  if (sync)
    barrier(*process().transport);
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
