//===- PngWriter.cpp - Pictures in files ----------------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The border to libpng. Bytes are collected here; whoever asked for the picture
// takes them after each row, so that errors of the file are errors of a write.
//
//===----------------------------------------------------------------------===//

#include "Formats/PngWriter.h"

#include "Formats/PngLibrary.h"

#include <utility>

namespace zrt {

struct PngWriter::Picture {
  PngErrors errors;
  png_structp png = nullptr;
  png_infop info = nullptr;
  std::string bytes;
};

static void collectBytes(png_structp png, png_bytep data, png_size_t count) {
  std::string ignored;
  const PngLibrary *library = PngLibrary::load(ignored);
  auto *bytes = static_cast<std::string *>(library->png_get_io_ptr(png));
  bytes->append(reinterpret_cast<const char *>(data), count);
}

static void flushNothing(png_structp) {}

PngWriter::PngWriter(const PngShape &shape,
                     const std::vector<Colour> *palette) {
  const PngLibrary *library = PngLibrary::load(failure);
  if (!library)
    return;
  picture = std::make_unique<Picture>();
  picture->errors.library = library;
  picture->png = library->png_create_write_struct(
      PNG_LIBPNG_VER_STRING, &picture->errors, pngFailed, pngWarned);
  picture->info =
      picture->png ? library->png_create_info_struct(picture->png) : nullptr;
  if (!picture->info)
    failure = "libpng is not of version " PNG_LIBPNG_VER_STRING
              ", or memory is short";
  else
    begin(shape, palette);
}

/// Notes the error after which libpng came back.
bool PngWriter::failed() {
  failure = std::string("libpng: ") + picture->errors.message;
  return true;
}

/// Writes what comes before the rows; false after an error.
static bool writeStart(const PngLibrary &library, png_structp png,
                       png_infop info, PngErrors &errors, const PngShape &shape,
                       const std::vector<png_color> &palette) {
  if (setjmp(errors.back))
    return false;
  library.png_set_user_limits(png, MostPngPixels, MostPngPixels);
  library.png_set_IHDR(png, info, static_cast<png_uint_32>(shape.width),
                       static_cast<png_uint_32>(shape.height), shape.bits,
                       !palette.empty()     ? PNG_COLOR_TYPE_PALETTE
                       : shape.colours == 1 ? PNG_COLOR_TYPE_GRAY
                                            : PNG_COLOR_TYPE_RGB,
                       PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
                       PNG_FILTER_TYPE_DEFAULT);
  if (!palette.empty())
    library.png_set_PLTE(png, info, palette.data(),
                         static_cast<int>(palette.size()));
  library.png_write_info(png, info);
  return true;
}

void PngWriter::begin(const PngShape &shape,
                      const std::vector<Colour> *palette) {
  const PngLibrary &library = *picture->errors.library;
  std::vector<png_color> colours;
  if (palette)
    for (Colour colour : *palette)
      colours.push_back({colour.red, colour.green, colour.blue});
  library.png_set_write_fn(picture->png, &picture->bytes, collectBytes,
                           flushNothing);
  if (!writeStart(library, picture->png, picture->info, picture->errors, shape,
                  colours))
    failed();
}

PngWriter::~PngWriter() {
  if (picture && picture->png)
    picture->errors.library->png_destroy_write_struct(&picture->png,
                                                      &picture->info);
}

void PngWriter::writeRow(const uint8_t *samples) {
  if (!failure.empty() || (setjmp(picture->errors.back) && failed()))
    return;
  picture->errors.library->png_write_row(picture->png, samples);
}

void PngWriter::finish() {
  if (!failure.empty() || (setjmp(picture->errors.back) && failed()))
    return;
  picture->errors.library->png_write_end(picture->png, nullptr);
}

std::string PngWriter::takeBytes() {
  return picture ? std::exchange(picture->bytes, {}) : "";
}

} // namespace zrt
