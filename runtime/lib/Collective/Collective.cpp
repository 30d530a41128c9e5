//===- Collective.cpp - Reductions and broadcasts -------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Both directions use one binomial tree over the members of a slice; here is
// that of six with member 0 as the root:
//
//     0 <- 1      2 <- 3      4 <- 5      step 1
//     0 <- 2                  (4 waits)   step 2
//     0 <- 4                              step 4
//
// A reduction climbs it, the left operand always being the values of the lower
// members, so that also sums of NaNs have one result; a broadcast descends
// it. A reduction of P processors takes 2*ceil(log2 P) messages in sequence.
// Recursive doubling would take as many where a send may block until it is
// received, since partners then must send in turns; and in the tree one
// processor computes each bit, so that all have the same.
//
//===----------------------------------------------------------------------===//

#include "Collective/Collective.h"

#include "Collective/Operators.h"

#include <cstddef>
#include <cstring>
#include <numeric>

namespace zrt {

Slice everybody(const Transport &transport) {
  Slice slice;
  slice.members.resize(static_cast<size_t>(transport.size()));
  std::iota(slice.members.begin(), slice.members.end(), 0);
  slice.self = transport.rank();
  return slice;
}

Slice sliceOf(const ProcessGrid &grid, int processor, int dims) {
  int own[ZRT_MAX_RANK], at[ZRT_MAX_RANK];
  grid.coordinates(processor, own);
  auto moves = [&](int d) { return (dims >> d & 1) != 0; };
  for (int d = 0; d < grid.rank; ++d)
    at[d] = moves(d) ? 0 : own[d];
  Slice slice;
  while (true) {
    int member = grid.processor(at);
    if (member == processor)
      slice.self = slice.size();
    slice.members.push_back(member);
    int d = grid.rank - 1;
    while (d >= 0 && (!moves(d) || at[d] == grid.extent[d] - 1)) {
      at[d] = moves(d) ? 0 : own[d];
      --d;
    }
    if (d < 0)
      return slice;
    ++at[d];
  }
}

/// Memory for values of any type.
struct alignas(std::max_align_t) Aligned {
  char bytes[alignof(std::max_align_t)];
};

/// A long double of 80 bits is followed by bytes that do not count; equal bits
/// in all of them keep results equal as memory, too.
template <typename T> static void clearPadding(T &value) {
  if constexpr (std::is_same_v<T, long double>) {
    constexpr size_t Significant = 10;
    std::memset(reinterpret_cast<char *>(&value) + Significant, 0,
                sizeof(T) - Significant);
  } else if constexpr (std::is_same_v<T, ComplexValue<long double>>) {
    clearPadding(value.re);
    clearPadding(value.im);
  }
}

/// Climbs the tree with \p bytes bytes at \p values; \p take combines them with
/// those, at its argument, of the members behind.
template <typename F>
static void reduceTree(Transport &transport, const Slice &slice, void *values,
                       size_t bytes, F &&take) {
  if (slice.size() == 1)
    return;
  std::vector<Aligned> other;
  for (int step = 1; step < slice.size(); step *= 2) {
    if (slice.self & step) {
      transport.send(slice.members[slice.self - step], values, bytes);
      break;
    }
    if (slice.self + step >= slice.size())
      continue;
    other.resize((bytes + sizeof(Aligned) - 1) / sizeof(Aligned));
    transport.receive(slice.members[slice.self + step], other.data(), bytes);
    take(static_cast<void *>(other.data()));
  }
  broadcast(transport, slice, 0, values, bytes);
}

template <typename Op>
static void reduceTyped(Transport &transport, const Slice &slice,
                        typename Op::Type *values, int64_t count) {
  using T = typename Op::Type;
  for (int64_t k = 0; k < count; ++k) {
    values[k] = Op::normalized(values[k]);
    clearPadding(values[k]);
  }
  size_t bytes = static_cast<size_t>(count) * sizeof(T);
  reduceTree(transport, slice, values, bytes, [&](void *behind) {
    const T *other = static_cast<const T *>(behind);
    for (int64_t k = 0; k < count; ++k) {
      values[k] = Op::combine(values[k], other[k]);
      clearPadding(values[k]);
    }
  });
}

void reduceStates(Transport &transport, const Slice &slice, void *states,
                  int64_t count, int64_t bytes, zrt_state_combine combine) {
  size_t all = static_cast<size_t>(count * bytes);
  reduceTree(transport, slice, states, all, [&](void *behind) {
    char *before = static_cast<char *>(states);
    char *state = static_cast<char *>(behind);
    for (int64_t k = 0; k < count; ++k)
      combine(before + k * bytes, state + k * bytes);
    std::memcpy(states, behind, all);
  });
}

void reduce(Transport &transport, const Slice &slice, void *values,
            int64_t count, int32_t kind, int32_t reduction) {
  withOperator(kind, reduction, [&]<typename Op>() {
    reduceTyped<Op>(transport, slice, static_cast<typename Op::Type *>(values),
                    count);
  });
}

void reduce(Transport &transport, void *value, int32_t kind,
            int32_t reduction) {
  reduce(transport, everybody(transport), value, 1, kind, reduction);
}

void broadcast(Transport &transport, const Slice &slice, int root, void *value,
               size_t bytes) {
  int size = slice.size();
  int self = (slice.self - root + size) % size; // the root is 0 in the tree
  auto member = [&](int place) { return slice.members[(place + root) % size]; };
  int step = 1; // the bit by which the parent differs, or the whole tree's
  while (step < size && !(self & step))
    step *= 2;
  if (self != 0)
    transport.receive(member(self - step), value, bytes);
  for (step /= 2; step > 0; step /= 2)
    if (self + step < size)
      transport.send(member(self + step), value, bytes);
}

void broadcast(Transport &transport, void *value, size_t bytes) {
  broadcast(transport, everybody(transport), 0, value, bytes);
}

void barrier(Transport &transport) {
  uint8_t nothing = 0;
  reduce(transport, &nothing, ZRT_BOOL, ZRT_OR);
}

} // namespace zrt
