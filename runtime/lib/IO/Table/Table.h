//===- Table.h - Arrays as columns of tables --------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_IO_TABLE_TABLE_H
#define ZRT_IO_TABLE_TABLE_H

#include "IO/ArrayFile.h"
#include "IO/Slabs.h"

namespace zrt {

/// Writes arrays side by side as a table: one of rank 1 is a column, one of
/// rank 2 a column for each index of its second dimension. Collective; uses
/// bounded memory.
void writeTable(std::vector<ArrayIO> &arrays, File &file);

/// Takes a table apart, on processor 0, and says in \p known what it is like.
/// What is wrong, the rest of a sentence that begins with the file's name, or
/// "".
std::string findTable(File &file, ArrayFile &known);

/// Reads the next column of a table, or all into an array of rank 2.
/// Collective; processor 0 keeps the table.
void readTable(ArrayIO &io, File &file);

} // namespace zrt

#endif // ZRT_IO_TABLE_TABLE_H
