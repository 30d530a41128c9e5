//===- SparseFile.h - Files of sparse arrays --------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_IO_SPARSE_SPARSEFILE_H
#define ZRT_IO_SPARSE_SPARSEFILE_H

#include "IO/File.h"
#include "IO/Text/Format.h"
#include "Memory/Array.h"
#include "Memory/StringArena.h"

namespace zrt {

/// Write the elements at the stored indices as text, a newline after the last
/// one of each row of the innermost dimension of several indices, or as memory
/// images; row-major over all processors. \p format is null for the default.
/// Collective; bounded memory.
void writeSparse(Transport &transport, const zrt_array &array, File &file,
                 const Format *format);
void writeSparseImages(Transport &transport, const zrt_array &array,
                       File &file);
/// Read as many. Collective.
void readSparse(Transport &transport, const zrt_array &array,
                StringArena &arena, File &file, const Format *format);
void readSparseImages(Transport &transport, const zrt_array &array, File &file);

/// Values with strings, as checkpoints have them (IO/Checkpoint/Texts.h).
void writeSparseTexts(Transport &transport, const zrt_array &array, File &file);
void readSparseTexts(Transport &transport, const zrt_array &array,
                     StringArena &arena, File &file);

/// As writeElements and readElements (IO/Text/ElementHooks.h).
void writeSparseElements(Transport &transport, const zrt_array &array,
                         File &file, zrt_file number, zrt_element_io procedure);
void readSparseElements(Transport &transport, const zrt_array &array,
                        zrt_file number, zrt_element_io procedure,
                        void (*settle)(const zrt_type &type, void *element));

} // namespace zrt

#endif // ZRT_IO_SPARSE_SPARSEFILE_H
