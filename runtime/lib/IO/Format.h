//===- Format.h - Formats of values -----------------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_IO_FORMAT_H
#define ZRT_IO_FORMAT_H

#include "zrt/Abi.h"

#include <string>

namespace zrt {

/// A checked format: text, one conversion, text (language section 14).
struct Format {
  std::string before; ///< with %% already turned into %
  std::string after;
  /// What C's printf gets for the value: rebuilt from the parts that were
  /// understood, with the length modifier that the type needs.
  std::string spec;
  char conversion = 0; ///< the last character of `spec`
};

/// Reads \p text as a format for a value of \p type. False if it is not one,
/// with the reason in \p error, a sentence that quotes the format.
bool parseFormat(const char *text, int32_t type, Format &format,
                 std::string &error);

/// The format used when the program gives none (language section 15); \p
/// element: for elements of arrays, which differ for booleans.
const Format &defaultFormat(int32_t type, bool element);

/// Appends a value to \p out. The format was made for the value's type.
/// \p bits is 32 or 64, the width at which a negative value wraps around.
void appendInteger(std::string &out, const Format &format, int64_t value,
                   int32_t bits);
void appendFloat(std::string &out, const Format &format, double value);
void appendBoolean(std::string &out, const Format &format, bool value);
void appendString(std::string &out, const Format &format, const char *value);

/// Appends the element of \p type at \p address.
void appendElement(std::string &out, const Format &format, int32_t type,
                   const char *address);

} // namespace zrt

#endif // ZRT_IO_FORMAT_H
