//===- VectorMath.cpp - Functions that SLEEF computes ---------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// exp(x) is what compiled code calls for it in a loop's remainder,
//
//     Sleef_finz_expd1_u10purecfma(x)
//
// which SLEEF gives the same bits as its functions on vectors. Each row of
// VectorMath.def becomes a declaration and a function that calls it; which of
// them is called the table's rule says.
//
//===----------------------------------------------------------------------===//

#include "Values/VectorMath.h"
#include "zpl/Support/VectorMath.h"
#include "llvm/ADT/STLExtras.h"

#ifdef ZPL_HAS_SLEEF
#define PARAMS_1(type) type
#define PARAMS_2(type) type, type
#define ARGS_1(x, y) x
#define ARGS_2(x, y) x, y
#define REAL_d double
#define REAL_f float
#define SLEEF(name, type, variant)                                             \
  Sleef_finz_##name##type##1_##variant##purecfma

extern "C" {
#define ZPL_VECTOR_MATH(name, type, arity, variant, error, libm, scalar,       \
                        vector)                                                \
  REAL_##type SLEEF(name, type, variant)(PARAMS_##arity(REAL_##type)) noexcept;
#include "zpl/Support/VectorMath.def"
}
#endif

using llvm::StringRef;

namespace zpl::interpreter {

template <typename T> static std::optional<T> called(StringRef name, T x, T y) {
  const VectorFunction *known =
      findVectorFunction(name, std::is_same_v<T, double>);
  if (!known)
    return std::nullopt;
#ifdef ZPL_HAS_SLEEF
  using Function = T (*)(T, T);
  static constexpr Function Functions[] = {
#define ZPL_VECTOR_MATH(name, type, arity, variant, error, libm, scalar,       \
                        vector)                                                \
  [](T x, [[maybe_unused]] T y) {                                              \
    return T(SLEEF(name, type, variant)(ARGS_##arity(x, y)));                  \
  },
#include "zpl/Support/VectorMath.def"
  };
  return Functions[known - vectorFunctions().data()](x, y);
#else
  (void)x, (void)y;
  return std::nullopt;
#endif
}

std::optional<double> vectorMath(StringRef name, double x, double y) {
  return called(name, x, y);
}

std::optional<float> vectorMath(StringRef name, float x, float y) {
  return called(name, x, y);
}

} // namespace zpl::interpreter
