//===- HandElements.h - Elements of many types ------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Elements of many types and sizes, strings among them, as functions of a
/// number, which is a function of an array's number and the index: so each
/// processor knows what any element has to be.
///
//===----------------------------------------------------------------------===//

#ifndef ZRT_TEST_HANDELEMENTS_H
#define ZRT_TEST_HANDELEMENTS_H

#include "HandRegions.h"
#include "HandTypes.h"

#include <cstddef>
#include <cstring>
#include <string>

namespace hand {

struct Particle {
  double x;
  int8_t kind;
  int32_t count[2];
};
inline constexpr zrt_range Two[] = {{1, 2}}, Many[] = {{-7, 292}},
                           None[] = {{1, 0}};
inline constexpr zrt_type IntegerPair = array(Integer, 8, Two);
inline constexpr zrt_field ParticleFields[] = {
    {"x", offsetof(Particle, x), &Double},
    {"kind", offsetof(Particle, kind), &SByte},
    {"count", offsetof(Particle, count), &IntegerPair}};
inline constexpr zrt_type ParticleType =
    record("particle", sizeof(Particle), ParticleFields);
inline constexpr zrt_type Bytes = array(UByte, 300, Many);
inline constexpr zrt_type Nothing = array(Double, 0, None);

inline constexpr const zrt_type *ElementTypes[] = {
    &Double, &Integer, &Boolean,      &ShortInt, &Quad,
    &String, &Bytes,   &ParticleType, &Nothing};

inline constexpr int64_t WordCount = 500;
inline const char *words[WordCount];

/// Makes the strings; called before elements are.
inline void makeWords() {
  for (int64_t k = 0; k < WordCount; ++k)
    words[k] = zrtA_string(("w" + std::to_string(k)).c_str());
}

/// The image in memory of element number \p value.
struct Element {
  alignas(16) unsigned char bytes[300] = {};

  template <typename T> void set(T value, size_t at = 0) {
    std::memcpy(bytes + at, &value, sizeof value);
  }
};

inline Element elementOf(const zrt_type *type, int64_t value) {
  Element element;
  if (type == &Double)
    element.set(static_cast<double>(value));
  else if (type == &Integer)
    element.set(static_cast<int32_t>(value));
  else if (type == &Boolean)
    element.set(static_cast<uint8_t>(value % 2));
  else if (type == &ShortInt)
    element.set(static_cast<int16_t>(value));
  else if (type == &Quad)
    element.set(static_cast<double>(value), 2); // any 16 bytes
  else if (type == &String)
    element.set(words[value % WordCount]);
  else if (type == &Bytes)
    for (size_t k = 0; k < sizeof element.bytes; ++k)
      element.bytes[k] = static_cast<unsigned char>(value * 7 + k);
  else if (type == &ParticleType) {
    element.set(static_cast<double>(value), offsetof(Particle, x));
    element.set(static_cast<int8_t>(value), offsetof(Particle, kind));
    element.set(static_cast<int32_t>(value), offsetof(Particle, count));
    element.set(static_cast<int32_t>(-value), offsetof(Particle, count) + 4);
  }
  return element;
}

/// Types that programs write: bytes of quads here are no numbers.
inline bool isWritten(const zrt_type *type) {
  return type == &Double || type == &Integer || type == &Boolean ||
         type == &String || type == &ParticleType;
}

/// The number of element \p index of array number \p number; indices do not
/// count where \p region is flooded.
inline int64_t numberAt(int number, const zrt_region &region,
                        const int64_t *index) {
  int64_t value = number + 1;
  for (int d = 0; d < region.rank; ++d)
    value = value * 31 + (region.floods >> d & 1 ? 7 : index[d]);
  return (value % 1000003 + 1000003) % 1000003;
}

inline void store(zrt_array &array, const int64_t *index, int64_t number) {
  Element element = elementOf(array.type, number);
  std::memcpy(addressOf(array, index), element.bytes,
              static_cast<size_t>(array.type->size));
}

inline bool isStored(const zrt_array &array, const int64_t *index,
                     int64_t number) {
  Element element = elementOf(array.type, number);
  return std::memcmp(addressOf(array, index), element.bytes,
                     static_cast<size_t>(array.type->size)) == 0;
}

} // namespace hand

#endif // ZRT_TEST_HANDELEMENTS_H
