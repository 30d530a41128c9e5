//===- AbiMemory.cpp - Entries for strings and large variables ------------===//
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
// A cache line before the memory keeps its size, which the heap wants back.
// Rows of contracted arrays share one piece that only grows.
//
//===----------------------------------------------------------------------===//

#include "Entry/Process.h"
#include "Support/Error.h"
#include "Support/Operation.h"

#include <cinttypes>
#include <cstring>

using namespace zrt;

static constexpr size_t HeaderBytes = 64;

extern "C" {

void *zrtA_memory_new(int64_t bytes, const char *name, const zrt_loc *loc) {
  OperationScope scope(OperationKind::Memory, loc);
  size_t size = HeaderBytes + static_cast<size_t>(std::max<int64_t>(bytes, 0));
  void *memory = process().heap.allocate(size);
  if (!memory)
    fatal(loc, ErrorScope::Local,
          "out of memory: variable %s needs %" PRId64 " bytes", name, bytes);
  std::memcpy(memory, &size, sizeof size);
  return static_cast<char *>(memory) + HeaderBytes;
}

void zrtA_memory_free(void *memory, const zrt_loc *loc) {
  if (!memory)
    return;
  OperationScope scope(OperationKind::Memory, loc);
  void *start = static_cast<char *>(memory) - HeaderBytes;
  size_t size;
  std::memcpy(&size, start, sizeof size);
  process().heap.release(start, size);
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

int32_t zrtA_compare_strings(const char *a, const char *b) {
  return std::strcmp(a, b);
}

const char *zrtA_string(const char *text) {
  return process().strings.intern(text ? text : "");
}

} // extern "C"
