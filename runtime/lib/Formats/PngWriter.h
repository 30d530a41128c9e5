//===- PngWriter.h - Pictures in files --------------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_FORMATS_PNGWRITER_H
#define ZRT_FORMATS_PNGWRITER_H

#include "Formats/ColourMaps.h"

#include <memory>
#include <string>

namespace zrt {

/// What a picture is like.
struct PngShape {
  int64_t width = 0, height = 0;
  int bits = 8;    ///< of a sample: 8 or 16
  int colours = 1; ///< samples of a pixel: 1 (grey, or a place in a palette), 3
};

/// A PNG picture being made, row after row from the top. Its bytes do not
/// depend on when they are taken.
class PngWriter {
public:
  /// \p palette: the colours that samples are places of; null: there is none.
  PngWriter(const PngShape &shape, const std::vector<Colour> *palette);
  ~PngWriter();

  /// A row of samples; those of 16 bits with the high byte first.
  void writeRow(const uint8_t *samples);
  void finish();

  /// What has been made since the last call.
  std::string takeBytes();
  /// A sentence if libpng cannot be loaded or has failed, else "".
  const std::string &error() const { return failure; }

private:
  struct Picture;
  void begin(const PngShape &shape, const std::vector<Colour> *palette);
  bool failed();

  std::unique_ptr<Picture> picture;
  std::string failure;
};

} // namespace zrt

#endif // ZRT_FORMATS_PNGWRITER_H
