//===- ValueText.h - Values of all types as text ----------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_IO_TEXT_VALUETEXT_H
#define ZRT_IO_TEXT_VALUETEXT_H

#include "IO/Text/Format.h"

namespace zrt {

/// Number of elements of an indexed array type.
int64_t elementCount(const zrt_type &array);

/// Appends the value of \p type at \p address; its type has a text. \p format
/// was made for the type, or is null: the defaults of language section 15. \p
/// element: it is an element of a parallel array.
void appendValue(std::string &out, const zrt_type &type, const void *address,
                 const Format *format, bool element);

/// About how many bytes the text of one value has.
int64_t estimateText(const zrt_type &type, const Format *format);

} // namespace zrt

#endif // ZRT_IO_TEXT_VALUETEXT_H
