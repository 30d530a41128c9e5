//===- Tables.cpp - Arrays as columns of tables ---------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// As in compiled programs (runtime/lib/IO/Table), with all lines made before the
// first one is written.
//
//===----------------------------------------------------------------------===//

#include "Io/Tables.h"
#include "Errors.h"
#include "Io/ArrayFiles.h"
#include "Memory.h"
#include <sys/stat.h>

using namespace llvm;
using zrt::Element;

namespace zpl::interpreter {

static int64_t columnsOf(const Region &region) {
  return region.rank() == 1 ? 1 : std::max<int64_t>(region.dims[1].count(), 0);
}

static int64_t rowsOf(const Region &region) {
  return std::max<int64_t>(region.dims[0].count(), 0);
}

std::unique_ptr<TableFile> findTable(Run &run, File &file) {
  std::string all;
  char chunk[4096];
  while (size_t taken = file.take(chunk, sizeof chunk))
    all.append(chunk, taken);
  auto table = std::make_unique<TableFile>();
  std::string reason = table->table.parse(std::move(all));
  if (!reason.empty())
    fail(run, file.where, file.name + " " + reason);
  return table;
}

static std::string misfitOf(const std::vector<TableColumns> &arrays) {
  for (const TableColumns &array : arrays) {
    if (array.region->rank() > 2)
      return "it needs arrays of rank 1 or 2, not " +
             std::to_string(array.region->rank());
    std::optional<Element> element = elementOf(array.type);
    if (!element || !zrt::hasCsvText(*element))
      return "it has no elements of type " + sema::text(array.type);
    if (rowsOf(*array.region) != rowsOf(*arrays[0].region))
      return "its arrays have different numbers of rows: " +
             arrays[0].region->bounds() + " and " + array.region->bounds();
  }
  return "";
}

/// The names of the columns, if the file's name has some.
static void writeNames(Run &run, File &file,
                       const std::vector<TableColumns> &arrays) {
  std::vector<std::string> names = zrt::csvNames(file.fileName.part);
  int64_t columns = 0;
  for (const TableColumns &array : arrays)
    columns += columnsOf(*array.region);
  if (names.empty())
    return;
  if (int64_t(names.size()) != columns)
    fail(run, file.where,
         "cannot write a table to " + file.name + ": " +
             zrt::csvNamesMisfit(names.size(), columns));
  struct stat status;
  std::string line;
  zrt::appendCsvNames(line, names);
  if (fstat(file.descriptor, &status) != 0 || status.st_size == 0)
    file.write(line);
}

void writeTable(Run &run, File &file, const std::vector<TableColumns> &arrays) {
  std::string reason = misfitOf(arrays);
  if (!reason.empty())
    fail(run, file.where,
         "cannot write a table to " + file.name + ": " + reason);
  writeNames(run, file, arrays);
  std::vector<std::string> lines(rowsOf(*arrays[0].region));
  for (const TableColumns &array : arrays) {
    Element element = *elementOf(array.type);
    int64_t place = 0, columns = columnsOf(*array.region);
    forEachIndex(*array.region, [&](const Index &index) {
      std::string &line = lines[place++ / columns];
      zrt::appendCsvField(line, element, array.values->at(index), line.empty());
    });
  }
  for (const std::string &line : lines)
    file.write(line + "\n");
}

std::vector<char> readTable(Run &run, File &file, TableFile &table, Type type,
                            const Region &region) {
  std::optional<Element> element = elementOf(type);
  std::vector<std::string> names = zrt::csvNames(file.fileName.part);
  int64_t all = names.empty() ? table.table.columns() : int64_t(names.size());
  int64_t width = region.rank() > 2 ? 0 : columnsOf(region);
  std::string reason;
  if (!element || !zrt::hasCsvText(*element))
    reason = "is a table, which has no elements of type " + sema::text(type);
  else if (region.rank() > 2)
    reason = "is a table: it is read over regions of rank 1 or 2";
  else if (rowsOf(region) != table.table.rows())
    reason = "has " + std::to_string(table.table.rows()) +
             " rows, but the region is " + region.bounds();
  else if (width > all - table.columnsRead)
    reason = "has " + std::to_string(all) + " columns to read, and " +
             std::to_string(table.columnsRead + width) + " are asked for";
  if (!reason.empty())
    fail(run, file.where, file.name + " " + reason);
  std::vector<int64_t> columns;
  for (int64_t k = 0; k != width; ++k) {
    int64_t place = table.columnsRead + k;
    columns.push_back(names.empty() ? place : table.table.column(names[place]));
    if (columns.back() < 0)
      fail(run, file.where,
           file.name + " has no column '" + names[place] + "'");
  }
  size_t each = zrt::sizeOf(*element);
  std::vector<char> result(table.table.rows() * width * each);
  for (int64_t k = 0; k != table.table.rows() * width; ++k) {
    reason = table.table.store(k / width, columns[k % width], *element,
                               &result[k * each]);
    if (!reason.empty())
      fail(run, file.where, file.name + " " + reason);
  }
  table.columnsRead += width;
  return result;
}

} // namespace zpl::interpreter
