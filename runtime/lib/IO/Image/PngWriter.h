//===- PngWriter.h - Pictures in files --------------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_IO_IMAGE_PNGWRITER_H
#define ZRT_IO_IMAGE_PNGWRITER_H

#include "IO/File.h"
#include "IO/Image/HeatColours.h"

#include <memory>

namespace zrt {

/// A PNG picture of 256 colours on its way to a file, row after row from the
/// top. Ends the run if libpng cannot be loaded or fails. On processor 0.
class PngWriter {
public:
  PngWriter(File &file, int64_t width, int64_t height,
            const std::vector<Colour> &colours);
  ~PngWriter();

  /// One row of places in the colours.
  void writeRow(const uint8_t *pixels);
  void finish();

  static constexpr int64_t MostPixels = 0x7fffffff; ///< in a row or column

private:
  struct Picture;
  std::unique_ptr<Picture> picture;
};

} // namespace zrt

#endif // ZRT_IO_IMAGE_PNGWRITER_H
