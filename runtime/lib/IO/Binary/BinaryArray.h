//===- BinaryArray.h - Memory images of arrays ------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_IO_BINARY_BINARYARRAY_H
#define ZRT_IO_BINARY_BINARYARRAY_H

#include "IO/File.h"
#include "IO/Slabs.h"

namespace zrt {

/// Whether values of \p type mean something as bytes in a file; else a sentence
/// in \p error.
bool hasImage(const zrt_type &type, std::string &error);

/// Ends the run: of \p wanted bytes \p file had only \p found.
[[noreturn]] void failShort(const File &file, int64_t found, int64_t wanted);

/// Makes values of \p type out of \p count images at \p bytes that were read
/// from \p file, the first one \p offset bytes after the start of the item. A
/// number that is no value of its enumeration ends the run. On processor 0.
void adoptImages(const File &file, const zrt_type &type, char *bytes,
                 int64_t count, int64_t offset);

/// Writes or reads the memory images of the elements, in row-major order and
/// without anything between them, at the file's position, which moves after
/// them. A file that ends before is an error. Collective; uses bounded memory
/// on every processor.
void writeImages(ArrayIO &io, File &file);
void readImages(ArrayIO &io, File &file);

/// The same for one value, which all processors have (afterwards).
void writeImage(Transport &transport, File &file, const zrt_type &type,
                const void *address);
void readImage(Transport &transport, File &file, const zrt_type &type,
               void *address);

} // namespace zrt

#endif // ZRT_IO_BINARY_BINARYARRAY_H
