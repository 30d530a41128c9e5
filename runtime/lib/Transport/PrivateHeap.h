//===- PrivateHeap.h - Array memory of one process --------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Memory for transports whose partners need not reach it. Meets what
/// Transport::allocate promises: zeroed, aligned to 64 bytes, null if there is
/// none left. Large pieces come from the system page by page, in huge pages
/// where it has them.
///
//===----------------------------------------------------------------------===//

#ifndef ZRT_TRANSPORT_PRIVATEHEAP_H
#define ZRT_TRANSPORT_PRIVATEHEAP_H

#include "Transport/PieceCache.h"

#include <unordered_map>

namespace zrt {

class PrivateHeap {
public:
  PrivateHeap() = default;
  ~PrivateHeap();
  PrivateHeap(const PrivateHeap &) = delete;
  PrivateHeap &operator=(const PrivateHeap &) = delete;

  /// Pieces of this size and more lie in huge pages, if the system has them.
  static constexpr size_t HugeFrom = 2 << 20;

  void *allocate(size_t bytes);
  /// The same with any values: for what is written at once.
  void *allocateRaw(size_t bytes);
  /// \p bytes is what was allocated.
  void release(void *memory, size_t bytes);

private:
  /// Sets \p isCleared if what it gives is.
  void *take(size_t bytes, bool &isCleared);
  void giveBack(Piece piece);
  PieceCache cache; ///< pieces that consist of pages
  /// All of these that there are, kept or in use: a library has others after us.
  std::unordered_map<void *, size_t> mapped;
};

} // namespace zrt

#endif // ZRT_TRANSPORT_PRIVATEHEAP_H
