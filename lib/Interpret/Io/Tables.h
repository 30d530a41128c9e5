//===- Tables.h - Arrays as columns of tables -------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_INTERPRET_IO_TABLES_H
#define ZPL_LIB_INTERPRET_IO_TABLES_H

#include "Formats/CsvTable.h"
#include "Regions/Regions.h"
#include "Run.h"

namespace zpl::interpreter {

/// A table that is read.
struct TableFile {
  zrt::CsvTable table;
  int64_t columnsRead = 0;
};

/// An array that becomes columns.
struct TableColumns {
  Type type;
  ArrayStorage *values;
  const Region *region;
};

/// Takes the whole file apart.
std::unique_ptr<TableFile> findTable(Run &run, File &file);

/// Writes arrays of rank 1 or 2 side by side.
void writeTable(Run &run, File &file, const std::vector<TableColumns> &arrays);

/// Reads the next columns of a table, in row-major order.
std::vector<char> readTable(Run &run, File &file, TableFile &table, Type type,
                            const Region &region);

} // namespace zpl::interpreter

#endif // ZPL_LIB_INTERPRET_IO_TABLES_H
