//===- PngReader.cpp - Pictures from files --------------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A picture begins with
//
//     89 "PNG" 0d 0a 1a 0a     the signature
//     00 00 00 0d "IHDR"       the first chunk, of 13 bytes:
//     00 00 02 80  00 00 01 e0   width 640, height 480
//     08 02                      8 bits, kind 2: three colours
//     00 00 00                   compression, filter, interlaced or not
//     .. .. .. ..              its check sum
//
// which is all that must be known before an array is declared. The rest is
// libpng's, which is asked to give rows of grey or of three colours, whatever
// the file has. Interlaced pictures come in seven passes over the same rows.
//
//===----------------------------------------------------------------------===//

#include "Formats/PngReader.h"

#include "Formats/PngLibrary.h"

#include <cstring>
#include <new>

namespace zrt {

static int64_t bigEndian(std::string_view bytes) {
  int64_t value = 0;
  for (char byte : bytes)
    value = value << 8 | static_cast<unsigned char>(byte);
  return value;
}

const char *readPngStart(std::string_view start, PngShape &shape) {
  constexpr std::string_view Signature("\x89PNG\r\n\x1a\n", 8);
  if (start.substr(0, Signature.size()) != Signature)
    return "is no PNG picture";
  if (start.size() < PngStartBytes)
    return "ends within its header";
  if (start.substr(8, 8) != std::string_view("\0\0\0\x0dIHDR", 8))
    return "is a broken PNG picture: it has no header";
  shape.width = bigEndian(start.substr(16, 4));
  shape.height = bigEndian(start.substr(20, 4));
  int bits = start[24], kind = start[25];
  bool isKnown = kind == PNG_COLOR_TYPE_GRAY || kind == PNG_COLOR_TYPE_RGB ||
                 kind == PNG_COLOR_TYPE_PALETTE ||
                 kind == PNG_COLOR_TYPE_GRAY_ALPHA ||
                 kind == PNG_COLOR_TYPE_RGB_ALPHA;
  if (shape.width < 1 || shape.height < 1 || shape.width > MostPngPixels ||
      shape.height > MostPngPixels || !isKnown || bits < 1 || bits > 16)
    return "is a broken PNG picture: its header makes no sense";
  shape.bits = bits == 16 ? 16 : 8;
  shape.colours = kind & PNG_COLOR_MASK_COLOR ? 3 : 1;
  return nullptr;
}

uint32_t PngPixels::sample(int64_t row, int64_t column, int colour) const {
  int64_t place = (row * shape.width + column) * shape.colours + colour;
  if (shape.bits == 8)
    return bytes[static_cast<size_t>(place)];
  const uint8_t *two = bytes.get() + 2 * place;
  return static_cast<uint32_t>(two[0] << 8 | two[1]);
}

namespace {

/// A picture on its way from memory.
struct Decoding {
  PngErrors errors;
  png_structp png = nullptr;
  png_infop info = nullptr;
  std::string_view rest;

  ~Decoding() {
    if (png)
      errors.library->png_destroy_read_struct(&png, &info, nullptr);
  }
};

void giveBytes(png_structp png, png_bytep data, png_size_t count) {
  std::string ignored;
  const PngLibrary *library = PngLibrary::load(ignored);
  auto *rest = static_cast<std::string_view *>(library->png_get_io_ptr(png));
  if (rest->size() < count)
    library->png_error(png, "the file ends too early");
  std::memcpy(data, rest->data(), count);
  rest->remove_prefix(count);
}

/// Decodes into \p bytes, \p rowBytes a row; false with a message in
/// \p d.errors.
bool decodeRows(Decoding &d, const PngShape &shape, uint8_t *bytes,
                size_t rowBytes) {
  const PngLibrary &library = *d.errors.library;
  if (setjmp(d.errors.back))
    return false;
  library.png_set_read_fn(d.png, &d.rest, giveBytes);
  library.png_set_user_limits(d.png, MostPngPixels, MostPngPixels);
  library.png_read_info(d.png, d.info);
  library.png_set_palette_to_rgb(d.png);
  if (shape.colours == 1)
    library.png_set_expand_gray_1_2_4_to_8(d.png);
  library.png_set_strip_alpha(d.png);
  int passes = library.png_set_interlace_handling(d.png);
  library.png_read_update_info(d.png, d.info);
  if (library.png_get_rowbytes(d.png, d.info) != rowBytes)
    library.png_error(d.png, "rows have another length than the header says");
  for (int pass = 0; pass < passes; ++pass)
    for (int64_t row = 0; row < shape.height; ++row)
      library.png_read_row(d.png, bytes + static_cast<size_t>(row) * rowBytes,
                           nullptr);
  library.png_read_end(d.png, nullptr);
  return true;
}

} // namespace

std::string decodePng(std::string_view file, PngPixels &pixels) {
  Decoding d;
  std::string error;
  d.rest = file;
  d.errors.library = PngLibrary::load(error);
  if (!d.errors.library)
    return "cannot be read: " + error;
  d.png = d.errors.library->png_create_read_struct(
      PNG_LIBPNG_VER_STRING, &d.errors, pngFailed, pngWarned);
  d.info = d.png ? d.errors.library->png_create_info_struct(d.png) : nullptr;
  if (!d.info)
    return "cannot be read: libpng is not of version " PNG_LIBPNG_VER_STRING
           ", or memory is short";
  const PngShape &shape = pixels.shape;
  size_t rowBytes =
      static_cast<size_t>(shape.width * shape.colours * (shape.bits / 8));
  size_t all = 0;
  bool isHuge =
      __builtin_mul_overflow(rowBytes, static_cast<size_t>(shape.height), &all);
  if (!isHuge)
    pixels.bytes.reset(new (std::nothrow) uint8_t[all]);
  if (!pixels.bytes)
    return "is too large: memory has no room for its pixels";
  if (!decodeRows(d, shape, pixels.bytes.get(), rowBytes))
    return std::string("is a broken PNG picture: ") + d.errors.message;
  return "";
}

} // namespace zrt
