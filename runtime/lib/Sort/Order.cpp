//===- Order.cpp - One processor's keys and their order -------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Numbers become unsigned ones that have the same order, and are sorted by
// their digits:
//
//     signed      the sign bit inverted
//     floating    negative: all bits inverted, else the sign bit; all NaNs are
//                 one, the greatest
//     descending  all bits inverted
//
// All of these can be undone (but for which NaN it was), so nothing else of the elements is kept. Strings,
// quad numbers and what a procedure of the program orders are merged: their
// keys are the elements, and what is sorted are their places.
//
// Memory: the keys twice; with places, 8 or 16 bytes an element twice.
//
//===----------------------------------------------------------------------===//

#include "Sort/Order.h"
#include "Sort/Radix.h"
#include "Support/Error.h"

#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>
#include <utility>

namespace zrt {

namespace {

/// Merges what is in order at \p a and \p b by copying with \p takeA and
/// \p takeB; \p isBBefore compares the heads.
template <typename IsBBefore, typename TakeA, typename TakeB>
void mergeRuns(int64_t aCount, int64_t bCount, IsBBefore isBBefore, TakeA takeA,
               TakeB takeB) {
  int64_t i = 0, k = 0;
  while (i < aCount && k < bCount) {
    if (isBBefore(i, k))
      takeB(k++);
    else
      takeA(i++);
  }
  while (i < aCount)
    takeA(i++);
  while (k < bCount)
    takeB(k++);
}

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

/// Codes of elements of type \p T, as wide as \p Code or less.
template <typename T, typename Code> struct Coding {
  static constexpr int Width = int(sizeof(T)) * 8;
  static constexpr Code Sign = Code(1) << (Width - 1);
  static constexpr Code All = Code(~Code(0)) >> (int(sizeof(Code)) * 8 - Width);
  static Code encode(T value, Code flip) {
    using Bits = std::conditional_t<
        sizeof(T) == 1, uint8_t,
        std::conditional_t<
            sizeof(T) == 2, uint16_t,
            std::conditional_t<sizeof(T) == 4, uint32_t, uint64_t>>>;
    Bits bits;
    std::memcpy(&bits, &value, sizeof bits);
    Code code = bits;
    if constexpr (std::is_floating_point_v<T>)
      code = value != value ? All : code & Sign ? code ^ All : code ^ Sign;
    else if constexpr (std::is_signed_v<T>)
      code ^= Sign;
    return code ^ flip;
  }

  static T decode(Code code, Code flip) {
    code ^= flip;
    if constexpr (std::is_floating_point_v<T>) {
      if (code == All)
        return std::numeric_limits<T>::quiet_NaN();
      code = code & Sign ? code ^ Sign : code ^ All;
    } else if constexpr (std::is_signed_v<T>) {
      code ^= Sign;
    }
    T value;
    if constexpr (sizeof(T) == sizeof(Code)) {
      std::memcpy(&value, &code, sizeof value);
    } else {
      using Bits = std::conditional_t<sizeof(T) == 1, uint8_t, uint16_t>;
      Bits bits = static_cast<Bits>(code);
      std::memcpy(&value, &bits, sizeof value);
    }
    return value;
  }
};

template <typename T> class NumberOrder final : public Order {
  using Code = std::conditional_t<sizeof(T) == 8, uint64_t, uint32_t>;
  using Codes = Coding<T, Code>;

public:
  explicit NumberOrder(bool isDescending)
      : flip(isDescending ? Codes::All : 0) {
    keySize = sizeof(Code);
  }

  void load(const ElementView &view, char *keys) const override {
    Code *code = reinterpret_cast<Code *>(keys);
    for (int64_t i = 0; i < view.count[0]; ++i) {
      T value;
      std::memcpy(&value, view.base + i * view.step[0], sizeof value);
      code[i] = Codes::encode(value, flip);
    }
  }

  void store(const char *keys, const ElementView &view) const override {
    const Code *code = reinterpret_cast<const Code *>(keys);
    for (int64_t i = 0; i < view.count[0]; ++i) {
      T value = Codes::decode(code[i], flip);
      std::memcpy(view.base + i * view.step[0], &value, sizeof value);
    }
  }

  bool isBefore(const char *a, const char *b) const override {
    return at(a) < at(b);
  }

  void sort(Buffer<char> &keys, int64_t count, Place *places) const override {
    Code *codes = reinterpret_cast<Code *>(keys.data());
    if (places)
      return sortPlaced(codes, count, places);
    Buffer<char> spare(count * int64_t(sizeof(Code)));
    radixSort(codes, reinterpret_cast<Code *>(spare.data()), count);
  }

  void merge(const char *a, const Place *aPlaces, int64_t aCount, const char *b,
             const Place *bPlaces, int64_t bCount, char *into,
             Place *places) const override {
    auto *aCodes = reinterpret_cast<const Code *>(a);
    auto *bCodes = reinterpret_cast<const Code *>(b);
    auto *to = reinterpret_cast<Code *>(into);
    if (!aPlaces)
      return mergeCodes(aCodes, aCount, bCodes, bCount, to);
    mergeRuns(
        aCount, bCount,
        [&](int64_t i, int64_t k) { return bCodes[k] < aCodes[i]; },
        [&](int64_t i) { *to++ = aCodes[i], *places++ = aPlaces[i]; },
        [&](int64_t k) { *to++ = bCodes[k], *places++ = bPlaces[k]; });
  }

private:
  static Code at(const char *key) {
    Code code;
    std::memcpy(&code, key, sizeof code);
    return code;
  }

  static void sortPlaced(Code *codes, int64_t count, Place *places) {
    Buffer<PlacedCode<Code>> items(count), spare(count);
    for (int64_t i = 0; i < count; ++i)
      items.data()[i] = {codes[i], static_cast<Place>(i)};
    radixSort(items.data(), spare.data(), count);
    for (int64_t i = 0; i < count; ++i) {
      codes[i] = items.data()[i].code;
      places[i] = items.data()[i].place;
    }
  }

  /// Without a branch that depends on the codes: that would be foretold wrong
  /// every other time.
  static void mergeCodes(const Code *a, int64_t aCount, const Code *b,
                         int64_t bCount, Code *to) {
    const Code *aEnd = a + aCount, *bEnd = b + bCount;
    while (a != aEnd && b != bEnd) {
      bool isB = *b < *a;
      *to++ = isB ? *b : *a;
      a += !isB;
      b += isB;
    }
    to = std::copy(a, aEnd, to);
    std::copy(b, bEnd, to);
  }

  Code flip;
};

//===----------------------------------------------------------------------===//
// Everything else
//===----------------------------------------------------------------------===//

/// By comparing elements, which are the keys.
class ComparedOrder : public Order {
public:
  explicit ComparedOrder(size_t size) { keySize = size; }

  void load(const ElementView &view, char *keys) const override {
    for (int64_t i = 0; i < view.count[0]; ++i)
      std::memcpy(key(keys, i), view.base + i * view.step[0], keySize);
  }

  void store(const char *keys, const ElementView &view) const override {
    for (int64_t i = 0; i < view.count[0]; ++i)
      std::memcpy(view.base + i * view.step[0], key(keys, i), keySize);
  }

  void sort(Buffer<char> &keys, int64_t count, Place *places) const override {
    Buffer<Place> sorted(count), spare(count);
    for (int64_t i = 0; i < count; ++i)
      sorted.data()[i] = static_cast<Place>(i);
    sortPlaces(keys.data(), sorted.data(), spare.data(), count);
    Buffer<char> moved(count * int64_t(keySize));
    for (int64_t i = 0; i < count; ++i)
      std::memcpy(key(moved.data(), i), key(keys.data(), sorted.data()[i]),
                  keySize);
    keys.swap(moved);
    if (places)
      std::copy_n(sorted.data(), count, places);
  }

  void merge(const char *a, const Place *aPlaces, int64_t aCount, const char *b,
             const Place *bPlaces, int64_t bCount, char *into,
             Place *places) const override {
    auto take = [&](const char *from, const Place *fromPlaces, int64_t i) {
      std::memcpy(into, key(from, i), keySize);
      into += keySize;
      if (fromPlaces)
        *places++ = fromPlaces[i];
    };
    mergeRuns(
        aCount, bCount,
        [&](int64_t i, int64_t k) { return isBefore(key(b, k), key(a, i)); },
        [&](int64_t i) { take(a, aPlaces, i); },
        [&](int64_t k) { take(b, bPlaces, k); });
  }

private:
  char *key(char *keys, int64_t i) const {
    return keys + static_cast<size_t>(i) * keySize;
  }
  const char *key(const char *keys, int64_t i) const {
    return keys + static_cast<size_t>(i) * keySize;
  }

  /// By halves; an order that contradicts itself gives some order.
  void sortPlaces(const char *keys, Place *places, Place *spare,
                  int64_t count) const {
    if (count < 2)
      return;
    int64_t half = count / 2;
    sortPlaces(keys, places, spare, half);
    sortPlaces(keys, places + half, spare, count - half);
    if (!isBefore(key(keys, places[half]), key(keys, places[half - 1])))
      return;
    std::copy_n(places, half, spare);
    const Place *a = spare, *b = places + half;
    Place *to = places;
    mergeRuns(
        half, count - half,
        [&](int64_t i, int64_t k) {
          return isBefore(key(keys, b[k]), key(keys, a[i]));
        },
        [&](int64_t i) { *to++ = a[i]; }, [&](int64_t k) { *to++ = b[k]; });
  }
};

class ProcedureOrder final : public ComparedOrder {
public:
  ProcedureOrder(size_t size, zrt_before before)
      : ComparedOrder(size), before(before) {}
  bool isBefore(const char *a, const char *b) const override {
    uint8_t first = 0;
    // Compiled procedures take all by address, what they only read as well.
    before(const_cast<char *>(a), const_cast<char *>(b), &first);
    return first != 0;
  }

private:
  zrt_before before;
};

class StringOrder final : public ComparedOrder {
public:
  explicit StringOrder(bool isDescending)
      : ComparedOrder(sizeof(char *)), isDescending(isDescending) {}
  bool isBefore(const char *a, const char *b) const override {
    int order = std::strcmp(at(a), at(b));
    return isDescending ? order > 0 : order < 0;
  }

private:
  static const char *at(const char *key) {
    const char *text;
    std::memcpy(&text, key, sizeof text);
    return text ? text : "";
  }
  bool isDescending;
};

class QuadOrder final : public ComparedOrder {
public:
  explicit QuadOrder(bool isDescending)
      : ComparedOrder(sizeof(long double)), isDescending(isDescending) {}
  bool isBefore(const char *a, const char *b) const override {
    long double x, y;
    std::memcpy(&x, isDescending ? b : a, sizeof x);
    std::memcpy(&y, isDescending ? a : b, sizeof y);
    if (std::isnan(x) || std::isnan(y))
      return !std::isnan(x) && std::isnan(y);
    if (x == 0 && y == 0)
      return std::signbit(x) && !std::signbit(y);
    return x < y;
  }

private:
  bool isDescending;
};

} // namespace

std::unique_ptr<Order> orderOf(const zrt_type &type, bool isDescending,
                               zrt_before before) {
  if (before)
    return std::make_unique<ProcedureOrder>(static_cast<size_t>(type.size),
                                            before);
  switch (type.kind) {
  case ZRT_BOOL:
  case ZRT_CHAR:
  case ZRT_U8:
    return std::make_unique<NumberOrder<uint8_t>>(isDescending);
  case ZRT_I8:
    return std::make_unique<NumberOrder<int8_t>>(isDescending);
  case ZRT_I16:
    return std::make_unique<NumberOrder<int16_t>>(isDescending);
  case ZRT_U16:
    return std::make_unique<NumberOrder<uint16_t>>(isDescending);
  case ZRT_I32:
  case ZRT_ENUM:
    return std::make_unique<NumberOrder<int32_t>>(isDescending);
  case ZRT_U32:
    return std::make_unique<NumberOrder<uint32_t>>(isDescending);
  case ZRT_I64:
    return std::make_unique<NumberOrder<int64_t>>(isDescending);
  case ZRT_U64:
    return std::make_unique<NumberOrder<uint64_t>>(isDescending);
  case ZRT_F32:
    return std::make_unique<NumberOrder<float>>(isDescending);
  case ZRT_F64:
    return std::make_unique<NumberOrder<double>>(isDescending);
  case ZRT_F80:
    return std::make_unique<QuadOrder>(isDescending);
  case ZRT_STR:
    return std::make_unique<StringOrder>(isDescending);
  }
  ZRT_CHECK(!"elements with an order");
  return nullptr;
}

} // namespace zrt
