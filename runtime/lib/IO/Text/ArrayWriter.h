//===- ArrayWriter.h - Arrays as text ---------------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_IO_TEXT_ARRAYWRITER_H
#define ZRT_IO_TEXT_ARRAYWRITER_H

#include "IO/File.h"
#include "IO/Slabs.h"
#include "IO/Text/Format.h"

namespace zrt {

/// How many elements make a line (language section 15): those of the innermost
/// dimension that has more than one index; one, if there is none.
int64_t lineLength(const Box &region);

/// Writes the elements of \p io as text, in row-major order with line ends, to
/// \p file. \p format is null for the default. Collective; uses bounded memory
/// on every processor.
void writeArray(ArrayIO &io, File &file, const Format *format);

} // namespace zrt

#endif // ZRT_IO_TEXT_ARRAYWRITER_H
