//===- AbiMemory.cpp - Entries for large variables ------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `var table: array [1..n] of double;` is memory of this processor alone:
//
//     table = zrtA_memory_new(8 * n, "table", &loc);  ...
//     zrtA_memory_free(table);
//
// Before the memory stands its Note: what the heap wants back, or that it is a
// piece of the work stack, as small locals are. A growable variable starts with
// no elements anywhere and moves to the heap; there it keeps some room, so that
// `resize(list, size(list) + 1)` in a loop costs linear time.
//
// Rows of contracted arrays share one piece that only grows.
//
//===----------------------------------------------------------------------===//

#include "Entry/Process.h"
#include "Memory/CommonElements.h"
#include "Support/Error.h"
#include "Support/Operation.h"

#include <cinttypes>
#include <cstring>

using namespace zrt;

namespace {

constexpr size_t HeaderBytes = 64;

/// Stands directly before memory that is handed out.
struct Note {
  size_t bytes; ///< of the heap, with the header; 0: a piece of the work stack
  size_t unused;
};
static_assert(sizeof(Note) == WorkStack::NoteBytes);

Note &noteOf(void *memory) { return static_cast<Note *>(memory)[-1]; }

/// Bytes that \p memory has room for.
size_t capacityOf(void *memory) {
  size_t bytes = noteOf(memory).bytes;
  return bytes ? bytes - HeaderBytes : 0;
}

/// Null: there is no memory.
void *newOnHeap(int64_t bytes, bool isRaw) {
  if (bytes > INT64_MAX / 2)
    return nullptr;
  size_t size = HeaderBytes + static_cast<size_t>(std::max<int64_t>(bytes, 0));
  PrivateHeap &heap = process().heap;
  void *start = isRaw ? heap.allocateRaw(size) : heap.allocate(size);
  if (!start)
    return nullptr;
  void *memory = static_cast<char *>(start) + HeaderBytes;
  noteOf(memory) = {size, 0};
  return memory;
}

[[noreturn]] void failMemory(int64_t bytes, const char *name,
                             const zrt_loc *loc) {
  if (bytes == INT64_MAX)
    fatal(loc, ErrorScope::Local,
          "out of memory: variable %s needs 2^63 bytes or more", name);
  fatal(loc, ErrorScope::Local,
        "out of memory: variable %s needs %" PRId64 " bytes", name, bytes);
}

/// More memory than is asked for, if it is for an array that has grown before.
void *newWithRoom(int64_t bytes, size_t capacity) {
  size_t wanted = capacity + capacity / 2;
  if (capacity && static_cast<size_t>(bytes) < wanted)
    if (void *memory = newOnHeap(static_cast<int64_t>(wanted), true))
      return memory;
  return newOnHeap(bytes, true);
}

/// Whether \p bytes of a capacity are so few that the rest is given back.
bool wastes(int64_t bytes, size_t capacity) {
  constexpr size_t Small = 64 << 10;
  return capacity > Small && static_cast<size_t>(bytes) < capacity / 4;
}

/// Only the number of rows differs: elements keep their places.
void *resizeRows(void *memory, int64_t before, int64_t after, const char *name,
                 const zrt_loc *loc) {
  size_t capacity = capacityOf(memory);
  void *made = memory;
  if (static_cast<size_t>(after) > capacity || wastes(after, capacity)) {
    made = newWithRoom(after, wastes(after, capacity) ? 0 : capacity);
    if (!made)
      failMemory(after, name, loc);
    std::memcpy(made, memory, std::min(before, after));
    zrtA_memory_free(memory, loc);
  }
  if (after > before)
    std::memset(static_cast<char *>(made) + before, 0, after - before);
  return made;
}

} // namespace

extern "C" {

void *zrtA_memory_new(int64_t bytes, const char *name, const zrt_loc *loc) {
  OperationScope scope(OperationKind::Memory, loc);
  void *memory = newOnHeap(bytes, false);
  if (!memory)
    failMemory(bytes, name, loc);
  return memory;
}

void *zrtA_work_new(int64_t bytes, int32_t raw, const char *name,
                    const zrt_loc *loc) {
  if (bytes > static_cast<int64_t>(WorkStack::LargestPiece)) {
    OperationScope scope(OperationKind::Memory, loc);
    void *memory = newOnHeap(bytes, raw);
    if (!memory)
      failMemory(bytes, name, loc);
    return memory;
  }
  void *memory = process().workStack.push(static_cast<size_t>(bytes));
  if (!memory)
    failMemory(bytes, name, loc);
  noteOf(memory) = {0, 0};
  return raw ? memory : std::memset(memory, 0, static_cast<size_t>(bytes));
}

void zrtA_memory_strings(void *memory) {
  if (size_t capacity = capacityOf(memory)) // the work stack is known
    process().strings.variables[memory] = capacity;
}

void zrtA_memory_free(void *memory, const zrt_loc *loc) {
  if (!memory)
    return;
  size_t size = noteOf(memory).bytes;
  if (!size)
    return process().workStack.pop(memory);
  process().strings.variables.erase(memory);
  OperationScope scope(OperationKind::Memory, loc);
  process().heap.release(static_cast<char *>(memory) - HeaderBytes, size);
}

void *zrtA_memory_resize(void *memory, int64_t element, int32_t rank,
                         const int64_t *from, const int64_t *to,
                         const char *name, const zrt_loc *loc) {
  OperationScope scope(OperationKind::Memory, loc);
  for (int d = 0; d < rank; ++d)
    if (to[d] < 0)
      fatal(loc, ErrorScope::Local,
            "length %" PRId64 " in dimension %d of %s is negative", to[d],
            d + 1, name);
  Lengths old = {rank, from}, now = {rank, to};
  int64_t before = bytesOf(old, element), after = bytesOf(now, element);
  if (after == INT64_MAX)
    failMemory(after, name, loc);
  if (before == 0 || after == 0 || rowBytes(old, now, element) >= 0)
    return resizeRows(memory, before, after, name, loc);
  void *made = newOnHeap(after, false);
  if (!made)
    failMemory(after, name, loc);
  copyCommonElements(static_cast<char *>(made), now,
                     static_cast<const char *>(memory), old, element);
  zrtA_memory_free(memory, loc);
  return made;
}

void *zrtA_scratch(int64_t bytes, const zrt_loc *loc) {
  Process &p = process();
  auto size = static_cast<size_t>(bytes);
  if (size <= p.scratchBytes)
    return p.scratch;
  OperationScope scope(OperationKind::Memory, loc);
  p.heap.release(p.scratch, p.scratchBytes);
  p.scratch = p.heap.allocate(size);
  p.scratchBytes = size;
  if (!p.scratch)
    fatal(
        loc, ErrorScope::Local,
        "out of memory: the rows of this statement's temporaries need %" PRId64
        " bytes",
        bytes);
  return p.scratch;
}

} // extern "C"
