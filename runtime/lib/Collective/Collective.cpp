//===- Collective.cpp - Reductions and broadcasts -------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Both directions use one binomial tree with processor 0 as the root; here is
// that of six:
//
//     0 <- 1      2 <- 3      4 <- 5      step 1
//     0 <- 2                  (4 waits)   step 2
//     0 <- 4                              step 4
//
// A reduction climbs it, the left operand always being the values of the lower
// processors, so that also sums of NaNs have one result; a broadcast descends
// it. A reduction of P processors takes 2*ceil(log2 P) messages in sequence.
// Recursive doubling would take as many where a send may block until it is
// received, since partners then must send in turns; and in the tree one
// processor computes each bit, so that all have the same.
//
//===----------------------------------------------------------------------===//

#include "Collective/Collective.h"

#include "Support/Error.h"

#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

namespace zrt {

/// A value alone, as the reduction sees it: NaN and -0 are replaced by max and
/// min, truth values are 0 or 1.
template <typename T> static T normalized(T value, zrt_reduction reduction) {
  switch (reduction) {
  case ZRT_SUM:
  case ZRT_PRODUCT:
    return value;
  case ZRT_AND:
  case ZRT_OR:
    return value != T(0);
  case ZRT_MAX:
  case ZRT_MIN:
    break;
  }
  if constexpr (std::is_floating_point_v<T>) {
    constexpr T Infinity = std::numeric_limits<T>::infinity();
    if (std::isnan(value))
      return reduction == ZRT_MAX ? -Infinity : Infinity;
    return value == T(0) ? T(0) : value;
  }
  return value;
}

/// Combines two normalized values; integers wrap around.
template <typename T>
static T combined(T left, T right, zrt_reduction reduction) {
  // Short types would be multiplied as signed integers, which may overflow.
  using Wrapping = std::conditional_t < !std::is_integral_v<T>, T,
        std::conditional_t < sizeof(T) == 8, uint64_t, uint32_t >>
      ;
  Wrapping a = static_cast<Wrapping>(left), b = static_cast<Wrapping>(right);
  switch (reduction) {
  case ZRT_SUM:
    return static_cast<T>(a + b);
  case ZRT_PRODUCT:
    return static_cast<T>(a * b);
  case ZRT_MAX:
    return left < right ? right : left;
  case ZRT_MIN:
    return right < left ? right : left;
  case ZRT_AND:
    return left != T(0) && right != T(0);
  case ZRT_OR:
    return left != T(0) || right != T(0);
  }
  internalError(__FILE__, __LINE__, "operator of a reduction");
}

/// The bytes of a T that hold its value: a long double of 80 bits is followed
/// by six that do not count.
template <typename T>
constexpr size_t SignificantBytes =
    std::is_floating_point_v<T> && std::numeric_limits<T>::digits == 64
        ? 10
        : sizeof(T);

template <typename T>
static void reduceTyped(Transport &transport, void *address,
                        zrt_reduction reduction) {
  T value;
  std::memcpy(&value, address, sizeof(T));
  value = normalized(value, reduction);
  int self = transport.rank();
  for (int step = 1; step < transport.size(); step *= 2) {
    if (self & step) {
      transport.send(self - step, &value, SignificantBytes<T>);
      break;
    }
    if (self + step < transport.size()) {
      T other;
      transport.receive(self + step, &other, SignificantBytes<T>);
      value = combined(value, other, reduction);
    }
  }
  broadcast(transport, &value, SignificantBytes<T>);
  std::memset(address, 0, sizeof(T));
  std::memcpy(address, &value, SignificantBytes<T>);
}

void reduce(Transport &transport, void *value, int32_t kind,
            int32_t reduction) {
  auto op = static_cast<zrt_reduction>(reduction);
  switch (static_cast<zrt_kind>(kind)) {
  case ZRT_BOOL:
  case ZRT_CHAR:
  case ZRT_U8:
    return reduceTyped<uint8_t>(transport, value, op);
  case ZRT_I8:
    return reduceTyped<int8_t>(transport, value, op);
  case ZRT_I16:
    return reduceTyped<int16_t>(transport, value, op);
  case ZRT_U16:
    return reduceTyped<uint16_t>(transport, value, op);
  case ZRT_I32:
  case ZRT_ENUM:
    return reduceTyped<int32_t>(transport, value, op);
  case ZRT_U32:
    return reduceTyped<uint32_t>(transport, value, op);
  case ZRT_I64:
    return reduceTyped<int64_t>(transport, value, op);
  case ZRT_U64:
    return reduceTyped<uint64_t>(transport, value, op);
  case ZRT_F32:
    return reduceTyped<float>(transport, value, op);
  case ZRT_F64:
    return reduceTyped<double>(transport, value, op);
  case ZRT_F80:
    return reduceTyped<long double>(transport, value, op);
  case ZRT_C32:
  case ZRT_C64:
  case ZRT_C80:
  case ZRT_STR:
  case ZRT_FILE:
  case ZRT_RECORD:
  case ZRT_UNION:
  case ZRT_ARRAY:
  case ZRT_OPAQUE:
    break;
  }
  internalError(__FILE__, __LINE__, "type of a reduction");
}

void broadcast(Transport &transport, void *value, size_t bytes) {
  int self = transport.rank(), size = transport.size();
  int step = 1; // the bit by which the parent differs, or the whole tree's
  while (step < size && !(self & step))
    step *= 2;
  if (self != 0)
    transport.receive(self - step, value, bytes);
  for (step /= 2; step > 0; step /= 2)
    if (self + step < size)
      transport.send(self + step, value, bytes);
}

void barrier(Transport &transport) {
  uint8_t nothing = 0;
  reduceTyped<uint8_t>(transport, &nothing, ZRT_OR);
}

} // namespace zrt
