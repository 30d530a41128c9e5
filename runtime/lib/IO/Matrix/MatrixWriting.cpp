//===- MatrixWriting.cpp - Files of Matrix Market that are written --------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     [R] write(f, D)    array: the elements column by column
//     [S] write(f, A)    coordinate: i, j and A[i, j] for the indices of S
//     [R] write(f, M)    of booleans, as `[S] write(f, M)`: pattern: i and j
//                        where M is true
//
// Indices count from 1 in the file, whatever the region's are. Processor 0 gets
// the elements slab by slab and writes them, those of columns as boxes that are
// turned around. How many indices a file of a pattern lists stands before them,
// so the elements of truth values are looked at twice.
//
//===----------------------------------------------------------------------===//

#include "Collective/Collective.h"
#include "IO/ArrayFile.h"
#include "IO/Matrix/MatrixElements.h"
#include "IO/Matrix/MatrixFile.h"
#include "IO/Sparse/MergedElements.h"
#include "Layout/Type.h"
#include "Sparse/SparseArray.h"
#include "Support/Error.h"

namespace zrt {

static constexpr int64_t MatrixSlabElements = 8192;

/// The type of the file's numbers; ends the run if it cannot hold the array.
static Element writtenNumbers(const File &file, const zrt_array &array) {
  std::optional<Element> element = elementOf(*array.type);
  if (!element)
    fatal(file.loc(), ErrorScope::Replicated,
          "cannot write to %s: a file of Matrix Market has no elements of type "
          "%s",
          file.name().c_str(), typeText(*array.type).c_str());
  if (array.region.rank > 2)
    fatal(
        file.loc(), ErrorScope::Replicated,
        "cannot write to %s: a file of Matrix Market holds an array of rank 1 "
        "or 2, not %d",
        file.name().c_str(), array.region.rank);
  return *element;
}

/// On processor 0: the line of the element at \p index of \p box.
static void appendEntry(std::string &text, const Box &box, const int64_t *index,
                        Element element, const char *value) {
  for (int d = 0; d < 2; ++d) {
    int64_t i =
        d < box.rank ? (index[d] - box.dim[d].lo) / box.dim[d].stride + 1 : 1;
    text += (d == 0 ? "" : " ") + std::to_string(i);
  }
  if (element != Element::Bool) {
    text += ' ';
    appendNumber(text, element, value);
  }
  text += '\n';
}

static std::string headerOf(const Box &box, Element element, bool isSparse,
                            int64_t entries) {
  std::vector<int64_t> shape = matrixShape(box);
  return matrixHeader(element, isSparse, shape[0], shape[1], entries);
}

//===----------------------------------------------------------------------===//
// Dense arrays
//===----------------------------------------------------------------------===//

static Box turnedAround(Box box) {
  if (box.rank == 2)
    std::swap(box.dim[0], box.dim[1]);
  return box;
}

/// The elements of \p buffer, those of \p slab in row-major order, column by
/// column.
static void appendColumns(std::string &text, const Box &slab, Element element,
                          const char *buffer, int64_t bytes) {
  int64_t rows = size(slab.dim[0]);
  int64_t columns = slab.rank == 2 ? size(slab.dim[1]) : 1;
  for (int64_t j = 0; j < columns; ++j)
    for (int64_t i = 0; i < rows; ++i) {
      appendNumber(text, element, buffer + (i * columns + j) * bytes);
      text += '\n';
    }
}

static void writeColumns(ArrayIO &io, File &file, Element element) {
  int64_t bytes = io.array.type->size;
  bool isFirst = io.transport.rank() == 0;
  if (isFirst)
    file.write(headerOf(io.region, element, /*isSparse=*/false, 0));
  SlabSequence slabs(turnedAround(io.region), MatrixSlabElements);
  std::vector<char> buffer;
  Box turned;
  while (slabs.next(turned)) {
    Box slab = turnedAround(turned);
    buffer.resize(static_cast<size_t>(size(slab) * bytes));
    gatherSlab(io, slab, 0, buffer.data(), /*onRequest=*/true);
    if (!isFirst)
      continue;
    std::string text;
    appendColumns(text, slab, element, buffer.data(), bytes);
    file.write(text);
  }
}

/// Calls \p f on processor 0 with the index of each true element of the array
/// of truth values.
template <typename F> static void forEachTrue(ArrayIO &io, F &&f) {
  SlabSequence slabs(io.region, MatrixSlabElements);
  std::vector<char> buffer;
  Box slab;
  while (slabs.next(slab)) {
    buffer.resize(static_cast<size_t>(size(slab)));
    gatherSlab(io, slab, 0, buffer.data(), /*onRequest=*/true);
    if (io.transport.rank() != 0)
      continue;
    int64_t columns = slab.rank == 2 ? size(slab.dim[1]) : 1;
    for (int64_t k = 0; k < size(slab); ++k) {
      int64_t index[2] = {slab.dim[0].lo + k / columns * slab.dim[0].stride, 0};
      if (slab.rank == 2)
        index[1] = slab.dim[1].lo + k % columns * slab.dim[1].stride;
      if (buffer[static_cast<size_t>(k)])
        f(index);
    }
  }
}

static void writeTrue(ArrayIO &io, File &file) {
  int64_t count = 0;
  forEachTrue(io, [&](const int64_t *) { ++count; });
  if (io.transport.rank() == 0)
    file.write(headerOf(io.region, Element::Bool, /*isSparse=*/true, count));
  std::string text;
  forEachTrue(io, [&](const int64_t *index) {
    text.clear();
    appendEntry(text, io.region, index, Element::Bool, nullptr);
    file.write(text);
  });
}

void writeMatrix(ArrayIO &io, File &file) {
  Element element = writtenNumbers(file, io.array);
  if (element == Element::Bool)
    return writeTrue(io, file);
  writeColumns(io, file, element);
}

//===----------------------------------------------------------------------===//
// Sparse arrays
//===----------------------------------------------------------------------===//

/// How many elements the file lists: of truth values those that are true.
static int64_t listedCount(Transport &transport, const zrt_array &array,
                           Element element) {
  const zrt_pattern &pattern = *array.region.pattern;
  int64_t count = pattern.count;
  if (element == Element::Bool) {
    count = 0;
    for (int64_t k = 0; k < pattern.count; ++k)
      count += array.origin[k * stepOf(array)] != 0;
  }
  reduce(transport, &count, ZRT_I64, ZRT_SUM);
  return count;
}

void writeSparseMatrix(Transport &transport, const zrt_array &array,
                       File &file) {
  Element element = writtenNumbers(file, array);
  int64_t bytes = array.type->size;
  Box box = boxOf(array.region);
  int64_t count = listedCount(transport, array, element);
  bool isFirst = transport.rank() == 0;
  if (isFirst)
    file.write(headerOf(box, element, /*isSparse=*/true, count));
  MergedElements elements(transport, array, true);
  MergedSlab slab;
  std::string text;
  while (elements.next(MatrixSlabElements, slab)) {
    text.clear();
    for (int64_t k = 0; isFirst && k < slab.count; ++k) {
      const char *value = slab.values.data() + k * bytes;
      const int32_t *at = slab.indices.data() + k * box.rank;
      int64_t index[2] = {at[0], box.rank == 2 ? at[1] : 0};
      if (element != Element::Bool || *value)
        appendEntry(text, box, index, element, value);
    }
    if (isFirst)
      file.write(text);
  }
}

} // namespace zrt
