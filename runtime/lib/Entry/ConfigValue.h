//===- ConfigValue.h - Values of config variables ---------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_ENTRY_CONFIGVALUE_H
#define ZRT_ENTRY_CONFIGVALUE_H

#include "zrt/Abi.h"

#include <deque>
#include <string>

namespace zrt {

/// The language's name of an enum zrt_type.
const char *typeName(int32_t type);

/// Reads \p text, a literal of the type of \p config, into the variable and
/// marks it as given. Integers are decimal or 0x hexadecimal with an optional
/// sign, floating values decimal; infinities and NaN are not literals of the
/// language, so they are refused. Strings come without quotes and are kept in
/// \p strings. False if the text is not such a literal or its value does not
/// fit, with a sentence in \p error.
bool setConfig(const zrt_config &config, const std::string &text,
               std::deque<std::string> &strings, std::string &error);

} // namespace zrt

#endif // ZRT_ENTRY_CONFIGVALUE_H
