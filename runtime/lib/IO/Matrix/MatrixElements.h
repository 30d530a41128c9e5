//===- MatrixElements.h - The elements of a matrix in a file ----*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_IO_MATRIX_MATRIXELEMENTS_H
#define ZRT_IO_MATRIX_MATRIXELEMENTS_H

#include "IO/ArrayFile.h"
#include "Layout/Box.h"

#include <span>

namespace zrt {

/// Brings the elements that a file of Matrix Market lists to all processors,
/// some at a time.
class MatrixElements {
public:
  /// Collective. \p file is open for reading. \p box is a region's, of rank 1
  /// or 2, whose indices the elements get; the run ends if it has not the
  /// extents of the file. \p type: of the values; null: without them.
  MatrixElements(Transport &transport, File &file, const Box &box,
                 const zrt_type *type);

  /// The next ones; false at the end, on all processors. A file with something
  /// wrong in it ends the run. Collective.
  bool next();

  /// How many there are in `next`'s part, and the index and value of one.
  int64_t count() const { return number; }
  std::span<const int64_t> index(int64_t k) const {
    return {indices.data() + k * box.rank, static_cast<size_t>(box.rank)};
  }
  const char *value(int64_t k) const { return values.data() + k * size; }

  /// Ends the run, with the line of element \p k of this part: its index \p
  /// what. Called by all processors.
  [[noreturn]] void fail(int64_t k, const char *what);

private:
  void fill();
  bool take(MatrixReader &reader);

  Transport &transport;
  File &file;
  Box box;
  std::optional<Element> element;
  int64_t size = 0;
  int64_t number = 0;
  std::vector<int64_t> indices;
  std::vector<char> values;
  std::vector<int64_t> lines; ///< on processor 0
};

/// The rows and columns of a file that holds what is in \p box: one of rank 1 is
/// a column.
std::vector<int64_t> matrixShape(const Box &box);

} // namespace zrt

#endif // ZRT_IO_MATRIX_MATRIXELEMENTS_H
