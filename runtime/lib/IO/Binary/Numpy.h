//===- Numpy.h - Arrays in NumPy's files ------------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_IO_BINARY_NUMPY_H
#define ZRT_IO_BINARY_NUMPY_H

#include "IO/File.h"
#include "IO/Slabs.h"

namespace zrt {

/// The header of a file in NumPy's format, version 1.0, that holds an array of
/// \p type over \p region. False if NumPy has no such elements, with a sentence
/// in \p error.
bool numpyHeader(const zrt_type &type, const zrt_region &region,
                 std::string &header, std::string &error);

/// Whether the dictionary of a header describes an array of \p type over \p
/// region; else a sentence in \p error that says what differs.
bool matchesNumpy(std::string_view dictionary, const zrt_type &type,
                  const zrt_region &region, std::string &error);

/// Writes or reads an array as a whole file (`*.npy`). Collective.
void writeNumpy(ArrayIO &io, File &file);
void readNumpy(ArrayIO &io, File &file);

} // namespace zrt

#endif // ZRT_IO_BINARY_NUMPY_H
