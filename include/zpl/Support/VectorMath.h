//===- VectorMath.h - Which functions SLEEF computes ------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// CodeGen, the back end and the interpreter ask here, so that an element has
/// the same bits wherever it is computed (docs/Rounding.md).
///
//===----------------------------------------------------------------------===//

#ifndef ZPL_SUPPORT_VECTORMATH_H
#define ZPL_SUPPORT_VECTORMATH_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <string>

namespace zpl {

/// A function of the C library on doubles or floats, and SLEEF's in its place.
struct VectorFunction {
  llvm::StringLiteral name; ///< C's, on doubles
  bool isDouble;
  unsigned arity;
  llvm::StringLiteral variant; ///< of SLEEF's names: "u10"
  // What was measured: VectorMath.def.
  double error;
  double libm, scalar, vector; ///< nanoseconds

  /// The rule: never more than one unit in the last place away, and faster than
  /// the C library's where a quarter of the numbers come one by one, in
  /// remainders of rows and in scalar code.
  constexpr bool isUsed() const {
    return error <= 1 && 0.75 * vector + 0.25 * scalar < libm;
  }

  /// SLEEF's function on \p lanes numbers, 1 or as many as fill 128, 256 or 512
  /// bits: "Sleef_finz_expd4_u10avx2". Those have the same bits, and run where
  /// x86-64 has AVX2 and FMA, the longest where it has AVX-512.
  std::string symbol(unsigned lanes) const;
  /// How many numbers a vector of \p bits has.
  unsigned lanesOf(unsigned bits) const { return bits / (isDouble ? 64 : 32); }
};

/// All of VectorMath.def.
llvm::ArrayRef<VectorFunction> vectorFunctions();

/// The one that is called in place of the C library's \p name on doubles or
/// floats; null: C's is.
const VectorFunction *findVectorFunction(llvm::StringRef name, bool isDouble);

/// Whether a symbol is that of one of SLEEF's functions, on one number or more.
bool isVectorFunction(llvm::StringRef symbol);

} // namespace zpl

#endif // ZPL_SUPPORT_VECTORMATH_H
