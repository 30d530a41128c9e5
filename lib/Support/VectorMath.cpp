//===- VectorMath.cpp - Which functions SLEEF computes --------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The table of VectorMath.def, as values. SLEEF has a function in many forms;
// for `exp` on doubles these are called:
//
//   Sleef_finz_expd1_u10purecfma      one number
//   Sleef_finz_expd2_u10avx2128       two, in 128 bits
//   Sleef_finz_expd4_u10avx2          four, in 256
//   Sleef_finz_expd8_u10avx512f       eight, in 512
//
// u10 is an error of at most 1.0 units in the last place; finz are the forms
// that agree in all bits, with fused multiply-adds and denormal numbers.
//
//===----------------------------------------------------------------------===//

#include "zpl/Support/VectorMath.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"
#include <limits>

using namespace llvm;

namespace zpl {

static constexpr double Wrong = std::numeric_limits<double>::infinity();

static constexpr StringLiteral Prefix = "Sleef_finz_";

static constexpr VectorFunction Functions[] = {
#define ZPL_VECTOR_MATH(name, type, arity, variant, error, libm, scalar,       \
                        vector)                                                \
  {#name, #type[0] == 'd', arity, #variant, error, libm, scalar, vector},
#include "zpl/Support/VectorMath.def"
};

static StringRef extensionOf(unsigned bits) {
  return bits == 128 ? "avx2128" : bits == 256 ? "avx2" : "avx512f";
}

std::string VectorFunction::symbol(unsigned lanes) const {
  StringRef extension =
      lanes == 1 ? "purecfma" : extensionOf(lanes * (isDouble ? 64 : 32));
  return (Prefix + name + (isDouble ? "d" : "f") + Twine(lanes) + "_" +
          variant + extension)
      .str();
}

ArrayRef<VectorFunction> vectorFunctions() { return Functions; }

const VectorFunction *findVectorFunction(StringRef name, bool isDouble) {
  const VectorFunction *found =
      find_if(Functions, [&](const VectorFunction &function) {
        return function.name == name && function.isDouble == isDouble;
      });
  return found != std::end(Functions) && found->isUsed() ? found : nullptr;
}

bool isVectorFunction(StringRef symbol) { return symbol.starts_with(Prefix); }

} // namespace zpl
