//===- PngReader.h - Pictures from files ------------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_FORMATS_PNGREADER_H
#define ZRT_FORMATS_PNGREADER_H

#include "Formats/PngWriter.h"

#include <string_view>

namespace zrt {

/// So many bytes a picture begins with say what it is like.
inline constexpr size_t PngStartBytes = 33;

/// Reads them: grey samples of fewer than 8 bits count as 8, a palette as three
/// colours; how opaque a pixel is counts for nothing. What is wrong, as the
/// rest of a sentence that begins with the file's name; null: nothing.
const char *readPngStart(std::string_view start, PngShape &shape);

/// A picture in memory.
struct PngPixels {
  PngShape shape;
  std::unique_ptr<uint8_t[]> bytes; ///< samples; of 16 bits: high byte first

  /// The sample of a colour, from 0, at a place, from the top left.
  uint32_t sample(int64_t row, int64_t column, int colour) const;
  uint32_t most() const { return shape.bits == 8 ? 255 : 65535; }
};

/// Decodes the whole \p file, whose start has been read into
/// \p pixels.shape. What is wrong, as the rest of a sentence that begins with
/// the file's name; "": nothing.
std::string decodePng(std::string_view file, PngPixels &pixels);

} // namespace zrt

#endif // ZRT_FORMATS_PNGREADER_H
