//===- Element.h - Types of numbers in files --------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_FORMATS_ELEMENT_H
#define ZRT_FORMATS_ELEMENT_H

#include <cstddef>
#include <cstdint>

namespace zrt {

/// What an array in a file is made of.
enum class Element : uint8_t {
  Bool,
  I8,
  U8,
  I16,
  U16,
  I32,
  U32,
  I64,
  U64,
  F32,
  F64,
  F80, ///< long double
  C32, ///< two of F32
  C64,
  C80
};

/// In bytes, as in memory.
size_t sizeOf(Element element);
/// The language's name of the type, "double".
const char *nameOf(Element element);
inline bool isComplex(Element element) { return element >= Element::C32; }
inline bool isFloating(Element element) {
  return element >= Element::F32 && !isComplex(element);
}

/// Whether numbers of one type may become those of another: of any width,
/// integers also floating, both also complex; truth values any number, but
/// nothing becomes one.
bool converts(Element from, Element to);

/// Makes the number at \p target, of type \p to, from that at \p source, of
/// type \p from, which converts to it. False, with nothing stored, if it is not
/// in the range of \p to. Neither need be aligned.
bool convert(Element from, const char *source, Element to, char *target);

/// Turns the bytes of \p count numbers around, in each part of complex ones.
void swapBytes(Element element, char *bytes, size_t count);

/// What gives the number at a place as a double; of complex ones the real part.
using RealLoader = double(const char *source);
RealLoader *realLoader(Element element);

/// Stores the sample of a picture, from 0 to \p most, at \p target: itself, or,
/// in a floating type, as a part of \p most. False if it is not in the range of
/// \p to, or that is no type of real numbers.
bool storeSample(Element to, char *target, uint32_t sample, uint32_t most);

} // namespace zrt

#endif // ZRT_FORMATS_ELEMENT_H
