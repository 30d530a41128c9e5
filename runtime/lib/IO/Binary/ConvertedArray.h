//===- ConvertedArray.h - Arrays of other types and orders ------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_IO_BINARY_CONVERTEDARRAY_H
#define ZRT_IO_BINARY_CONVERTEDARRAY_H

#include "IO/ArrayFile.h"
#include "IO/Slabs.h"

namespace zrt {

/// Reads the elements that \p found describes into an array of its shape, of
/// numbers that they convert to: turns bytes around, changes types, puts
/// dimensions in our order. What is out of range ends the run. Collective; uses
/// bounded memory.
void readConverted(ArrayIO &io, File &file, const NumpyArray &found);

/// The same of one number, at \p value on processor 0.
void takeConverted(File &file, const zrt_type &type, const NumpyArray &found,
                   void *value);

/// Writes the elements in Fortran's order. Collective; uses bounded memory.
void writeTurned(ArrayIO &io, File &file);

} // namespace zrt

#endif // ZRT_IO_BINARY_CONVERTEDARRAY_H
