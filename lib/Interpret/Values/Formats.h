//===- Formats.h - Formats of values ----------------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_INTERPRET_VALUES_FORMATS_H
#define ZPL_LIB_INTERPRET_VALUES_FORMATS_H

#include "Values/Values.h"
#include "llvm/ADT/StringRef.h"
#include <optional>

namespace zpl::interpreter {

/// `%-8.3f`: flags "-", width 8, precision 3, letter f.
struct Conversion {
  std::string flags;
  int width = 0;
  int precision = -1; ///< -1: not given
  char letter = 0;    ///< 0: there is no conversion
};

/// Text around one conversion, or around two for complex types.
struct Format {
  std::string before;
  Conversion first;
  std::string between;
  Conversion second;
  std::string after;
};

/// The type of the scalars in an indexed array; other types are their own.
Type leafOf(Type type);

/// Takes a format for values of \p type apart; none if it is not one, with the
/// reason in \p error.
std::optional<Format> parseFormat(llvm::StringRef text, Type type,
                                  std::string &error);
/// The one of language section 15. Records and unions have none.
Format defaultFormat(Type type, bool isElement);

/// Appends a scalar as the format says.
void appendScalar(std::string &out, Type type, const Value &value,
                  const Format &format);

} // namespace zpl::interpreter

#endif // ZPL_LIB_INTERPRET_VALUES_FORMATS_H
