//===- Store.h - How a remap stores elements --------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_REMAP_STORE_H
#define ZRT_REMAP_STORE_H

#include "zrt/Abi.h"

#include <cstddef>
#include <cstdint>

namespace zrt {

/// How an element meets a value: it is replaced by it, or combined with it. The
/// loops are made for the size, or for the operator and the type.
struct Store {
  /// Elements of \p size bytes are copied.
  static Store copies(size_t size);
  /// Combines elements of \p type by \p reduction, for which mayCombineFirst of
  /// the compiler's lib/Analysis says that there are loops; values may be reset.
  static Store combines(const zrt_type &type, int32_t reduction);
  /// As zrtA_array_scatter says, of elements of \p type and values of \p size
  /// bytes.
  static Store of(const zrt_type &type, size_t size, zrt_combine combine,
                  int32_t reduction);

  /// The element at \p elements + to[k] meets the value at \p values + from[k],
  /// k < \p count, in this order. In bytes; sums wrap around.
  void between(char *elements, const uint64_t *to, const char *values,
               const uint64_t *from, int64_t count) const {
    offsetLoop(*this, elements, to, values, from, count);
  }
  /// Element to[k] at \p elements meets value from[k] at \p values, each side by
  /// side. A null list: k itself.
  void byNumbers(char *elements, const int32_t *to, const char *values,
                 const int32_t *from, int64_t count) const {
    numberLoop(*this, elements, to, values, from, count);
  }
  /// Makes \p count values what combining starts from; if \p isFree, or of
  /// `combines`.
  void reset(char *values, int64_t count) const { resetLoop(values, count); }

  size_t size;                   ///< of a value
  size_t elementSize;            ///< another one only for calls of `combine`
  zrt_combine combine = nullptr; ///< null: copy, or a loop of its own
  bool isCopy = false;
  /// The order of values cannot be seen, and values may be combined with each
  /// other first.
  bool isFree = false;

  // For the loops above.
  void (*offsetLoop)(const Store &, char *, const uint64_t *, const char *,
                     const uint64_t *, int64_t);
  void (*numberLoop)(const Store &, char *, const int32_t *, const char *,
                     const int32_t *, int64_t);
  void (*resetLoop)(char *, int64_t) = nullptr;
};

} // namespace zrt

#endif // ZRT_REMAP_STORE_H
