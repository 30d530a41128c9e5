//===- Format.h - Formats of values -----------------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_IO_TEXT_FORMAT_H
#define ZRT_IO_TEXT_FORMAT_H

#include "zrt/Abi.h"

#include <string>

namespace zrt {

/// One conversion of a format, taken apart: `%+08.3f`.
struct Conversion {
  bool left = false;      ///< -
  bool plus = false;      ///< +
  bool space = false;     ///< a blank in place of a plus
  bool alternate = false; ///< #
  bool zero = false;      ///< 0
  int width = 0;
  int precision = -1; ///< -1: not given
  char letter = 0;    ///< 0: there is no conversion
};

/// A checked format: text around one conversion, or around two for complex
/// types (language section 14).
struct Format {
  std::string before; ///< with %% already turned into %
  Conversion first;
  std::string between; ///< the two conversions, if there are two
  Conversion second;
  std::string after;
};

/// The type of the scalars in an indexed array; other types are their own.
const zrt_type &leafType(const zrt_type &type);

/// Reads \p text as a format for values of \p type, or for the scalars of an
/// indexed array. False if it is not one, with the reason in \p error, a
/// sentence that quotes the format.
bool parseFormat(const char *text, const zrt_type &type, Format &format,
                 std::string &error);

/// The format used when the program gives none (language section 15); \p
/// element: for elements of parallel arrays, which differ for booleans. Records
/// and unions have none; they get one that is not used.
const Format &defaultFormat(int32_t kind, bool element);

/// Whether values of \p type have a text; else a sentence in \p error.
bool hasText(const zrt_type &type, std::string &error);

} // namespace zrt

#endif // ZRT_IO_TEXT_FORMAT_H
