//===- ConfigValue.h - Values of config variables ---------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_ENTRY_CONFIG_CONFIGVALUE_H
#define ZRT_ENTRY_CONFIG_CONFIGVALUE_H

#include "zrt/Abi.h"

#include <cstdint>
#include <string>

namespace zrt {

/// A value of some scalar type: its bytes in memory, of which the type's size
/// count, or the text of a string.
struct ConfigValue {
  unsigned char bytes[32] = {};
  std::string text;
};

/// Reads an integer literal, decimal or 0x hexadecimal with an optional sign.
/// False if \p text is none or it does not fit.
bool readIndex(const std::string &text, int64_t &value);

/// Reads \p text, a literal of the scalar type \p type:
///  - integers are decimal or 0x hexadecimal with an optional sign;
///  - floating values decimal; infinities and NaN are not literals of the
///    language, so they are refused;
///  - complex values `1.5+2i`, `1.5`, `2i` or `(1.5,2)`, blanks between the
///    parts allowed;
///  - a char is that character, or an escape of C; quotes are optional;
///  - strings come without quotes and escapes, enumerators by name.
/// \p name is the variable or its part, for messages. False if the text is not
/// such a literal or its value does not fit, with a sentence in \p error.
bool readConfigValue(const zrt_type &type, const std::string &name,
                     const std::string &text, ConfigValue &value,
                     std::string &error);

} // namespace zrt

#endif // ZRT_ENTRY_CONFIG_CONFIGVALUE_H
