//===- Numpy.h - Arrays in NumPy's files ------------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_IO_BINARY_NUMPY_H
#define ZRT_IO_BINARY_NUMPY_H

#include "IO/ArrayFile.h"
#include "IO/Slabs.h"

namespace zrt {

/// Whether values of \p type over \p region (null: one value) can be read from
/// the array \p found; else the rest of a sentence in \p error that says what
/// differs.
bool matchesNumpy(const NumpyArray &found, const zrt_type &type,
                  const zrt_region *region, std::string &error);

/// Writes or reads an array as a whole file (`*.npy`). Collective. Reading
/// gives a warning, or "": the rest of a sentence that begins with the file's
/// name.
void writeNumpy(ArrayIO &io, File &file);
std::string readNumpy(ArrayIO &io, File &file);

/// The same of one value.
void writeNumpyValue(Transport &transport, File &file, const zrt_type &type,
                     const void *value);
std::string readNumpyValue(Transport &transport, File &file,
                           const zrt_type &type, void *value);

} // namespace zrt

#endif // ZRT_IO_BINARY_NUMPY_H
