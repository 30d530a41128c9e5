//===- Collective.cpp - Reductions and broadcasts -------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `m := max<< A` on four processors comes here with each one's maximum:
//
//     settle     NaN becomes the identity, -0 becomes 0
//     select     on shm: gather (Algorithms.cpp)
//     run        the four maxima to all, each combines them in one order
//     settle     NaNs of sums become one (ReduceAlgorithms.cpp)
//
// `s := +<< A; m := max<< A` are one record of two values (RecordReducer), to
// which the same happens value by value; so each has the bits that it would
// have alone.
//
// A slice of one member only settles. Cost beside the algorithm's: tens of
// nanoseconds, no memory from the heap for small payloads.
//
//===----------------------------------------------------------------------===//

#include "Collective/Collective.h"

#include <algorithm>
#include <cstddef>
#include <cstring>

namespace zrt {

void StateReducer::take(char *into, char *other, size_t bytes,
                        bool isBefore) const {
  char *before = isBefore ? other : into;
  char *behind = isBefore ? into : other;
  for (size_t at = 0; at < bytes; at += size)
    combine(before + at, behind + at);
  if (!isBefore)
    std::memcpy(into, other, bytes);
}

const Reducer &RecordReducer::Value::get() const {
  return std::visit([](const auto &one) -> const Reducer & { return one; },
                    reducer);
}

size_t RecordReducer::place(size_t bytes, size_t unit) {
  size_t alignment = std::min(unit & (~unit + 1), alignof(std::max_align_t));
  auto rounded = [](size_t n, size_t to) { return (n + to - 1) / to * to; };
  size_t end = values.empty() ? 0 : values.back().offset + values.back().bytes;
  size_t offset = rounded(end, alignment);
  // Records lie side by side in the memory of algorithms.
  size = rounded(offset + bytes, alignof(std::max_align_t));
  return offset;
}

void RecordReducer::add(const OperatorTable &table, int64_t count) {
  size_t bytes = static_cast<size_t>(count * table.size);
  size_t offset = place(bytes, static_cast<size_t>(table.size));
  values.push_back({offset, bytes, BuiltInReducer(table)});
  isExact = isExact && !table.isRounded;
}

void RecordReducer::add(size_t bytes, zrt_state_combine combine,
                        int64_t count) {
  size_t all = bytes * static_cast<size_t>(count);
  size_t offset = place(all, bytes);
  values.push_back({offset, all, StateReducer(bytes, combine)});
  isExact = false;
}

void RecordReducer::clear() {
  values.clear();
  size = 0;
  isExact = true;
}

void RecordReducer::take(char *into, char *other, size_t bytes,
                         bool isBefore) const {
  for (size_t at = 0; at < bytes; at += size)
    for (const Value &value : values)
      value.get().take(into + at + value.offset, other + at + value.offset,
                       value.bytes, isBefore);
}

void RecordReducer::settle(char *record) const {
  for (const Value &value : values)
    if (auto *builtIn = std::get_if<BuiltInReducer>(&value.reducer))
      builtIn->settle(record + value.offset, value.bytes);
}

static void run(Collective operation, const Job &job) {
  if (job.slice.size() > 1 &&
      (job.bytes > 0 || operation == Collective::Barrier))
    selectAlgorithm(operation, job).run(job);
}

void reduceBy(const Reducer &reducer, Transport &transport, const Slice &slice,
              void *values, size_t bytes) {
  Job job = {transport, slice, static_cast<char *>(values), bytes};
  job.reducer = &reducer;
  run(Collective::Reduce, job);
}

void reduce(Transport &transport, const Slice &slice, void *values,
            int64_t count, int32_t kind, int32_t reduction) {
  BuiltInReducer reducer(operatorTable(kind, reduction));
  size_t bytes = static_cast<size_t>(count) * reducer.size;
  reducer.settle(static_cast<char *>(values), bytes);
  if (slice.size() == 1)
    return;
  reduceBy(reducer, transport, slice, values, bytes);
  reducer.settle(static_cast<char *>(values), bytes);
}

void reduce(Transport &transport, void *value, int32_t kind,
            int32_t reduction) {
  reduce(transport, everybody(transport), value, 1, kind, reduction);
}

void reduceStates(Transport &transport, const Slice &slice, void *states,
                  int64_t count, int64_t bytes, zrt_state_combine combine) {
  StateReducer reducer(static_cast<size_t>(bytes), combine);
  reduceBy(reducer, transport, slice, states,
           static_cast<size_t>(count * bytes));
}

void reduceRecord(Transport &transport, const Slice &slice,
                  const RecordReducer &reducer, char *record) {
  reducer.settle(record);
  if (slice.size() == 1)
    return;
  reduceBy(reducer, transport, slice, record, reducer.size);
  reducer.settle(record);
}

void broadcast(Transport &transport, const Slice &slice, int root, void *value,
               size_t bytes) {
  Job job = {transport, slice, static_cast<char *>(value), bytes};
  job.root = root;
  run(Collective::Broadcast, job);
}

void broadcast(Transport &transport, void *value, size_t bytes) {
  broadcast(transport, everybody(transport), 0, value, bytes);
}

void allgather(Transport &transport, const Slice &slice, void *data,
               const std::vector<size_t> &offsets) {
  if (offsets.back() == 0)
    return;
  Job job = {transport, slice, static_cast<char *>(data), offsets.back()};
  job.offsets = offsets.data();
  run(Collective::Allgather, job);
}

std::vector<int64_t> allNumbers(Transport &transport, const Slice &slice,
                                int64_t number) {
  size_t members = static_cast<size_t>(slice.size());
  std::vector<int64_t> numbers(members, number);
  std::vector<size_t> offsets;
  for (size_t m = 0; m <= members; ++m)
    offsets.push_back(m * sizeof number);
  allgather(transport, slice, numbers.data(), offsets);
  return numbers;
}

void barrier(Transport &transport) {
  Slice all = everybody(transport);
  run(Collective::Barrier, {transport, all});
}

} // namespace zrt
