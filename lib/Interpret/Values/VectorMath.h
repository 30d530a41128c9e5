//===- VectorMath.h - Functions that SLEEF computes -------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_INTERPRET_VALUES_VECTORMATH_H
#define ZPL_LIB_INTERPRET_VALUES_VECTORMATH_H

#include "llvm/ADT/StringRef.h"

#include <optional>

namespace zpl::interpreter {

/// \p name of \p x, or of \p x and \p y, where compiled programs call SLEEF's
/// function on one number; none where they call the C library's, or zplc is
/// built without SLEEF. \p name is C's on doubles. The machine has AVX2 and FMA.
std::optional<double> vectorMath(llvm::StringRef name, double x, double y);
std::optional<float> vectorMath(llvm::StringRef name, float x, float y);
inline std::optional<long double> vectorMath(llvm::StringRef, long double,
                                             long double) {
  return std::nullopt;
}

} // namespace zpl::interpreter

#endif // ZPL_LIB_INTERPRET_VALUES_VECTORMATH_H
