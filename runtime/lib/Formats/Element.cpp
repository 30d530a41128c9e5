//===- Element.cpp - Types of numbers in files ----------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Between any two types a number goes through one that has room for both: 128
// bits for integers, long double for the others.
//
//     I16 -> F64     load: integer 7           store: 7.0
//     F64 -> F32     load: 0.1L of 0.1         store: rounded to float
//     I64 -> I8      load: integer 300         store: out of range
//     F32 -> C64     load: 0.5L                store: 0.5 + 0i
//
//===----------------------------------------------------------------------===//

#include "Formats/Element.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

namespace zrt {

namespace {

/// A number of any type.
struct Wide {
  bool isInteger = true;
  __int128 integer = 0;
  long double re = 0, im = 0;
};

struct ElementInfo {
  size_t size;
  const char *name;
};

constexpr ElementInfo Infos[] = {
    {1, "boolean"},  {1, "sbyte"},     {1, "ubyte"},
    {2, "shortint"}, {2, "ushortint"}, {4, "integer"},
    {4, "uinteger"}, {8, "longint"},   {8, "ulongint"},
    {4, "float"},    {8, "double"},    {sizeof(long double), "quad"},
    {8, "complex"},  {16, "dcomplex"}, {2 * sizeof(long double), "qcomplex"},
};

template <typename T> T valueAt(const char *source) {
  T value;
  std::memcpy(&value, source, sizeof value);
  return value;
}

template <typename T> Wide integerAt(const char *source) {
  Wide wide;
  wide.integer = valueAt<T>(source);
  return wide;
}

template <typename T> Wide realAt(const char *source) {
  return {false, 0, valueAt<T>(source), 0};
}

template <typename T> Wide complexAt(const char *source) {
  return {false, 0, valueAt<T>(source), valueAt<T>(source + sizeof(T))};
}

Wide load(Element element, const char *source) {
  switch (element) {
  case Element::Bool:
  case Element::U8:
    return integerAt<uint8_t>(source);
  case Element::I8:
    return integerAt<int8_t>(source);
  case Element::I16:
    return integerAt<int16_t>(source);
  case Element::U16:
    return integerAt<uint16_t>(source);
  case Element::I32:
    return integerAt<int32_t>(source);
  case Element::U32:
    return integerAt<uint32_t>(source);
  case Element::I64:
    return integerAt<int64_t>(source);
  case Element::U64:
    return integerAt<uint64_t>(source);
  case Element::F32:
    return realAt<float>(source);
  case Element::F64:
    return realAt<double>(source);
  case Element::F80:
    return realAt<long double>(source);
  case Element::C32:
    return complexAt<float>(source);
  case Element::C64:
    return complexAt<double>(source);
  case Element::C80:
    return complexAt<long double>(source);
  }
  __builtin_unreachable();
}

template <typename T> bool storeInteger(const Wide &wide, char *target) {
  if (!wide.isInteger || wide.integer < std::numeric_limits<T>::min() ||
      wide.integer > std::numeric_limits<T>::max())
    return false;
  T value = static_cast<T>(wide.integer);
  std::memcpy(target, &value, sizeof value);
  return true;
}

/// A finite number that becomes infinite is out of range.
template <typename T> bool storePart(long double part, char *target) {
  T value = static_cast<T>(part);
  if (std::isinf(value) && !std::isinf(part))
    return false;
  std::memcpy(target, &value, sizeof value);
  return true;
}

template <typename T> bool storeReal(const Wide &wide, char *target) {
  return storePart<T>(wide.isInteger ? static_cast<long double>(wide.integer)
                                     : wide.re,
                      target);
}

template <typename T> bool storeComplex(const Wide &wide, char *target) {
  char parts[2 * sizeof(T)];
  if (!storeReal<T>(wide, parts) || !storePart<T>(wide.im, parts + sizeof(T)))
    return false;
  std::memcpy(target, parts, sizeof parts);
  return true;
}

bool store(Element element, const Wide &wide, char *target) {
  switch (element) {
  case Element::Bool:
    *target = wide.integer != 0;
    return true;
  case Element::U8:
    return storeInteger<uint8_t>(wide, target);
  case Element::I8:
    return storeInteger<int8_t>(wide, target);
  case Element::I16:
    return storeInteger<int16_t>(wide, target);
  case Element::U16:
    return storeInteger<uint16_t>(wide, target);
  case Element::I32:
    return storeInteger<int32_t>(wide, target);
  case Element::U32:
    return storeInteger<uint32_t>(wide, target);
  case Element::I64:
    return storeInteger<int64_t>(wide, target);
  case Element::U64:
    return storeInteger<uint64_t>(wide, target);
  case Element::F32:
    return storeReal<float>(wide, target);
  case Element::F64:
    return storeReal<double>(wide, target);
  case Element::F80:
    return storeReal<long double>(wide, target);
  case Element::C32:
    return storeComplex<float>(wide, target);
  case Element::C64:
    return storeComplex<double>(wide, target);
  case Element::C80:
    return storeComplex<long double>(wide, target);
  }
  __builtin_unreachable();
}

} // namespace

size_t sizeOf(Element element) {
  return Infos[static_cast<size_t>(element)].size;
}

const char *nameOf(Element element) {
  return Infos[static_cast<size_t>(element)].name;
}

bool converts(Element from, Element to) {
  if (from == to)
    return true;
  if (to == Element::Bool)
    return false;
  if (isComplex(to))
    return true;
  return isFloating(to) ? !isComplex(from) : from < Element::F32;
}

bool convert(Element from, const char *source, Element to, char *target) {
  if (from == to) {
    std::memmove(target, source, sizeOf(to));
    return true;
  }
  Wide wide = load(from, source);
  if (from == Element::Bool)
    wide.integer = wide.integer != 0;
  return store(to, wide, target);
}

void swapBytes(Element element, char *bytes, size_t count) {
  size_t size = sizeOf(element);
  if (isComplex(element)) {
    size /= 2;
    count *= 2;
  }
  for (size_t k = 0; size > 1 && k < count; ++k)
    std::reverse(bytes + k * size, bytes + (k + 1) * size);
}

template <typename T> static double loadReal(const char *source) {
  return static_cast<double>(valueAt<T>(source));
}

RealLoader *realLoader(Element element) {
  switch (element) {
  case Element::Bool:
  case Element::U8:
    return loadReal<uint8_t>;
  case Element::I8:
    return loadReal<int8_t>;
  case Element::I16:
    return loadReal<int16_t>;
  case Element::U16:
    return loadReal<uint16_t>;
  case Element::I32:
    return loadReal<int32_t>;
  case Element::U32:
    return loadReal<uint32_t>;
  case Element::I64:
    return loadReal<int64_t>;
  case Element::U64:
    return loadReal<uint64_t>;
  case Element::F32:
  case Element::C32:
    return loadReal<float>;
  case Element::F64:
  case Element::C64:
    return loadReal<double>;
  case Element::F80:
  case Element::C80:
    return loadReal<long double>;
  }
  __builtin_unreachable();
}

bool storeSample(Element to, char *target, uint32_t sample, uint32_t most) {
  if (to == Element::Bool || isComplex(to))
    return false;
  Wide wide;
  wide.integer = sample;
  if (isFloating(to))
    wide = {false, 0, static_cast<long double>(sample) / most, 0};
  return store(to, wide, target);
}

} // namespace zrt
