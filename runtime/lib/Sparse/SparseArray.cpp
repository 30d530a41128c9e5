//===- SparseArray.cpp - Values at the indices of a pattern ---------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A sparse array is the vector of its values in the order of its pattern, and
// before these the value that it has everywhere else:
//
//     | padding | elsewhere | 0 | 1 | 2 | ... | count - 1 |
//                           ^ origin, at a multiple of 64 bytes
//
// so that position -1, which is what a search gives for an index that is not
// there, is that value.
//
// When the region gets another pattern the array is made anew. Owners do not
// change by that, so what an index keeps it keeps on its processor: one walk
// through both patterns.
//
//===----------------------------------------------------------------------===//

#include "Sparse/SparseArray.h"

#include "Support/Error.h"

#include <algorithm>
#include <cinttypes>

namespace zrt {

static constexpr int64_t Line = 64;

/// Points \p array at the vector of \p count values in its storage.
static void allocateValues(Transport &transport, zrt_array &array,
                           int64_t count, const zrt_loc *loc) {
  int64_t size = array.type->size;
  int64_t before = (size + Line - 1) / Line * Line;
  if (__builtin_mul_overflow(count, size, &array.bytes) ||
      __builtin_add_overflow(array.bytes, std::max(before, Line), &array.bytes))
    fatal(loc, ErrorScope::Local,
          "out of memory: array %s over %s is larger than all memory",
          array.name ? array.name : "(temporary)",
          toString(array.region).c_str());
  array.storage = transport.allocate(static_cast<size_t>(array.bytes));
  if (!array.storage)
    fatal(loc, ErrorScope::Local,
          "out of memory: array %s needs %" PRId64 " bytes%s",
          array.name ? array.name : "(temporary)", array.bytes,
          transport.memoryAdvice().c_str());
  array.origin = static_cast<char *>(array.storage) + before;
}

void createSparse(Transport &transport, zrt_array &array,
                  const zrt_region &region, const zrt_type &type,
                  const char *name, uint64_t id, const zrt_loc *loc) {
  array = zrt_array();
  array.region = region;
  array.name = name;
  array.type = &type;
  array.id = id;
  array.keeper = new zrt_keeper;
  array.keeper->pattern = sharedPattern(region.pattern);
  array.pitch[region.rank - 1] = type.size;
  for (Range &stored : array.stored)
    stored = EmptyRange;
  int64_t count = region.pattern ? region.pattern->count : 0;
  allocateValues(transport, array, count, loc);
}

void fillElsewhere(zrt_array &array) {
  const char *value = elsewhereOf(array);
  int64_t count = array.region.pattern ? array.region.pattern->count : 0;
  int64_t size = array.type->size, step = stepOf(array);
  bool isZero = std::all_of(value, value + size, [](char c) { return c == 0; });
  if (isZero && step == size) {
    std::memset(array.origin, 0, static_cast<size_t>(count * size));
    return;
  }
  ElementCopier copy(size);
  for (int64_t k = 0; k < count; ++k)
    copy(array.origin + k * step, value);
}

void fetchRow(const zrt_array &array, const int64_t *index, Range columns,
              char *row) {
  int64_t size = array.type->size, step = stepOf(array);
  ElementCopier copy(size);
  const char *elsewhere = elsewhereOf(array);
  for (int64_t x = columns.lo; x <= columns.hi; ++x)
    copy(row + x * size, elsewhere);
  const Pattern *pattern = patternOf(array.region.pattern);
  if (!pattern)
    return;
  int32_t at[ZRT_MAX_RANK];
  std::copy(index, index + array.region.rank - 1, at);
  PatternFinder finder(*pattern);
  if (!finder.toRow(at))
    return;
  auto own = columnsOf(*pattern, finder.row());
  for (auto k = std::lower_bound(own.begin(), own.end(), columns.lo);
       k != own.end() && *k <= columns.hi; ++k)
    copy(row + *k * size, array.origin + (&*k - pattern->column) * step);
}

void takeElements(zrt_array &target, const zrt_array &source) {
  ElementCopier copy(target.type->size);
  copy(elsewhereOf(target), elsewhereOf(source));
  fillElsewhere(target);
  const Pattern *to = patternOf(target.region.pattern);
  const Pattern *from = patternOf(source.region.pattern);
  if (!to || !from)
    return;
  int64_t toStep = stepOf(target), fromStep = stepOf(source);
  forEachCommon(*to, *from, [&](int64_t k, int64_t other) {
    copy(target.origin + k * toStep, source.origin + other * fromStep);
  });
}

} // namespace zrt
