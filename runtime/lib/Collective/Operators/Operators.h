//===- Operators.h - The operators of reductions and scans ------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// One type and one operator of enum zrt_reduction make an Operator; code that
/// works for all of them is a template, entered through withOperator:
///
///     withOperator(kind, reduction, [&]<typename Op>() {
///       auto *values = static_cast<typename Op::Type *>(memory);
///       ...
///     });
///
//===----------------------------------------------------------------------===//

#ifndef ZRT_COLLECTIVE_OPERATORS_OPERATORS_H
#define ZRT_COLLECTIVE_OPERATORS_OPERATORS_H

#include "Support/Error.h"
#include "zrt/Abi.h"

#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

namespace zrt {

/// A complex number, real part first. Products are expanded in one fixed way.
template <typename T> struct ComplexValue {
  T re, im;
  friend ComplexValue operator+(ComplexValue a, ComplexValue b) {
    return {a.re + b.re, a.im + b.im};
  }
  friend ComplexValue operator*(ComplexValue a, ComplexValue b) {
    return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
  }
};
template <typename T> inline constexpr bool IsComplex = false;
template <typename T> inline constexpr bool IsComplex<ComplexValue<T>> = true;

template <typename T, zrt_reduction R> struct Operator {
  using Type = T;
  static constexpr zrt_reduction Reduction = R;

  /// Whether the order of combining can change the result.
  static constexpr bool IsRounded =
      !std::is_integral_v<T> && (R == ZRT_SUM || R == ZRT_PRODUCT);
  static constexpr bool IsGreatest = R == ZRT_MAX || R == ZRT_MAXNAN;
  static constexpr bool IsLeast = R == ZRT_MIN || R == ZRT_MINNAN;
  /// Of max and min: whether a NaN is the result, and is not left out.
  static constexpr bool KeepsNaN = R == ZRT_MAXNAN || R == ZRT_MINNAN;

  static T identity() {
    if constexpr (IsComplex<T>)
      return R == ZRT_PRODUCT ? T{1, 0} : T{0, 0};
    else if constexpr (R == ZRT_PRODUCT || R == ZRT_AND)
      return T(1);
    else if constexpr (R == ZRT_BAND)
      return static_cast<T>(-1);
    else if constexpr (IsGreatest || IsLeast) {
      using Limits = std::numeric_limits<T>;
      if constexpr (std::is_floating_point_v<T>)
        return IsGreatest ? -Limits::infinity() : Limits::infinity();
      else
        return IsGreatest ? Limits::lowest() : Limits::max();
    } else
      return T(0);
  }

  /// A value alone, as the operator sees it: -0 is +0 under max and min, a NaN
  /// their identity or one NaN for all; truth values are 0 or 1.
  static T normalized(T value) {
    if constexpr (R == ZRT_AND || R == ZRT_OR)
      return value != T(0);
    else if constexpr (std::is_floating_point_v<T> && (IsGreatest || IsLeast)) {
      if (std::isnan(value))
        return KeepsNaN ? std::numeric_limits<T>::quiet_NaN() : identity();
      return value == T(0) ? T(0) : value;
    } else
      return value;
  }

  /// A result, or a value alone: one NaN for all, since which of two an
  /// addition gives is up to the processor and the compiler.
  static T settled(T value) {
    value = normalized(value);
    if constexpr (IsComplex<T>) {
      value.re = Operator<decltype(value.re), R>::settled(value.re);
      value.im = Operator<decltype(value.im), R>::settled(value.im);
    } else if constexpr (std::is_floating_point_v<T>) {
      if (std::isnan(value))
        value = std::numeric_limits<T>::quiet_NaN();
    }
    return value;
  }

  /// Combines two normalized values; integers wrap around.
  static T combine(T left, T right) {
    if constexpr (R == ZRT_SUM || R == ZRT_PRODUCT) {
      if constexpr (std::is_integral_v<T>) {
        // Short types would be computed as signed integers and may overflow.
        using W = std::conditional_t<sizeof(T) == 8, uint64_t, uint32_t>;
        using U = std::make_unsigned_t<T>;
        W a = static_cast<U>(left), b = static_cast<U>(right);
        return static_cast<T>(R == ZRT_SUM ? a + b : a * b);
      } else
        return R == ZRT_SUM ? left + right : left * right;
    } else if constexpr (KeepsNaN) {
      if (std::isnan(left) || std::isnan(right))
        return std::isnan(left) ? left : right;
      return (IsGreatest ? left < right : right < left) ? right : left;
    } else if constexpr (R == ZRT_MAX)
      return left < right ? right : left;
    else if constexpr (R == ZRT_MIN)
      return right < left ? right : left;
    else if constexpr (R == ZRT_AND)
      return left != T(0) && right != T(0);
    else if constexpr (R == ZRT_OR)
      return left != T(0) || right != T(0);
    else if constexpr (R == ZRT_BAND)
      return static_cast<T>(left & right);
    else if constexpr (R == ZRT_BOR)
      return static_cast<T>(left | right);
    else
      return static_cast<T>(left ^ right);
  }
};

/// Booleans: their greatest is their `or`, and `not` has one bit. Any byte but
/// 0 is true.
template <zrt_reduction R> struct BooleanOperator : Operator<uint8_t, R> {
  static uint8_t identity() { return R == ZRT_MIN || R == ZRT_AND; }
  static uint8_t normalized(uint8_t value) { return value != 0; }
  static uint8_t settled(uint8_t value) { return normalized(value); }
};

/// Strings by their bytes; null is "". Equal strings of different processors
/// are equal pointers.
template <zrt_reduction R> struct StringOperator {
  using Type = const char *;
  static constexpr zrt_reduction Reduction = R;
  static constexpr bool IsRounded = false;
  static Type identity() { return R == ZRT_MIN ? ZRT_LAST_STRING : ""; }
  static Type normalized(Type value) { return value ? value : ""; }
  static Type settled(Type value) { return value; }
  static Type combine(Type left, Type right) {
    int order = std::strcmp(right, left);
    return (R == ZRT_MIN ? order < 0 : order > 0) ? right : left;
  }
};

namespace detail {

template <typename T, typename F> void withReduction(int32_t reduction, F &f) {
  switch (static_cast<zrt_reduction>(reduction)) {
  case ZRT_SUM:
    return f.template operator()<Operator<T, ZRT_SUM>>();
  case ZRT_PRODUCT:
    return f.template operator()<Operator<T, ZRT_PRODUCT>>();
  case ZRT_MAX:
    if constexpr (!IsComplex<T>)
      return f.template operator()<Operator<T, ZRT_MAX>>();
    break;
  case ZRT_MIN:
    if constexpr (!IsComplex<T>)
      return f.template operator()<Operator<T, ZRT_MIN>>();
    break;
  case ZRT_AND:
    if constexpr (!IsComplex<T>)
      return f.template operator()<Operator<T, ZRT_AND>>();
    break;
  case ZRT_OR:
    if constexpr (!IsComplex<T>)
      return f.template operator()<Operator<T, ZRT_OR>>();
    break;
  case ZRT_BAND:
    if constexpr (std::is_integral_v<T>)
      return f.template operator()<Operator<T, ZRT_BAND>>();
    break;
  case ZRT_BOR:
    if constexpr (std::is_integral_v<T>)
      return f.template operator()<Operator<T, ZRT_BOR>>();
    break;
  case ZRT_BXOR:
    if constexpr (std::is_integral_v<T>)
      return f.template operator()<Operator<T, ZRT_BXOR>>();
    break;
  case ZRT_MAXNAN:
    if constexpr (std::is_floating_point_v<T>)
      return f.template operator()<Operator<T, ZRT_MAXNAN>>();
    break;
  case ZRT_MINNAN:
    if constexpr (std::is_floating_point_v<T>)
      return f.template operator()<Operator<T, ZRT_MINNAN>>();
    break;
  }
  internalError(__FILE__, __LINE__, "operator of a reduction");
}

template <typename F> void withBoolean(int32_t reduction, F &f) {
  if (reduction == ZRT_MAX)
    return f.template operator()<BooleanOperator<ZRT_MAX>>();
  if (reduction == ZRT_MIN)
    return f.template operator()<BooleanOperator<ZRT_MIN>>();
  return withReduction<uint8_t>(reduction, f);
}

template <typename F> void withString(int32_t reduction, F &f) {
  if (reduction == ZRT_MIN)
    return f.template operator()<StringOperator<ZRT_MIN>>();
  ZRT_CHECK(reduction == ZRT_MAX);
  return f.template operator()<StringOperator<ZRT_MAX>>();
}

} // namespace detail

/// Calls \p f with the Operator for enum zrt_kind \p kind and enum
/// zrt_reduction \p reduction.
template <typename F>
void withOperator(int32_t kind, int32_t reduction, F &&f) {
  switch (static_cast<zrt_kind>(kind)) {
  case ZRT_BOOL:
    return detail::withBoolean(reduction, f);
  case ZRT_CHAR:
  case ZRT_U8:
    return detail::withReduction<uint8_t>(reduction, f);
  case ZRT_I8:
    return detail::withReduction<int8_t>(reduction, f);
  case ZRT_I16:
    return detail::withReduction<int16_t>(reduction, f);
  case ZRT_U16:
    return detail::withReduction<uint16_t>(reduction, f);
  case ZRT_I32:
  case ZRT_ENUM:
    return detail::withReduction<int32_t>(reduction, f);
  case ZRT_U32:
    return detail::withReduction<uint32_t>(reduction, f);
  case ZRT_I64:
    return detail::withReduction<int64_t>(reduction, f);
  case ZRT_U64:
    return detail::withReduction<uint64_t>(reduction, f);
  case ZRT_F32:
    return detail::withReduction<float>(reduction, f);
  case ZRT_F64:
    return detail::withReduction<double>(reduction, f);
  case ZRT_F80:
    return detail::withReduction<long double>(reduction, f);
  case ZRT_C32:
    return detail::withReduction<ComplexValue<float>>(reduction, f);
  case ZRT_C64:
    return detail::withReduction<ComplexValue<double>>(reduction, f);
  case ZRT_C80:
    return detail::withReduction<ComplexValue<long double>>(reduction, f);
  case ZRT_STR:
    return detail::withString(reduction, f);
  case ZRT_FILE:
  case ZRT_RECORD:
  case ZRT_UNION:
  case ZRT_ARRAY:
  case ZRT_OPAQUE:
    break;
  }
  internalError(__FILE__, __LINE__, "type of a reduction");
}

} // namespace zrt

#endif // ZRT_COLLECTIVE_OPERATORS_OPERATORS_H
