//===- MatrixFile.h - Arrays in files of Matrix Market ----------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_IO_MATRIX_MATRIXFILE_H
#define ZRT_IO_MATRIX_MATRIXFILE_H

#include "IO/File.h"
#include "IO/Slabs.h"
#include "Sparse/Addition.h"

namespace zrt {

/// Reads a dense array as a whole file (`*.mtx`): zero where the file has no
/// element. Collective, as all of these; what does not fit ends the run.
void readMatrix(ArrayIO &io, File &file);
/// Reads a sparse array at its own indices: zero where the file has none of
/// them; the run ends if it has others.
void readSparseMatrix(Transport &transport, const zrt_array &array, File &file);

/// Adds the indices that the file lists to \p addition. How many they are.
int64_t readIndices(Transport &transport, File &file, Addition &addition);
/// Ends the run, since the file lists an index of \p region twice; that has the
/// pattern which was made of it.
[[noreturn]] void failTwice(Transport &transport, File &file,
                            const zrt_region &region);

/// Write an array: a dense one as "array", but of truth values the indices at
/// which it is true; a sparse one as "coordinate". General, in row-major order
/// where indices are listed; bounded memory.
void writeMatrix(ArrayIO &io, File &file);
void writeSparseMatrix(Transport &transport, const zrt_array &array,
                       File &file);

} // namespace zrt

#endif // ZRT_IO_MATRIX_MATRIXFILE_H
