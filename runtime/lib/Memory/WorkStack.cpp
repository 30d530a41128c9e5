//===- WorkStack.cpp - Memory of procedures -------------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     chunk:  | head | piece | bytes ...  | piece | bytes ... |   unused    |
//                                         ^ last              ^ next        end
//
// Before each piece stands a cache line that says which piece is below it and
// whether it is free. Freeing marks the piece; while the last one is marked, it
// goes. A chunk that gets empty stays as the spare one, so that a loop whose
// calls cross its end does not ask the heap each time.
//
// Cost: constant per call, amortized.
//
//===----------------------------------------------------------------------===//

#include "Memory/WorkStack.h"

#include "Support/Rounding.h"
#include "Transport/PrivateHeap.h"

#include <algorithm>
#include <utility>

using namespace zrt;

namespace {
constexpr size_t Line = 64;
// Below what the heap takes huge pages for, which cost a lot where memory is
// short.
constexpr size_t FirstChunk = 256 << 10, LargestChunk = 1 << 20;
} // namespace

struct WorkStack::Piece {
  Piece *below; ///< in the same chunk; null: none
  bool isFree;
  char unused[Line - NoteBytes - 2 * sizeof(void *)];
  char note[NoteBytes];
};

WorkStack::~WorkStack() {
  if (spare)
    heap.release(spare, spare->bytes);
  while (top) {
    Chunk *chunk = top;
    top = chunk->below;
    heap.release(chunk, chunk->bytes);
  }
}

void *WorkStack::push(size_t bytes) {
  static_assert(sizeof(Piece) == Line);
  size_t size = Line + roundUp(bytes, Line);
  if (!top || static_cast<size_t>(top->end - top->next) < size)
    if (!addChunk(size))
      return nullptr;
  auto *piece = reinterpret_cast<Piece *>(top->next);
  piece->below = top->last;
  piece->isFree = false;
  top->last = piece;
  top->next += size;
  return reinterpret_cast<char *>(piece) + Line;
}

void WorkStack::pop(void *memory) {
  reinterpret_cast<Piece *>(static_cast<char *>(memory) - Line)->isFree = true;
  unwind();
}

bool WorkStack::addChunk(size_t bytes) {
  Chunk *chunk = spare;
  if (chunk && static_cast<size_t>(chunk->end - chunk->next) >= bytes) {
    spare = nullptr;
  } else {
    size_t size = top ? std::min(2 * top->bytes, LargestChunk) : FirstChunk;
    size = std::max(size, Line + bytes);
    chunk = static_cast<Chunk *>(heap.allocateRaw(size));
    if (!chunk)
      return false;
    char *start = reinterpret_cast<char *>(chunk);
    *chunk = {nullptr, size, start + Line, start + size, nullptr};
  }
  chunk->below = top;
  top = chunk;
  return true;
}

void WorkStack::unwind() {
  while (top) {
    for (; top->last && top->last->isFree; top->last = top->last->below)
      top->next = reinterpret_cast<char *>(top->last);
    if (top->last || !top->below)
      return;
    Chunk *empty = top;
    top = empty->below;
    if (spare && spare->bytes > empty->bytes)
      std::swap(spare, empty);
    if (spare)
      heap.release(spare, spare->bytes);
    spare = empty;
  }
}
