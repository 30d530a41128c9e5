//===- WorkStack.h - Memory of procedures -----------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// `var w: array [1..n] of double;` in a procedure is memory that is freed when
/// the call ends: mostly the last piece that was made. So pieces of all calls
/// lie one above the other in few large chunks, and cost a few instructions
/// each. They may be freed in any order.
///
//===----------------------------------------------------------------------===//

#ifndef ZRT_MEMORY_WORKSTACK_H
#define ZRT_MEMORY_WORKSTACK_H

#include <cstddef>

namespace zrt {

class PrivateHeap;

class WorkStack {
public:
  /// Chunks come from \p heap, which lives longer.
  explicit WorkStack(PrivateHeap &heap) : heap(heap) {}
  ~WorkStack();
  WorkStack(const WorkStack &) = delete;
  WorkStack &operator=(const WorkStack &) = delete;

  /// Larger pieces are not worth it: the heap keeps their pages.
  static constexpr size_t LargestPiece = 512 << 10;

  /// Before each piece there is room for what the caller notes of it.
  static constexpr size_t NoteBytes = 16;

  /// \p bytes, at most LargestPiece, with any values, aligned to 64; null:
  /// there is no memory.
  void *push(size_t bytes);
  /// Frees what push() has given.
  void pop(void *memory);

  /// Calls \p visit (const void *memory, size_t bytes) with all that is in use,
  /// notes included.
  template <typename Visit> void forEachUsed(Visit visit) const {
    for (const Chunk *chunk = top; chunk; chunk = chunk->below)
      visit(chunk, static_cast<size_t>(chunk->next -
                                       reinterpret_cast<const char *>(chunk)));
  }

private:
  struct Piece;
  struct Chunk {
    Chunk *below;
    size_t bytes; ///< all
    char *next, *end;
    Piece *last;
  };
  /// Makes a chunk the top one in which a piece of \p bytes fits, or fails.
  bool addChunk(size_t bytes);
  /// Gives up the pieces at the top that are free.
  void unwind();

  PrivateHeap &heap;
  Chunk *top = nullptr;
  Chunk *spare = nullptr; ///< an empty one, kept for the next call
};

} // namespace zrt

#endif // ZRT_MEMORY_WORKSTACK_H
