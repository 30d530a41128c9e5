//===- Rounding.h - Multiples, remainders and pages -------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_SUPPORT_ROUNDING_H
#define ZRT_SUPPORT_ROUNDING_H

#include <cstddef>
#include <cstdint>

namespace zrt {

/// Pages of the machine, in bytes.
inline constexpr size_t PageSize = 4 << 10;
inline constexpr size_t HugePage = 2 << 20;

/// The greatest multiple of \p unit, which is not zero, up to \p bytes.
constexpr size_t roundDown(size_t bytes, size_t unit) {
  return bytes / unit * unit;
}

/// The least multiple of \p unit, which is not zero, from \p bytes on.
constexpr size_t roundUp(size_t bytes, size_t unit) {
  return roundDown(bytes + unit - 1, unit);
}

/// x mod m for a positive \p m: 0..m-1, also where x is negative.
constexpr int64_t modulo(int64_t x, int64_t m) {
  int64_t rest = x % m;
  return rest < 0 ? rest + m : rest;
}

} // namespace zrt

#endif // ZRT_SUPPORT_ROUNDING_H
