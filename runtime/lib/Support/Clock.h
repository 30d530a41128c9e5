//===- Clock.h - Time that only goes forward --------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_SUPPORT_CLOCK_H
#define ZRT_SUPPORT_CLOCK_H

#include <chrono>

namespace zrt {

/// Seconds since some fixed moment, by the machine; not changed when the clock
/// is set.
inline double machineSeconds() {
  std::chrono::duration<double> time =
      std::chrono::steady_clock::now().time_since_epoch();
  return time.count();
}

namespace detail {
/// What `monotonicSeconds` asks in place of the machine; null: nothing.
extern double (*virtualClock)();
} // namespace detail

/// Has the time of the run be what \p clock says. Null: the machine's.
void setVirtualClock(double (*clock)());

/// Seconds of the run since some fixed moment: of the machine, or those of this
/// processor on a simulated one.
inline double monotonicSeconds() {
  if (detail::virtualClock) [[unlikely]]
    return detail::virtualClock();
  return machineSeconds();
}

} // namespace zrt

#endif // ZRT_SUPPORT_CLOCK_H
