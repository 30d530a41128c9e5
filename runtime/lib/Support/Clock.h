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

/// Seconds since some fixed moment; not changed when the clock is set.
inline double monotonicSeconds() {
  std::chrono::duration<double> time =
      std::chrono::steady_clock::now().time_since_epoch();
  return time.count();
}

} // namespace zrt

#endif // ZRT_SUPPORT_CLOCK_H
