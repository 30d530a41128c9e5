//===- Order.h - One processor's keys and their order -----------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_SORT_ORDER_H
#define ZRT_SORT_ORDER_H

#include "Memory/ElementView.h"

#include <memory>

namespace zrt {

/// Where an element was before; an array of rank 1 has fewer than 2^32.
using Place = uint32_t;

/// Memory with any values, for as many \p T, which are plain.
template <typename T> class Buffer {
public:
  explicit Buffer(int64_t count = 0)
      : memory(new T[static_cast<size_t>(count)]) {}
  T *data() { return memory.get(); }
  const T *data() const { return memory.get(); }
  void swap(Buffer &other) { memory.swap(other.memory); }

private:
  std::unique_ptr<T[]> memory;
};

/// A way to put elements into order. What is compared are *keys*, made from the
/// elements and as good as these: numbers that are less where the element comes
/// first, or the elements themselves. All of it is local.
class Order {
public:
  virtual ~Order() = default;

  size_t keySize = 0; ///< in bytes, a multiple of what keys are aligned to

  /// Makes the keys of the elements of \p view, of one dimension, and the
  /// elements again.
  virtual void load(const ElementView &view, char *keys) const = 0;
  virtual void store(const char *keys, const ElementView &view) const = 0;
  /// Whether the key at \p a comes before the one at \p b.
  virtual bool isBefore(const char *a, const char *b) const = 0;
  /// Puts \p count keys into order; what is equal stays in its order. In
  /// \p places, if it is not null, leaves where each was.
  virtual void sort(Buffer<char> &keys, int64_t count, Place *places) const = 0;
  /// Merges the keys \p a and \p b, each in order, into \p into; of equal ones
  /// those of a come first. Their places go with them if \p aPlaces is not null.
  virtual void merge(const char *a, const Place *aPlaces, int64_t aCount,
                     const char *b, const Place *bPlaces, int64_t bCount,
                     char *into, Place *places) const = 0;
};

/// The order of elements of \p type by their values, or by \p before if that is
/// not null.
std::unique_ptr<Order> orderOf(const zrt_type &type, bool isDescending,
                               zrt_before before);

} // namespace zrt

#endif // ZRT_SORT_ORDER_H
