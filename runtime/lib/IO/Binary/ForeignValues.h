//===- ForeignValues.h - Bytes that others have made ------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_IO_BINARY_FOREIGNVALUES_H
#define ZRT_IO_BINARY_FOREIGNVALUES_H

#include "zrt/Abi.h"

namespace zrt {

/// A number that is no value of its enumeration.
struct ForeignValue {
  static constexpr int64_t Nowhere = INT64_MAX;

  int64_t offset = Nowhere; ///< in bytes, from the start of what is read
  int64_t value = 0;
};

/// Whether there are bytes that are no value of \p type, and adopt is to be
/// called.
bool hasForeignValues(const zrt_type &type);

/// Makes values of \p type out of \p count images at \p bytes, of which the
/// first is \p offset bytes after the start of what is read: booleans that are
/// not 0 become 1. Notes in \p first the number with the least offset that is
/// no value of its enumeration.
void adopt(const zrt_type &type, char *bytes, int64_t count, int64_t offset,
           ForeignValue &first);

/// The enumeration of the image at \p offset from the start of images of \p
/// type.
const zrt_type &enumerationAt(const zrt_type &type, int64_t offset);

} // namespace zrt

#endif // ZRT_IO_BINARY_FOREIGNVALUES_H
