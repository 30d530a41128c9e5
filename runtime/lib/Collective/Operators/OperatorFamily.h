//===- OperatorFamily.h - The tables of one family of operators -*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The functions of all types and operators take three quarters of a minute to
/// compile, so each family of operators is a file of its own: it includes this
/// header, which nothing else does, and defines its entry in OperatorFamilies
/// with familyTable.
///
/// The runtime runs on every x86-64, whose vectors have 16 bytes. There is a
/// second set of the functions for processors with AVX2, chosen when a table is
/// made. AVX2 has no fused multiply-add, so both give the same bits. Both are in
/// one file, so that inline functions they share are made for every processor:
/// were they compiled for AVX2 in a file of their own, the linker might take
/// that copy for all.
///
//===----------------------------------------------------------------------===//

#ifndef ZRT_COLLECTIVE_OPERATORS_OPERATORFAMILY_H
#define ZRT_COLLECTIVE_OPERATORS_OPERATORFAMILY_H

#include "Collective/Operators/OperatorTable.h"
#include "Collective/Operators/Operators.h"

#include <bit>
#include <cstring>

namespace zrt {

/// A long double of 80 bits is followed by bytes that do not count.
template <typename T> static void clearPadding(T &value) {
  if constexpr (std::is_same_v<T, long double>) {
    constexpr size_t Significant = 10;
    std::memset(reinterpret_cast<char *>(&value) + Significant, 0,
                sizeof(T) - Significant);
  } else if constexpr (std::is_same_v<T, ComplexValue<long double>>) {
    clearPadding(value.re);
    clearPadding(value.im);
  }
}

namespace baseline {
#include "Collective/Operators/OperatorKernels.inc"
}

#if defined(__x86_64__)
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2"))),                  \
                             apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx2")
#endif
namespace avx2 {
#include "Collective/Operators/OperatorKernels.inc"
}
#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif
static bool hasAvx2() { return __builtin_cpu_supports("avx2"); }
#else
namespace avx2 = baseline;
static bool hasAvx2() { return false; }
#endif

template <typename Op> static OperatorTable makeTable() {
  using T = typename Op::Type;
  static_assert(sizeof(T) <= MaxOperandSize);
  OperatorTable table = {};
  T identity = Op::identity();
  std::memcpy(table.identity, &identity, sizeof(T));
  table.size = sizeof(T);
  table.isRounded = Op::IsRounded;
  if (hasAvx2())
    avx2::setFunctions<Op>(table);
  else
    baseline::setFunctions<Op>(table);
  return table;
}

/// The table for enum zrt_kind \p kind and \p reduction, which must be
/// one of \p Family; made once.
template <zrt_reduction... Family>
static const OperatorTable &familyTable(int32_t kind, int32_t reduction) {
  const OperatorTable *found = nullptr;
  withOperator(kind, reduction, [&]<typename Op>() {
    if constexpr (((Op::Reduction == Family) || ...)) {
      static const OperatorTable table = makeTable<Op>();
      found = &table;
    }
  });
  return *found;
}

} // namespace zrt

#endif // ZRT_COLLECTIVE_OPERATORS_OPERATORFAMILY_H
