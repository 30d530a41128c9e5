//===- SliceHeap.h - The heap of one processor ------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_TRANSPORT_SHM_SLICEHEAP_H
#define ZRT_TRANSPORT_SHM_SLICEHEAP_H

#include "Transport/PieceCache.h"

#include <cstddef>
#include <map>

namespace zrt::shm {

/// Hands out pieces of a processor's slice. Only the owner uses it, so it
/// needs no agreement with anybody; its own records are private memory.
///
/// Invariant: all memory of the gaps is zero.
class SliceHeap {
public:
  /// \p dropsPages says that pages may be taken out of the memory at \p base
  /// and will be zero when they are touched again.
  SliceHeap(char *base, size_t bytes, bool dropsPages = true)
      : base(base), dropsPages(dropsPages) {
    gaps[0] = bytes;
  }

  /// From so many bytes on memory asks for huge pages.
  static constexpr size_t HugeFrom = 2 << 20;

  /// Zeroed memory, aligned to 64 bytes, from 64 KiB on to pages, from HugeFrom
  /// on to huge pages. Null if no gap is large enough.
  void *allocate(size_t bytes);

  /// \p bytes is what was allocated. Pages go back to the system, though not
  /// all at once.
  void release(void *memory, size_t bytes);

  /// From now on pieces of HugeFrom and more have huge pages from the start;
  /// false if the system does not make them, which is tried.
  bool makeHugePages();

  /// What a piece of \p bytes takes from the slice.
  static size_t footprint(size_t bytes);

private:
  void *takeGap(size_t length);
  void returnPages(Piece piece);
  void addGap(Piece piece);

  char *base;
  bool dropsPages;
  bool collapses = false;        ///< large pieces to huge pages
  std::map<size_t, size_t> gaps; ///< offset -> length; neighbours are merged
  PieceCache cache;              ///< large pieces
};

} // namespace zrt::shm

#endif // ZRT_TRANSPORT_SHM_SLICEHEAP_H
