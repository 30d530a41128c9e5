//===- Digits.h - Digits of numbers in text ---------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_SUPPORT_DIGITS_H
#define ZRT_SUPPORT_DIGITS_H

namespace zrt {

/// True for '0' to '9', whatever the locale; \p c may be EOF.
constexpr bool isDigit(int c) { return '0' <= c && c <= '9'; }

} // namespace zrt

#endif // ZRT_SUPPORT_DIGITS_H
