//===- ArrayFile.h - Files that hold one array ------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_IO_ARRAYFILE_H
#define ZRT_IO_ARRAYFILE_H

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

/// What is known of a file of NumPy's format or a picture.
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
};

/// What the array in \p file, which is open for reading and not plain, is like.
/// Collective. A file that is not what its name says ends the run.
ArrayFile &describe(Transport &transport, File &file);

/// The type of numbers in files that \p type is; none: it is no number.
std::optional<Element> elementOf(const zrt_type &type);

/// The extents of \p region.
std::vector<int64_t> shapeOf(const zrt_region &region);

} // namespace zrt

#endif // ZRT_IO_ARRAYFILE_H
