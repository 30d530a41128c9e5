//===- Table.cpp - Arrays as columns of tables ----------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     write(open("a.csv:x,T", file_write), X, T)
//
// Arrays of equal numbers of rows travel to the first processor, some rows of each
// at a time, which writes a line for each row. A table that is read is taken apart
// as a whole by the first read (Formats/CsvTable.h), and its columns go to arrays
// in their order, or as the names in the file's name say.
//
//===----------------------------------------------------------------------===//

#include "IO/Table/Table.h"

#include "IO/Binary/BinaryArray.h"
#include "Layout/Type.h"
#include "Support/Error.h"

namespace zrt {

static constexpr int64_t TableSlabBytes = 256 * 1024;

static void failTableIf(const File &file, const std::string &reason) {
  if (!reason.empty())
    fatal(file.loc(), ErrorScope::Replicated, "%s", reason.c_str());
}

static int64_t columnsOf(const ArrayIO &io) {
  return io.region.rank == 1 ? 1 : size(io.region.dim[1]);
}

/// What is wrong with the arrays, or "".
static std::string misfitOf(const std::vector<ArrayIO> &arrays) {
  for (const ArrayIO &io : arrays) {
    if (io.region.rank > 2)
      return "it needs arrays of rank 1 or 2, not " +
             std::to_string(io.region.rank);
    std::optional<Element> element = elementOf(*io.array.type);
    if (!element || !hasCsvText(*element))
      return "it has no elements of type " + typeText(*io.array.type);
    if (size(io.region.dim[0]) != size(arrays[0].region.dim[0]))
      return "its arrays have different numbers of rows: " +
             toString(arrays[0].covering) + " and " + toString(io.covering);
  }
  return "";
}

/// The line with names, on processor 0, where the file is empty.
static void writeNames(const std::vector<ArrayIO> &arrays, File &file) {
  std::vector<std::string> names = csvNames(file.fileName().part);
  int64_t columns = 0;
  for (const ArrayIO &io : arrays)
    columns += columnsOf(io);
  if (names.empty())
    return;
  if (static_cast<int64_t>(names.size()) != columns)
    failTableIf(file, "cannot write a table to " + file.name() + ": " +
                          csvNamesMisfit(names.size(), columns));
  std::string line;
  appendCsvNames(line, names);
  if (arrays[0].transport.rank() == 0 && file.position() == 0)
    file.write(line);
}

/// A line for each row of the slabs at hand.
static void writeRows(const std::vector<ArrayIO> &arrays,
                      const std::vector<std::vector<char>> &slabs, int64_t rows,
                      File &file) {
  std::string lines;
  for (int64_t row = 0; row < rows; ++row) {
    bool isFirst = true;
    for (size_t k = 0; k < arrays.size(); ++k) {
      Element element = *elementOf(*arrays[k].array.type);
      int64_t columns = columnsOf(arrays[k]), each = arrays[k].array.type->size;
      const char *at = slabs[k].data() + row * columns * each;
      for (int64_t c = 0; c < columns; ++c, at += each, isFirst = false)
        appendCsvField(lines, element, at, isFirst);
    }
    lines += '\n';
  }
  file.write(lines);
}

void writeTable(std::vector<ArrayIO> &arrays, File &file) {
  std::string reason = misfitOf(arrays);
  if (!reason.empty())
    failTableIf(file, "cannot write a table to " + file.name() + ": " + reason);
  writeNames(arrays, file);
  int64_t bytes = 1;
  for (const ArrayIO &io : arrays)
    bytes += columnsOf(io) * io.array.type->size;
  int64_t most = std::max<int64_t>(TableSlabBytes / bytes, 1), rows = 0;
  std::vector<SlabSequence> sequences;
  for (const ArrayIO &io : arrays)
    sequences.emplace_back(io.region,
                           most * std::max<int64_t>(columnsOf(io), 1));
  std::vector<std::vector<char>> slabs(arrays.size());
  bool isFirst = arrays[0].transport.rank() == 0;
  while (true) {
    for (size_t k = 0; k < arrays.size(); ++k) {
      Box slab;
      if (!sequences[k].next(slab))
        return;
      rows = size(slab.dim[0]);
      if (isFirst)
        slabs[k].resize(
            static_cast<size_t>(size(slab) * arrays[k].array.type->size));
      gatherSlab(arrays[k], slab, 0, slabs[k].data(), /*onRequest=*/true);
    }
    if (isFirst)
      writeRows(arrays, slabs, rows, file);
  }
}

std::string findTable(File &file, ArrayFile &known) {
  constexpr size_t Chunk = 1024 * 1024;
  std::string all;
  for (size_t taken = Chunk; taken == Chunk;) {
    size_t before = all.size();
    all.resize(before + Chunk);
    taken = file.input.take(all.data() + before, Chunk);
    all.resize(before + taken);
  }
  known.table = std::make_unique<CsvTable>();
  std::string reason = known.table->parse(std::move(all));
  known.array.shape = {known.table->rows(), known.table->columns()};
  known.array.element = known.table->element();
  return reason;
}

/// The columns, from 0, that the next array gets; on processor 0.
static std::vector<int64_t> nextColumns(File &file, ArrayFile &known,
                                        int64_t count) {
  std::vector<std::string> names = csvNames(file.fileName().part);
  std::vector<int64_t> columns;
  for (int64_t k = 0; k < count; ++k) {
    int64_t place = known.columnsRead + k;
    if (names.empty()) {
      columns.push_back(place);
      continue;
    }
    const std::string &name = names[static_cast<size_t>(place)];
    columns.push_back(known.table->column(name));
    if (columns.back() < 0)
      failTableIf(file, file.name() + " has no column '" + name + "'");
  }
  return columns;
}

/// Ends the run if the table does not fit the array.
static void checkTable(const ArrayIO &io, const File &file,
                       const ArrayFile &known) {
  std::optional<Element> element = elementOf(*io.array.type);
  zrt_region region = fileRegion(io.covering, io.distribution);
  std::string reason;
  if (!element || !hasCsvText(*element))
    reason =
        "is a table, which has no elements of type " + typeText(*io.array.type);
  else if (io.region.rank > 2)
    reason = "is a table: it is read over regions of rank 1 or 2";
  else if (size(io.region.dim[0]) != known.array.shape[0])
    reason = "has " + std::to_string(known.array.shape[0]) +
             " rows, but the region is " + toString(region);
  size_t names = csvNames(file.fileName().part).size();
  int64_t all = names > 0 ? static_cast<int64_t>(names) : known.array.shape[1];
  if (reason.empty() && columnsOf(io) > all - known.columnsRead)
    reason = "has " + std::to_string(all) + " columns to read, and " +
             std::to_string(known.columnsRead + columnsOf(io)) +
             " are asked for";
  if (!reason.empty())
    failTableIf(file, file.name() + " " + reason);
}

void readTable(ArrayIO &io, File &file) {
  ArrayFile &known = describe(io.transport, file);
  checkTable(io, file, known);
  bool isFirst = io.transport.rank() == 0;
  int64_t width = columnsOf(io), each = io.array.type->size, place = 0;
  std::vector<int64_t> columns;
  if (isFirst)
    columns = nextColumns(file, known, width);
  SlabSequence slabs(io.region, std::max<int64_t>(TableSlabBytes / each, 1));
  std::vector<char> elements;
  Box slab;
  while (slabs.next(slab)) {
    int64_t count = size(slab), before = place;
    if (isFirst)
      elements.resize(static_cast<size_t>(count * each));
    for (int64_t k = 0; isFirst && k < count; ++k, ++place) {
      std::string reason = known.table->store(
          place / width, columns[static_cast<size_t>(place % width)],
          *elementOf(*io.array.type), elements.data() + k * each);
      if (!reason.empty())
        failTableIf(file, file.name() + " " + reason);
    }
    if (isFirst)
      adoptImages(file, *io.array.type, elements.data(), count, before * each);
    scatterSlab(io, slab, 0, elements.data());
  }
  known.columnsRead += width;
}

} // namespace zrt
