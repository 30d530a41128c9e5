//===- NumberText.h - Numbers as text ---------------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_IO_TEXT_NUMBERTEXT_H
#define ZRT_IO_TEXT_NUMBERTEXT_H

#include "IO/Text/Format.h"

#include <string_view>

namespace zrt {

/// An integer of any type, seen as what each conversion needs of it.
struct IntegerValue {
  uint64_t magnitude;
  bool negative;
  bool isSigned;
  uint64_t bits; ///< the value modulo 2^width of its type, for u x X o c
};

/// The value of an integer type, char, enumeration or boolean at \p address.
IntegerValue loadInteger(int32_t kind, const void *address);

/// Append what C's printf prints for one conversion. %d of an unsigned type is
/// never negative. The sign of a NaN is not shown: it depends on who computed
/// it, a compiler or a processor.
void appendInteger(std::string &out, const Conversion &conversion,
                   const IntegerValue &value);
void appendFloating(std::string &out, const Conversion &conversion,
                    double value);
void appendFloating(std::string &out, const Conversion &conversion,
                    long double value);
void appendText(std::string &out, const Conversion &conversion,
                std::string_view text);

} // namespace zrt

#endif // ZRT_IO_TEXT_NUMBERTEXT_H
