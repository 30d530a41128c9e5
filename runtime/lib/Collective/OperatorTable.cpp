//===- OperatorTable.cpp - Operators behind pointers ----------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A few small functions per type and operator. A scan along a line is a chain
// of dependent operations; rows of scans side by side vectorize.
//
//===----------------------------------------------------------------------===//

#include "Collective/OperatorTable.h"

#include "Collective/Operators.h"

#include <bit>
#include <cstring>

namespace zrt {

template <typename Op> static void normalize(void *value) {
  auto *v = static_cast<typename Op::Type *>(value);
  *v = Op::normalized(*v);
}

template <typename Op> static void combine(void *left, const void *right) {
  using T = typename Op::Type;
  auto *l = static_cast<T *>(left);
  *l = Op::combine(*l, *static_cast<const T *>(right));
}

/// With steps that the compiler knows the loop has no multiplications.
template <typename Op, bool Inclusive, typename Step>
static typename Op::Type scanSteps(const char *read, Step readStep, char *write,
                                   Step writeStep, int64_t count,
                                   typename Op::Type sum) {
  using T = typename Op::Type;
  for (int64_t k = 0; k < count; ++k, read += readStep, write += writeStep) {
    T next =
        Op::combine(sum, Op::normalized(*reinterpret_cast<const T *>(read)));
    *reinterpret_cast<T *>(write) = Inclusive ? next : sum;
    sum = next;
  }
  return sum;
}

template <typename Op>
static void scanLine(const char *read, int64_t readStep, char *write,
                     int64_t writeStep, int64_t count, void *carry,
                     bool inclusive) {
  using T = typename Op::Type;
  T sum = *static_cast<T *>(carry);
  constexpr std::integral_constant<int64_t, sizeof(T)> Unit;
  bool isUnit = readStep == Unit && writeStep == Unit;
  if (isUnit)
    sum = inclusive ? scanSteps<Op, true>(read, Unit, write, Unit, count, sum)
                    : scanSteps<Op, false>(read, Unit, write, Unit, count, sum);
  else
    sum = inclusive ? scanSteps<Op, true>(read, readStep, write, writeStep,
                                          count, sum)
                    : scanSteps<Op, false>(read, readStep, write, writeStep,
                                           count, sum);
  *static_cast<T *>(carry) = sum;
}

template <typename Op>
static void foldLine(const char *read, int64_t step, int64_t count,
                     void *total) {
  using T = typename Op::Type;
  T sum = *static_cast<T *>(total);
  for (int64_t k = 0; k < count; ++k, read += step)
    sum = Op::combine(sum, Op::normalized(*reinterpret_cast<const T *>(read)));
  *static_cast<T *>(total) = sum;
}

template <typename Op>
static void foldRow(const void *from, void *total, int64_t count) {
  using T = typename Op::Type;
  const T *__restrict read = static_cast<const T *>(from);
  T *__restrict sum = static_cast<T *>(total);
  for (int64_t k = 0; k < count; ++k)
    sum[k] = Op::combine(sum[k], Op::normalized(read[k]));
}

/// Complete nodes of eight values are spelled out.
template <typename Op>
static typename Op::Type treeValueAt(const char *read, int64_t step,
                                     int64_t count) {
  auto at = [&](int64_t k) {
    return Op::normalized(
        *reinterpret_cast<const typename Op::Type *>(read + k * step));
  };
  if (count == 8)
    return Op::combine(
        Op::combine(Op::combine(at(0), at(1)), Op::combine(at(2), at(3))),
        Op::combine(Op::combine(at(4), at(5)), Op::combine(at(6), at(7))));
  if (count == 1)
    return at(0);
  int64_t half =
      static_cast<int64_t>(std::bit_floor(static_cast<uint64_t>(count - 1)));
  return Op::combine(treeValueAt<Op>(read, step, half),
                     treeValueAt<Op>(read + half * step, step, count - half));
}

template <typename Op>
static void treeLine(const char *read, int64_t step, int64_t count,
                     void *result) {
  *static_cast<typename Op::Type *>(result) =
      treeValueAt<Op>(read, step, count);
}

template <typename Op>
static void scanRow(const void *from, void *to, void *carry, int64_t count,
                    bool inclusive) {
  using T = typename Op::Type;
  const T *__restrict read = static_cast<const T *>(from);
  T *__restrict write = static_cast<T *>(to);
  T *__restrict sum = static_cast<T *>(carry);
  for (int64_t k = 0; k < count; ++k) {
    T before = sum[k];
    sum[k] = Op::combine(before, Op::normalized(read[k]));
    write[k] = inclusive ? sum[k] : before;
  }
}

OperatorTable operatorTable(int32_t kind, int32_t reduction) {
  OperatorTable table = {};
  withOperator(kind, reduction, [&]<typename Op>() {
    using T = typename Op::Type;
    static_assert(sizeof(T) <= MaxOperandSize);
    T identity = Op::identity();
    std::memcpy(table.identity, &identity, sizeof(T));
    table.size = sizeof(T);
    table.isRounded = Op::IsRounded;
    table.normalize = normalize<Op>;
    table.combine = combine<Op>;
    table.foldLine = foldLine<Op>;
    table.foldRow = foldRow<Op>;
    table.treeLine = treeLine<Op>;
    table.scanLine = scanLine<Op>;
    table.scanRow = scanRow<Op>;
  });
  return table;
}

} // namespace zrt
