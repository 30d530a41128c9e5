//===- OperatorTable.h - Operators behind pointers --------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Templates over all types and operators would be megabytes of code, so only
/// the loops that must be fast are (Operators.h); all else calls through this
/// table.
///
//===----------------------------------------------------------------------===//

#ifndef ZRT_COLLECTIVE_OPERATORS_OPERATORTABLE_H
#define ZRT_COLLECTIVE_OPERATORS_OPERATORTABLE_H

#include "zrt/Abi.h"

namespace zrt {

/// The largest element that reductions and scans know: a complex of quads.
inline constexpr int MaxOperandSize = 32;

struct OperatorTable {
  int64_t size;   ///< of a value
  bool isRounded; ///< the order of combining can change the result
  alignas(16) char identity[MaxOperandSize];
  /// What a value alone is to the operator, in place.
  void (*normalize)(void *value);
  /// The same of \p count results or values, side by side; NaNs become one, and
  /// bytes that do not count are 0, so that equal values are equal memory.
  void (*settle)(void *values, int64_t count);
  /// left = left op right.
  void (*combine)(void *left, const void *right);
  /// sum = sum op each of \p count values at \p read, \p step bytes apart.
  void (*foldLine)(const char *read, int64_t step, int64_t count, void *sum);
  /// One step of \p count folds side by side; all is contiguous.
  void (*foldRow)(const void *read, void *sums, int64_t count);
  /// The tree's value of \p count > 0 values at \p read (docs/Rounding.md)
  /// to \p result.
  void (*treeLine)(const char *read, int64_t step, int64_t count, void *result);
  /// Prefixes of \p count values at \p read, that begin with \p sum, to \p
  /// write; the sum goes on. Steps are in bytes.
  void (*scanLine)(const char *read, int64_t readStep, char *write,
                   int64_t writeStep, int64_t count, void *sum, bool inclusive);
  /// One step of \p count scans side by side, where \p before is the last one:
  /// write = before op read. All is contiguous, and what is written apart.
  void (*scanRow)(const void *before, const void *read, void *write,
                  int64_t count);
};

/// For enum zrt_kind \p kind and enum zrt_reduction \p reduction.
const OperatorTable &operatorTable(int32_t kind, int32_t reduction);

} // namespace zrt

#endif // ZRT_COLLECTIVE_OPERATORS_OPERATORTABLE_H
