//===- StoredArray.h - Arrays in files of several ---------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_IO_STORED_STOREDARRAY_H
#define ZRT_IO_STORED_STOREDARRAY_H

#include "IO/ArrayFile.h"
#include "IO/Slabs.h"

namespace zrt {

/// Looks for the array that the file's name says, on processor 0: fills in
/// what \p known tells of it. What is wrong, the rest of a sentence that begins
/// with the file's name, or "".
std::string findStored(File &file, ArrayFile &known);

/// Whether the name is that of an attribute.
bool isAttribute(const File &file);

/// Writes or reads the array of that name in a store (*.h5, *.nc, *.vti ...).
/// Collective. Reading gives a warning, or "": the rest of a sentence that
/// begins with the file's name.
void writeStored(ArrayIO &io, File &file);
std::string readStored(ArrayIO &io, File &file);

/// The same of one value: an array of rank 0, or an attribute.
void writeStoredValue(Transport &transport, File &file, const zrt_type &type,
                      const void *value);
std::string readStoredValue(Transport &transport, File &file,
                            const zrt_type &type, void *value);

/// Attributes that are texts.
void writeStoredText(Transport &transport, File &file, std::string_view text);
std::string readStoredText(Transport &transport, File &file);

} // namespace zrt

#endif // ZRT_IO_STORED_STOREDARRAY_H
