//===- Store.cpp - How a remap stores elements ----------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// `H#[K] += 1` of integers becomes loops of additions, `A#[I] := B` of doubles
// loops of moves of 8 bytes; what is neither of the common types and operators
// copies by size or calls the program's procedure.
//
// Integers and logical values forget in which order they were combined, real
// numbers do not (language 13): even `max` of these tells zeros apart, so only
// the former are free.
//
//===----------------------------------------------------------------------===//

#include "Remap/Store.h"

#include "Support/Error.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <type_traits>

namespace zrt {

namespace {

template <size_t Size> struct MoveBytes {
  static constexpr size_t size(const Store &) { return Size; }
  static void meet(const Store &, char *element, const char *value) {
    std::memcpy(element, value, Size);
  }
};

struct MoveAny {
  static size_t size(const Store &store) { return store.size; }
  static void meet(const Store &store, char *element, const char *value) {
    std::memcpy(element, value, store.size);
  }
};

template <typename T, int32_t Reduction> struct Combine {
  static constexpr size_t size(const Store &) { return sizeof(T); }
  /// Of integers without a sign, so that sums wrap.
  static T together(T a, T b) {
    if constexpr (Reduction == ZRT_SUM)
      return static_cast<T>(a + b);
    else if constexpr (Reduction == ZRT_PRODUCT)
      return static_cast<T>(a * b);
    else if constexpr (Reduction == ZRT_MAX)
      return std::max(a, b);
    else if constexpr (Reduction == ZRT_MIN)
      return std::min(a, b);
    else if constexpr (Reduction == ZRT_BAND)
      return a & b;
    else if constexpr (Reduction == ZRT_BOR)
      return a | b;
    else
      return a ^ b;
  }
  static constexpr T identity() {
    if constexpr (Reduction == ZRT_PRODUCT)
      return T(1);
    else if constexpr (Reduction == ZRT_MAX)
      return std::numeric_limits<T>::lowest();
    else if constexpr (Reduction == ZRT_MIN)
      return std::numeric_limits<T>::max();
    else if constexpr (Reduction == ZRT_BAND)
      return T(~T(0));
    else if constexpr (std::is_floating_point_v<T>)
      return T(-0.0); // 0 + -0 is another zero than -0
    else
      return T(0);
  }
  static void meet(const Store &, char *element, const char *value) {
    T a, b;
    std::memcpy(&a, element, sizeof a);
    std::memcpy(&b, value, sizeof b);
    a = together(a, b);
    std::memcpy(element, &a, sizeof a);
  }
};

/// An array without elements here has no address: sums are of numbers.
char *movedBy(const char *base, uint64_t offset) {
  return reinterpret_cast<char *>(reinterpret_cast<uintptr_t>(base) + offset);
}

template <typename Way>
void offsetLoop(const Store &store, char *elements, const uint64_t *to,
                const char *values, const uint64_t *from, int64_t count) {
  for (int64_t k = 0; k < count; ++k)
    Way::meet(store, movedBy(elements, to[k]), movedBy(values, from[k]));
}

template <typename Way>
void numberLoop(const Store &store, char *elements, const int32_t *to,
                const char *values, const int32_t *from, int64_t count) {
  auto size = static_cast<int64_t>(Way::size(store));
  if (to && from)
    for (int64_t k = 0; k < count; ++k)
      Way::meet(store, elements + to[k] * size, values + from[k] * size);
  else if (to)
    for (int64_t k = 0; k < count; ++k)
      Way::meet(store, elements + to[k] * size, values + k * size);
  else if (from)
    for (int64_t k = 0; k < count; ++k)
      Way::meet(store, elements + k * size, values + from[k] * size);
  else
    for (int64_t k = 0; k < count; ++k)
      Way::meet(store, elements + k * size, values + k * size);
}

/// The program's procedure; elements and values may be of different types.
void callByOffsets(const Store &store, char *elements, const uint64_t *to,
                   const char *values, const uint64_t *from, int64_t count) {
  for (int64_t k = 0; k < count; ++k)
    store.combine(movedBy(elements, to[k]), movedBy(values, from[k]));
}

void callByNumbers(const Store &store, char *elements, const int32_t *to,
                   const char *values, const int32_t *from, int64_t count) {
  for (int64_t k = 0; k < count; ++k) {
    int64_t element = to ? to[k] : k, value = from ? from[k] : k;
    store.combine(elements + element * static_cast<int64_t>(store.elementSize),
                  values + value * static_cast<int64_t>(store.size));
  }
}

template <typename T, int32_t Reduction>
void resetLoop(char *values, int64_t count) {
  const T identity = Combine<T, Reduction>::identity();
  for (int64_t k = 0; k < count; ++k)
    std::memcpy(values + k * static_cast<int64_t>(sizeof(T)), &identity,
                sizeof identity);
}

template <typename Way> Store through(size_t size) {
  Store store;
  store.size = store.elementSize = size;
  store.offsetLoop = offsetLoop<Way>;
  store.numberLoop = numberLoop<Way>;
  return store;
}

template <typename T, int32_t Reduction> Store combining() {
  Store store = through<Combine<T, Reduction>>(sizeof(T));
  store.isFree = std::is_integral_v<T>;
  store.resetLoop = resetLoop<T, Reduction>;
  return store;
}

/// Sums and products of \p T; others have none.
template <typename T> bool findSum(Store &store, int32_t reduction) {
  if (reduction == ZRT_SUM)
    store = combining<T, ZRT_SUM>();
  else if (reduction == ZRT_PRODUCT)
    store = combining<T, ZRT_PRODUCT>();
  return reduction == ZRT_SUM || reduction == ZRT_PRODUCT;
}

template <typename T> bool findExtreme(Store &store, int32_t reduction) {
  if (reduction == ZRT_MAX)
    store = combining<T, ZRT_MAX>();
  else if (reduction == ZRT_MIN)
    store = combining<T, ZRT_MIN>();
  return reduction == ZRT_MAX || reduction == ZRT_MIN;
}

template <typename T> bool findBits(Store &store, int32_t reduction) {
  if (reduction == ZRT_BAND)
    store = combining<T, ZRT_BAND>();
  else if (reduction == ZRT_BOR)
    store = combining<T, ZRT_BOR>();
  else if (reduction == ZRT_BXOR)
    store = combining<T, ZRT_BXOR>();
  return reduction == ZRT_BAND || reduction == ZRT_BOR || reduction == ZRT_BXOR;
}

template <typename Signed, typename T>
bool findInteger(Store &store, int32_t reduction) {
  return findSum<T>(store, reduction) ||
         findExtreme<Signed>(store, reduction) || findBits<T>(store, reduction);
}

/// Whether there are loops for \p reduction of elements of \p kind.
bool findLoops(Store &store, int32_t kind, int32_t reduction) {
  switch (static_cast<zrt_kind>(kind)) {
  case ZRT_I32:
  case ZRT_ENUM:
    return findInteger<int32_t, uint32_t>(store, reduction);
  case ZRT_U32:
    return findInteger<uint32_t, uint32_t>(store, reduction);
  case ZRT_I64:
    return findInteger<int64_t, uint64_t>(store, reduction);
  case ZRT_U64:
    return findInteger<uint64_t, uint64_t>(store, reduction);
  case ZRT_F32:
    return findSum<float>(store, reduction);
  case ZRT_F64:
    return findSum<double>(store, reduction);
  case ZRT_BOOL:
    return findBits<uint8_t>(store, reduction == ZRT_AND  ? ZRT_BAND
                                    : reduction == ZRT_OR ? ZRT_BOR
                                                          : -1);
  case ZRT_CHAR:
  case ZRT_I8:
  case ZRT_U8:
  case ZRT_I16:
  case ZRT_U16:
  case ZRT_F80:
  case ZRT_C32:
  case ZRT_C64:
  case ZRT_C80:
  case ZRT_STR:
  case ZRT_FILE:
  case ZRT_RECORD:
  case ZRT_UNION:
  case ZRT_ARRAY:
  case ZRT_OPAQUE:
    return false;
  }
  return false;
}

} // namespace

Store Store::copies(size_t size) {
  Store store = size == 8    ? through<MoveBytes<8>>(size)
                : size == 4  ? through<MoveBytes<4>>(size)
                : size == 1  ? through<MoveBytes<1>>(size)
                : size == 2  ? through<MoveBytes<2>>(size)
                : size == 16 ? through<MoveBytes<16>>(size)
                             : through<MoveAny>(size);
  store.isCopy = true;
  return store;
}

Store Store::combines(const zrt_type &type, int32_t reduction) {
  Store store;
  ZRT_CHECK(findLoops(store, type.kind, reduction));
  return store;
}

Store Store::of(const zrt_type &type, size_t size, zrt_combine combine,
                int32_t reduction) {
  if (!combine)
    return copies(size);
  Store store;
  if (reduction >= 0 && findLoops(store, type.kind, reduction))
    return store;
  store.size = size;
  store.elementSize = static_cast<size_t>(type.size);
  store.combine = combine;
  store.offsetLoop = callByOffsets;
  store.numberLoop = callByNumbers;
  return store;
}

} // namespace zrt
