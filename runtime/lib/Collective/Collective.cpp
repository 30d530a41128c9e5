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
// A slice of one member only settles. Cost beside the algorithm's: tens of
// nanoseconds, no memory from the heap for small payloads.
//
//===----------------------------------------------------------------------===//

#include "Collective/Collective.h"

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
