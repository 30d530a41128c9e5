//===- ArrayFile.h - Files that hold one array ------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_IO_ARRAYFILE_H
#define ZRT_IO_ARRAYFILE_H

#include "Formats/CsvTable.h"
#include "Formats/FileStore.h"
#include "Formats/MatrixMarket.h"
#include "Formats/NumpyHeader.h"
#include "Formats/Painter.h"
#include "Formats/PngReader.h"
#include "IO/File.h"

namespace zrt {

/// An array that becomes a picture when its statement ends; it is there until
/// then.
struct PicturePart {
  const zrt_array *array;
  zrt_region region;
};

/// What is known of a file that is not plain.
struct ArrayFile {
  // Written.
  PictureStyle style;
  std::vector<PicturePart> parts;

  // Read: what describe() has found, the same on all processors.
  bool isDescribed = false;
  NumpyArray array;  ///< of a picture: {rows, columns}
  PngShape shape;    ///< of a picture
  std::string start; ///< the picture's first bytes, on processor 0
  PngPixels pixels;  ///< on processor 0, from the first read to the last
  int coloursRead = 0;
  StoredPlace stored;               ///< of a store
  std::unique_ptr<FileStore> store; ///< on processor 0, while it is needed
  StoredAttribute attribute;        ///< of a store, and the numbers read of it
  int64_t numbersRead = 0;
  std::unique_ptr<CsvTable> table; ///< on processor 0, once it was taken apart
  int64_t columnsRead = 0;
  MatrixKind matrix; ///< of a file of Matrix Market
  /// On processor 0: takes it apart; before its first element if `isAtStart`.
  std::unique_ptr<MatrixReader> reader;
  bool isAtStart = false;
};

/// What the array in \p file, which is open for reading and not plain, is like.
/// Collective. A file that is not what its name says ends the run.
ArrayFile &describe(Transport &transport, File &file);

/// Opens a file of Matrix Market that is known for another look at its elements.
/// On processor 0. One that cannot be read from its beginning ends the run.
void restartMatrix(File &file, ArrayFile &known);

/// The type of numbers in files that \p type is; none: it is no number.
std::optional<Element> elementOf(const zrt_type &type);

/// The extents of \p region.
std::vector<int64_t> shapeOf(const zrt_region &region);

} // namespace zrt

#endif // ZRT_IO_ARRAYFILE_H
